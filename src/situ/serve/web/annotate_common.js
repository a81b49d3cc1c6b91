// What both pages share: who works here, the list of items kept up to date, the stream with its timeline, shortcuts.

import { html, useEffect, useRef, useState } from "/vendor/htm-preact.js";
import { get, setToken, token } from "/api.js";
import { Player } from "/annotate_player.js";
import { MarkLine, stamp } from "/annotate_timeline.js";

const WHO = "situ-annotator";
export const who = () => localStorage.getItem(WHO) || "";
export const queueName = () => decodeURIComponent(location.pathname.split("/")[2] || "");
export const base = () => `/v1/queues/${encodeURIComponent(queueName())}`;

export function Door({ problem }) {
  const [text, setText] = useState("");
  return html`<main><section><h1>This queue wants a token</h1>
    <form class="row" onSubmit=${(e) => { e.preventDefault(); setToken(text.trim()); location.reload(); }}>
      <label class="grow">Token <input type="password" value=${text} onInput=${(e) => setText(e.target.value)} /></label>
      <button class="main">Enter</button></form>
    ${token() && html`<p class="warn">${problem.message}</p>`}</section></main>`;
}

export function Who({ onDone }) {
  const [text, setText] = useState("");
  return html`<main><section><h1>Who are you?</h1><p>Every change is signed, so that people can agree, and disagree.</p>
    <form class="row" onSubmit=${(e) => { e.preventDefault(); if (text.trim()) { localStorage.setItem(WHO, text.trim()); onDone(text.trim()); } }}>
      <label class="grow">Your name <input maxlength="60" autocomplete="name" value=${text} onInput=${(e) => setText(e.target.value)} /></label>
      <button class="main">Begin</button></form></section></main>`;
}

// The queue and its items; what others do comes in every two seconds.
export function useQueue() {
  const [facts, setFacts] = useState(null), [problem, setProblem] = useState(null), [items, setItems] = useState(new Map()), [ready, setReady] = useState(false);
  const seq = useRef(null), news = useRef(null);
  const merge = (rows) => setItems((before) => { const next = new Map(before); for (const row of rows) next.set(row.id, row); return next; });
  async function look() {
    if (seq.current === null) return; // the list is still on its way
    try {
      for (let more = true; more;) {
        const found = await get(`${base()}/changes`, { after: seq.current });
        ({ seq: seq.current, more } = found);
        if (found.items.length) { merge(found.items); news.current?.(found); }
      }
      setProblem(null);
    } catch (error) { setProblem(error); }
  }
  useEffect(() => {
    let gone = false, timer = null;
    (async () => {
      try {
        // Both are asked for at once, and the stream is shown while the list of a long queue is on its way.
        const coming = get(`${base()}/items`);
        coming.catch(() => {}); // told below
        const about = await get(base());
        if (gone) return;
        setFacts(about);
        const all = await coming;
        if (gone) return;
        seq.current = all.seq;
        merge(all.items);
        setReady(true);
        timer = setInterval(look, 2000);
      } catch (error) { if (!gone) setProblem(error); }
    })();
    return () => { gone = true; clearInterval(timer); };
  }, []);
  return { facts, problem, items, ready, look, news };
}

export function Stream({ source, items, shown, set, holder, onMoved }) {
  const canvas = useRef(null), line = useRef(null), marks = useRef(null);
  const [, draw] = useState(0), [problem, setProblem] = useState("");
  const player = holder.current;
  useEffect(() => {
    if (source.kind === "words") { holder.current = null; onMoved(); return undefined; }
    const moved = () => { draw((n) => n + 1); onMoved(); };
    const found = holder.current = new Player(base(), source.name, canvas.current, moved);
    window.situPlayer = found; // for whoever measures it
    found.open().then(() => found.show(found.wanted), (error) => setProblem(error.message));
    return () => found.pause();
  }, [source.name]);
  useEffect(() => {
    const found = marks.current = new MarkLine(line.current, (t) => holder.current?.seek(t), (span) => set.current?.(span));
    window.situMarks = found;
  }, []);
  useEffect(() => { marks.current.setMarks(items); }, [items]);
  useEffect(() => {
    marks.current.show({ start: source.start_s, end: source.end_s, at: player?.time ?? null, spans: shown?.spans ?? [], time: shown?.time ?? null });
  }, [source, player?.index, shown?.spans, shown?.time]);
  const at = player?.time ?? null, words = source.kind === "words";
  return html`<section class="stream" aria-labelledby="stream-title">
    <h2 id="stream-title">${source.name} <span class="quiet small" id="moment">${words ? "words alone" : at === null ? "…" : `frame ${player.index} of ${player.count}, ${stamp(at)}`}</span></h2>
    ${words ? html`<p class="quiet">This source came without pictures.</p>` : null}
    <canvas class="screen" ref=${canvas} tabindex="0" role="img" hidden=${words} aria-label=${at === null ? "no frame" : `frame ${player.index}`}></canvas>
    ${problem || player?.problem ? html`<p class="warn" role="alert">${problem || player.problem}</p>` : null}
    <div class="row" hidden=${words}>
      <button aria-label="one second back" onClick=${() => player?.hop(-1)}>«</button>
      <button aria-label="one frame back" onClick=${() => player?.step(-1)}>‹</button>
      <button aria-pressed=${Boolean(player?.playing)} onClick=${() => player?.toggle()}>${player?.playing ? "Pause" : "Play"}</button>
      <button aria-label="one frame on" onClick=${() => player?.step(1)}>›</button>
      <button aria-label="one second on" onClick=${() => player?.hop(1)}>»</button>
      <label class="small">Frame <input class="number" inputmode="numeric" value=${player?.index ?? 0}
        onChange=${(e) => { const n = Number(e.target.value); if (Number.isInteger(n)) player?.show(n); }} /></label></div>
    <canvas class="marks" ref=${line} hidden=${words} tabindex="0" role="slider" aria-label="moment" aria-valuemin=${source.start_s} aria-valuemax=${source.end_s}
      aria-valuenow=${at ?? source.start_s} aria-valuetext=${stamp(at)} onKeyDown=${(e) => arrows(e, player)}></canvas>
    <p class="quiet small" hidden=${words}>Click or drag above to go to a moment; drag in the grey lane to mark evidence; the wheel zooms.</p></section>`;
}

function arrows(event, player) {
  const moves = { ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1), PageUp: () => player.hop(-10), PageDown: () => player.hop(10), Home: () => player.show(0), End: () => player.show(player.count - 1) };
  if (!player || !moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
}

// Shortcuts: with Ctrl they work everywhere, the others where nobody types. Escape leaves a field.
export function useKeys(keys) {
  const held = useRef(keys);
  held.current = keys;
  useEffect(() => {
    const press = (event) => {
      const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "radio" && event.target.type !== "checkbox";
      if (event.key === "Escape" && typing) return event.target.blur();
      const combined = event.ctrlKey || event.metaKey ? "Ctrl+" : event.altKey ? "Alt+" : "";
      if (typing && !combined) return;
      if (event.key === " " && event.target.tagName === "BUTTON") return;
      const name = combined + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
      const done = held.current[name];
      if (!done) return;
      event.preventDefault();
      done();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

export function turnTheme() {
  const root = document.documentElement;
  const dark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.dataset.theme = dark ? "light" : "dark";
  dispatchEvent(new Event("situ-theme"));
}
