// The fields of an item, its report, near-duplicates, and who did what: shared by both pages.

import { html } from "/vendor/htm-preact.js";
import { stamp } from "/annotate_timeline.js";

export function Words({ shown, facts, set }) {
  const categories = [...new Set(Object.values(facts.tasks).map((task) => task.category))];
  const tasks = Object.entries(facts.tasks).filter(([, task]) => !shown.category || task.category === shown.category);
  const known = shown.subcategory in facts.tasks || !shown.subcategory;
  const pick = (name) => {
    const task = facts.tasks[name];
    set(task ? { subcategory: name, category: task.category, qtype: task.qtype } : { subcategory: name });
  };
  return html`
    <label>Question<textarea id="question" rows="2" maxlength="500" value=${shown.question} onInput=${(e) => set({ question: e.target.value })}></textarea></label>
    <label>Answer<input id="answer" maxlength="300" autocomplete="off" value=${shown.answer} onInput=${(e) => set(answered(shown, e.target.value))} /></label>
    <div class="row">
      <label class="grow">Category<select value=${shown.category} onChange=${(e) => set({ category: e.target.value, subcategory: "" })}>
        <option value="">–</option>${options(categories, shown.category)}</select></label>
      <label class="grow">Task<select value=${shown.subcategory} onChange=${(e) => pick(e.target.value)}>
        <option value="">–</option>${tasks.map(([name]) => html`<option value=${name}>${name}</option>`)}
        ${known ? null : html`<option value=${shown.subcategory}>${shown.subcategory}</option>`}</select></label>
      <label>Type<select value=${shown.qtype} onChange=${(e) => set({ qtype: e.target.value })}>${options(facts.types, shown.qtype)}</select></label>
      <label>Person<select value=${shown.person} onChange=${(e) => set({ person: e.target.value })}>
        <option value="">–</option><option value="first">first (I)</option><option value="second">second (you)</option></select></label>
    </div>`;
}

const options = (names, value) => [...new Set([...names, ...(value ? [value] : [])])].map((name) => html`<option value=${name}>${name}</option>`);

// An option that was the answer stays the answer when the answer is reworded.
function answered(shown, answer) {
  const place = shown.options.indexOf(shown.answer);
  if (place < 0 || !shown.answer) return { answer };
  return { answer, options: shown.options.map((option, i) => (i === place ? answer : option)) };
}

export function Options({ shown, set }) {
  const change = (place, text) => set({
    options: shown.options.map((option, i) => (i === place ? text : option)),
    ...(shown.options[place] === shown.answer && shown.answer ? { answer: text } : {}),
  });
  return html`<fieldset><legend>Options ${shown.confirmed ? "" : html`<strong class="warn">made by a tool, not confirmed</strong>`}</legend>
    ${shown.options.map((option, i) => html`<div class="row option" key=${i}>
      <label class="pick"><input type="radio" name="right" checked=${option === shown.answer && option !== ""} onChange=${() => set({ answer: option })} />
        <span class="hidden">option ${i + 1} is right</span><span aria-hidden="true">${i + 1}</span></label>
      <input class="grow" aria-label=${`option ${i + 1}`} maxlength="300" value=${option} onInput=${(e) => change(i, e.target.value)} />
      <button aria-label=${`remove option ${i + 1}`} onClick=${() => set({ options: shown.options.filter((_, k) => k !== i) })}>×</button></div>`)}
    <div class="row"><button disabled=${shown.options.length >= 10} onClick=${() => set({ options: [...shown.options, ""] })}>Add an option</button>
      ${shown.confirmed ? null : html`<button class="main" onClick=${() => set({ confirmed: true })}>Confirm these options</button>`}</div></fieldset>`;
}

