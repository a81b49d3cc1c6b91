// The frames of one question: stepped through, slid over, played. The next ones are fetched ahead.

import { html, useEffect, useRef, useState } from "/vendor/htm-preact.js";
import { picture } from "/api.js";

const AHEAD = 3;

export function Frames({ part, number, question, keys = true, onFirst, onStep, onReplay }) {
  const last = question.frames - 1;
  const [at, setAt] = useState(0);
  const [url, setUrl] = useState(null);
  const [playing, setPlaying] = useState(false);
  const [problem, setProblem] = useState("");
  const [again, setAgain] = useState(0);
  const shown = useRef(false);
  const address = (k) => `/v1/study/${part}/${number}/${k}.jpg`;

  useEffect(() => { setAt(0); setPlaying(false); shown.current = false; }, [part, number]);

  useEffect(() => {
    if (last < 0) return;
    let gone = false, timer = 0;
    (async () => {
      try {
        const found = await picture(address(Math.min(at, last)));
        if (gone) return;
        setUrl(found);
        setProblem("");
        if (!shown.current) { shown.current = true; onFirst?.(); }
        for (let k = at + 1; k <= Math.min(last, at + AHEAD); k++) picture(address(k)).catch(() => {});
      } catch (error) {
        if (gone) return;
        setProblem(error.message);
        timer = setTimeout(() => setAgain((n) => n + 1), 2000); // the line may come back
      }
    })();
    return () => { gone = true; clearTimeout(timer); };
  }, [part, number, at, again]);

  function step(by) {
    setPlaying(false);
    setAt((before) => Math.max(0, Math.min(last, before + by)));
    onStep?.();
  }
  function play() {
    if (playing) return setPlaying(false);
    if (at >= last) setAt(0);
    setPlaying(true);
    onReplay?.();
  }

  useEffect(() => {
    if (!playing) return;
    if (at >= last) return setPlaying(false);
    const gap = Math.max(40, 1000 * (question.times[at + 1] - question.times[at]) || 1000 / question.fps);
    const timer = setTimeout(() => setAt(at + 1), Math.min(gap, 2000));
    return () => clearTimeout(timer);
  }, [playing, at, url]);

  useEffect(() => {
    if (!keys) return;
    function pressed(event) {
      if (["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "ArrowRight") { step(1); event.preventDefault(); }
      else if (event.key === "ArrowLeft") { step(-1); event.preventDefault(); }
      else if (event.key === " " && question.plays && event.target.tagName !== "BUTTON") { play(); event.preventDefault(); }
    }
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });

  if (last < 0) return html`<p class="quiet">This question shows no frame.</p>`;
  return html`<div>
    ${url ? html`<img class="frame" src=${url} alt=${`frame ${at + 1} of ${last + 1}, as the wearer sees it`} />`
      : html`<div class="frame none quiet">${problem || "Loading the frames…"}</div>`}
    ${url && problem && html`<p class="warn small" role="alert">${problem}</p>`}
    <div class="row">
      <button onClick=${() => step(-1)} disabled=${at === 0} aria-label="frame before">◀</button>
      ${question.plays && html`<button onClick=${play}>${playing ? "Pause" : "Play"}</button>`}
      <button onClick=${() => step(1)} disabled=${at >= last} aria-label="frame after">▶</button>
      <input class="grow" type="range" min="0" max=${last} value=${at} aria-label="frame"
        onInput=${(e) => { setPlaying(false); setAt(Number(e.target.value)); onStep?.(); }} />
      <span class="quiet small" aria-hidden="true">${at + 1} / ${last + 1}${question.plays ? ` · ${question.times[at]?.toFixed(1)} s` : ""}</span>
    </div>
  </div>`;
}
