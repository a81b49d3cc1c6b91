// The ask box and its answers: text, odds, interval, age, evidence, certificate. The conversation is in this page.

import { html, useEffect, useState } from "/vendor/htm-preact.js";
import { picture, post } from "/api.js";
import { clock } from "/timeline.js";

let count = 0; // of turns, for their keys

// `first` are questions: the page opens on the first of them that the memory answers.
export function Talk({ memory, at, knownAt, onAsked, onMoment, first }) {
  const [turns, setTurns] = useState([]);
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [context, setContext] = useState(null);

  const add = (turn) => setTurns((before) => [{ ...turn, key: count++ }, ...before].slice(0, 50));
  async function ask(question) {
    if (!question.trim() || busy) return;
    setBusy(true);
    try {
      const answer = await post("/v1/ask", { memory, question, at, known_at: knownAt, context });
      setContext(answer.context);
      add(answer);
      setText("");
      onAsked(answer);
    } catch (error) {
      add({ asked: question, text: error.message, failed: true });
    }
    setBusy(false);
  }
  async function open(questions) { // stays below whatever was asked meanwhile, and out of the conversation
    try {
      let answer;
      for (const question of questions) {
        answer = await post("/v1/ask", { memory, question, at, known_at: knownAt });
        if (!answer.abstained) break;
      }
      setTurns((before) => [...before, { ...answer, key: count++ }]);
      onAsked(answer);
    } catch { /* the page is of use without it */ }
  }
  useEffect(() => { setContext(null); setTurns([]); }, [memory]);
  useEffect(() => { if (first) open(first); }, [first]);

  return html`<section class="first" aria-labelledby="ask-title">
    <h2 id="ask-title">Ask</h2>
    <form class="row" onSubmit=${(event) => { event.preventDefault(); ask(text); }}>
      <label class="grow"><span class="hidden">Your question</span>
        <input id="question" maxlength="500" autocomplete="off" placeholder="where is the red cup?" value=${text}
          onInput=${(event) => setText(event.target.value)} /></label>
      <button class="main" disabled=${busy}>Ask</button>
    </form>
    <div class="talk" role="log" aria-label="answers" aria-live="polite">
      ${turns.map((turn) => html`<${Answer} key=${turn.key} told=${turn} memory=${memory} onMoment=${onMoment} />`)}
      ${turns.length ? null : html`<p class="quiet small">Try: where is the …? How many … are there? What changed?
        Which way did I come? And then: how far is it?</p>`}
    </div></section>`;
}

function Answer({ told, memory, onMoment }) {
  if (told.failed) return html`<article class="answer"><p class="quiet">${told.asked}</p><p class="warn">${told.text}</p></article>`;
  const odds = Object.entries(told.probabilities).sort((a, b) => b[1] - a[1]).slice(0, 6);
  const sure = Math.round(100 * told.confidence);
  return html`<article class="answer">
    <p class="quiet">${told.asked}</p>
    <p><strong>${told.text}</strong></p>
    <p class="quiet small">${[
      told.certificate && !told.abstained ? `${sure} % sure` : "",
      told.distance_m ? interval(...told.distance_m.map((m) => m.toFixed(1))) : "",
      told.now === told.known_at ? `as of ${clock(told.now)}` : `as of ${clock(told.now)}, known by ${clock(told.known_at)}`,
    ].filter(Boolean).join(" · ")}</p>
    ${odds.length > 1 && html`<div class="odds">${odds.map(([name, share]) => html`
      <span>${name}</span><meter min="0" max="1" value=${share} aria-label=${name}></meter><span>${Math.round(100 * share)} %</span>`)}</div>`}
    <${Evidence} told=${told} memory=${memory} onMoment=${onMoment} />
    ${told.certificate && html`<${Proof} certificate=${told.certificate} memory=${memory} />`}
  </article>`;
}

const interval = (low, high) => low === high ? `${low} m` : `between ${low} and ${high} m`;

function Evidence({ told, memory, onMoment }) {
  const [shown, setShown] = useState([]);
  useEffect(() => {
    let gone = false;
    (async () => {
      const found = [];
      for (const frame of told.pictures) {
        try { found.push([frame, await picture(`/v1/memories/${memory}/frames/${frame}.jpg?width=160`)]); }
        catch { break; } // the token does not open pictures
      }
      if (!gone) setShown(found);
    })();
    return () => { gone = true; };
  }, [told]);
  if (!told.evidence.length) return null;
  return html`<p class="quiet small">seen in frame${told.evidence.length > 1 ? "s" : ""}${told.evidence.slice(0, 12).map((frame) => html`
      ${" "}${onMoment ? html`<button class="link" onClick=${() => onMoment(frame)} aria-label=${`go to the moment of frame ${frame}`}>${frame}</button>` : frame}`)}</p>
    ${shown.length ? html`<div class="strip" role="group" aria-label="evidence">${shown.map(([frame, url]) => html`
    ${onMoment ? html`<button key=${frame} onClick=${() => onMoment(frame)} aria-label=${`go to frame ${frame}`}><img src=${url} alt="" /></button>`
    : html`<img key=${frame} src=${url} alt=${`frame ${frame}`} />`}`)}</div>` : null}`;
}

function Proof({ certificate, memory }) {
  const [said, setSaid] = useState("");
  async function verify() {
    try {
      const check = await post("/v1/verify", { memory, certificate });
      setSaid(check.holds ? "It holds." : `It does not hold: ${check.reason}`);
    } catch (error) { setSaid(error.message); }
  }
  return html`<div class="row small"><button onClick=${verify}>Verify</button><span role="status">${said}</span>
    <details class="grow"><summary>Certificate</summary><pre tabindex="0">${JSON.stringify(certificate, null, 1)}</pre></details></div>`;
}