// `fixed`: the moment of asking is given, and only evidence is marked.
export function Times({ shown, set, player, open, setOpen, fixed }) {
  const here = player?.index >= 0 ? player.times[player.index] : null;
  const frame = (t) => (player?.count ? `frame ${player.at(t)}` : "");
  const go = (t) => player?.seek(t);
  return html`<fieldset><legend>Times</legend>
    <div class="row"><span class="grow" id="asked">Asked at <strong>${stamp(shown.time)}</strong> <span class="quiet small">${shown.time === null ? "" : frame(shown.time)}</span></span>
      ${fixed ? null : html`<button disabled=${here === null} onClick=${() => set({ time: here })}>Ask here (Q)</button>`}
      <button disabled=${shown.time === null} onClick=${() => go(shown.time)}>Go</button></div>
    <ul class="spans" aria-label="evidence">${shown.spans.map(([a, b], i) => html`<li class="row" key=${i}>
      <button class="grow" onClick=${() => go(a)}>${stamp(a)} – ${stamp(b)} <span class="quiet small">${frame(a)}${a === b ? "" : ` to ${player?.count ? player.at(b) : ""}`}</span></button>
      <button aria-label=${`remove evidence ${i + 1}`} onClick=${() => set({ spans: shown.spans.filter((_, k) => k !== i) })}>×</button></li>`)}</ul>
    <div class="row"><button disabled=${here === null} aria-pressed=${open !== null} onClick=${() => setOpen(here)}>Evidence from here (I)</button>
      <button disabled=${here === null} onClick=${() => closeSpan(shown, set, open, setOpen, here)}>to here (O)</button>
      ${open === null ? null : html`<span class="small quiet">from ${stamp(open)} …</span>`}</div></fieldset>`;
}

export function closeSpan(shown, set, open, setOpen, here) {
  const from = open ?? here;
  const span = [Math.min(from, here), Math.max(from, here)];
  set({ spans: [...shown.spans, span].sort((a, b) => a[0] - b[0] || a[1] - b[1]) });
  setOpen(null);
}

export function Report({ item, dirty }) {
  const bad = item.report.filter((finding) => finding.level === "bad"), doubts = item.report.filter((finding) => finding.level !== "bad");
  return html`<div class="report" role="status" aria-label="report">
    ${bad.length + doubts.length ? null : html`<p>Nothing is wrong with it.</p>`}
    <ul>${bad.map((f) => html`<li class="warn" key=${f.rule}>${f.text}</li>`)}${doubts.map((f) => html`<li class="quiet" key=${f.rule}>${f.text}</li>`)}</ul>
    ${dirty ? html`<p class="small quiet">As it was saved last.</p>` : null}</div>`;
}

export function Near({ item, onOpen }) {
  if (!item.near.length) return null;
  return html`<div class="near" role="status" aria-label="near-duplicates"><strong>Much like</strong>
    <ul>${item.near.map((near) => html`<li key=${near.id}><button class="link" onClick=${() => onOpen(near.id)}>${near.question}</button>${" "}
      <span class="small quiet">at ${stamp(near.time)}, ${near.same_answer ? "same answer" : "another answer"}</span></li>`)}</ul></div>`;
}

export function History({ item }) {
  const lines = [...item.history].reverse();
  return html`<details><summary>History (${item.history.length})</summary><ol class="small" reversed>${lines.map((line) => html`<li key=${line.seq}>
    ${new Date(line.at * 1000).toLocaleTimeString()} ${line.by || "import"}: ${line.action}${line.fields.length && line.action !== "import" ? ` (${line.fields.join(", ")})` : ""}${line.reason ? `: ${line.reason}` : ""}</li>`)}</ol></details>`;
}

const SAID = { saved: "Saved.", typing: "Not saved yet…", saving: "Saving…", conflict: "Changed by two people.", offline: "Not saved: kept in this browser, trying again.", refused: "Not saved:" };

export function Saved({ editing }) {
  return html`<span id="saved" role="status" class=${["offline", "refused", "conflict"].includes(editing.state) ? "warn small" : "quiet small"}>
    ${SAID[editing.state]}${editing.state === "refused" ? ` ${editing.said}` : ""}</span>`;
}
