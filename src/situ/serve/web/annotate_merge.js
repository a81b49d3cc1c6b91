// Two people changed the same field: both are shown, one is taken.

import { html, useState } from "/vendor/htm-preact.js";
import { stamp } from "/annotate_timeline.js";

export function Merge({ clash, onDone }) {
  const [theirs, setTheirs] = useState(() => new Set(clash.fields.map((field) => field.name)));
  const choose = (name, other) => setTheirs((before) => { const next = new Set(before); other ? next.add(name) : next.delete(name); return next; });
  return html`<section class="merge" role="alertdialog" aria-labelledby="merge-title">
    <h2 id="merge-title">Somebody else changed this, too</h2>
    <p class="small">What does not contradict is already put together. Choose for the rest.</p>
    ${clash.fields.map((field) => html`<fieldset key=${field.name}><legend>${field.name}</legend>
      <label><input type="radio" name=${`merge-${field.name}`} checked=${theirs.has(field.name)} onChange=${() => choose(field.name, true)} />
        <span class="quiet">theirs</span> ${told(field.name, field.theirs)}</label>
      <label><input type="radio" name=${`merge-${field.name}`} checked=${!theirs.has(field.name)} onChange=${() => choose(field.name, false)} />
        <span class="quiet">mine</span> ${told(field.name, field.mine)}</label></fieldset>`)}
    <button class="main" onClick=${() => onDone([...theirs])}>Save this</button></section>`;
}

function told(name, value) {
  if (value === null || value === "" || value?.length === 0) return "(empty)";
  if (name === "time") return stamp(value);
  if (name === "spans") return value.map(([a, b]) => `${stamp(a)} – ${stamp(b)}`).join(", ");
  if (name === "draft") return value.text;
  return Array.isArray(value) ? value.join(" / ") : String(value);
}
