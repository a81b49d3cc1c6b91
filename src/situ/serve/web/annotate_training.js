// Training: the question is given, the answer and its evidence are yours, and the truth is told.

import { html, useEffect, useState } from "/vendor/htm-preact.js";
import { post } from "/api.js";
import { base } from "/annotate_common.js";
import { Times } from "/annotate_fields.js";
import { stamp } from "/annotate_timeline.js";

export function Training({ shown, set, name, player, open, setOpen }) {
  const [told, setTold] = useState(null), [said, setSaid] = useState("");
  useEffect(() => { setTold(null); setSaid(""); }, [shown?.id]);
  if (!shown) return html`<h2 id="form-title">Training</h2><p class="quiet">Choose a question from the list. The truth of this stream is known: you answer, mark what shows it, and are told.</p>`;
  const { answer, spans } = shown;
  async function send() {
    try { setTold(await post(`${base()}/items/${encodeURIComponent(shown.id)}/answer`, { answer, spans, by: name })); setSaid(""); } catch (error) { setSaid(error.message); }
  }
  return html`<h2 id="form-title">${shown.question}</h2>
    ${shown.options.length ? html`<fieldset><legend>Answer</legend>${shown.options.map((option, i) => html`<label class="pick" key=${i}>
      <input type="radio" name="answer" checked=${answer === option} onChange=${() => set({ answer: option })} /> ${option}</label>`)}</fieldset>`
    : html`<label>Answer<input value=${answer} maxlength="300" onInput=${(e) => set({ answer: e.target.value })} /></label>`}
    <${Times} shown=${shown} set=${set} player=${player} open=${open} setOpen=${setOpen} fixed />
    <button class="main" disabled=${!answer} onClick=${send}>Answer</button><p role="alert" class="warn">${said}</p>
    ${told ? html`<div class="draft" role="status" aria-label="truth"><p><strong>${told.right ? "Right." : `Wrong: it is “${told.answer}”.`}</strong>
      ${told.evidence ? " You found what shows it." : told.causal ? " The evidence was elsewhere:" : " Evidence after the question does not count:"}
      ${told.counted ? "" : html` <span class="quiet">(Your first answer counts.)</span>`}</p>
      <ul>${told.spans.map(([a, b]) => html`<li><button class="link" onClick=${() => player?.seek(a)}>${stamp(a)} – ${stamp(b)}</button></li>`)}</ul></div>` : null}`;
}
