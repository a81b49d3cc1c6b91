// The page at /annotate/QUEUE: watch, write, mark. Everything is saved as it is typed.

import { html, render, useEffect, useMemo, useRef, useState } from "/vendor/htm-preact.js";
import { get, post, takeToken } from "/api.js";
import { base, Door, queueName, Stream, turnTheme, useKeys, useQueue, Who, who } from "/annotate_common.js";
import { Editing } from "/annotate_edit.js";
import { closeSpan, History, Near, Options, Report, Saved, Times, Words } from "/annotate_fields.js";
import { Merge } from "/annotate_merge.js";
import { stamp } from "/annotate_timeline.js";
import { Training } from "/annotate_training.js";

takeToken();
const given = new URLSearchParams(location.hash.slice(1));
const NOTHING = { answer: "", spans: [] };

function App() {
  const [name, setName] = useState(who());
  const queue = useQueue();
  if (queue.problem?.status === 401 || queue.problem?.status === 403) return html`<${Door} problem=${queue.problem} />`;
  if (!name) return html`<${Who} onDone=${setName} />`;
  if (!queue.facts) return html`<p class="quiet pad" role="status">${queue.problem ? queue.problem.message : "Loading the queue…"}</p>`;
  return html`<${Desk} queue=${queue} name=${name} />`;
}

function Desk({ queue, name }) {
  const { facts, items, ready, look, news } = queue;
  const [source, setSource] = useState(facts.sources.find((s) => s.name === given.get("source")) || facts.sources[0]);
  const [open, setOpen] = useState(null), [said, setSaid] = useState(""), [draft, setDraft] = useState(null), [, again] = useState(0);
  const player = useRef(null), marking = useRef(null), by = useRef(name), own = useRef(NOTHING);
  by.current = name;
  const editing = useMemo(() => new Editing(base(), () => by.current, () => again((n) => n + 1)), []);
  // In training the item stays as it is: what somebody says of it is kept here until they send it.
  const now = () => editing.item && (facts.training ? { ...editing.shown, ...own.current } : editing.shown);
  const set = (change) => {
    setSaid("");
    if (!facts.training) return editing.set(change);
    const { answer, spans } = { ...own.current, ...change };
    own.current = { answer, spans };
    again((n) => n + 1);
  };
  const shown = now();
  const here = () => (player.current?.index >= 0 ? player.current.times[player.current.index] : null);
  const mine = useMemo(() => [...items.values()].filter((item) => item.source === source.name), [items, source]);
  marking.current = (span) => editing.item && set({ spans: [...now().spans, snapped(player.current, span)].sort((a, b) => a[0] - b[0]) });

  useEffect(() => { const id = given.get("item"); if (ready && !editing.item && id && items.has(id)) choose(id); }, [ready]);
  useEffect(() => {
    news.current = (found) => { // somebody else touched what is open here: show it, unless it is being typed in
      const row = editing.item && found.items.find((item) => item.id === editing.item.id);
      if (row && row.version > editing.item.version && editing.clean && !editing.saving) editing.open(row.id);
    };
  }, []);
  useEffect(() => {
    const parts = new URLSearchParams({ source: source.name, ...(editing.item ? { item: editing.item.id } : {}) });
    history.replaceState(null, "", "#" + parts);
  }, [source, editing.item?.id]);
  useEffect(() => {
    const warn = (event) => { if (!editing.clean) event.preventDefault(); };
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, []);

  async function tried(work, done = "") {
    try { const made = await work(); setSaid(done); look(); return made; } catch (error) { setSaid(error.message); return null; }
  }
  async function choose(id) {
    setDraft(null); setOpen(null); setSaid("");
    own.current = NOTHING;
    const row = items.get(id);
    if (row && row.source !== source.name) setSource(facts.sources.find((s) => s.name === row.source));
    await tried(() => editing.open(id));
  }
  const create = () => tried(async () => {
    await editing.save();
    const made = await post(`${base()}/items`, { source: source.name, change: { time: here() }, by: name, request: crypto.randomUUID?.() ?? String(Math.random()) });
    await editing.open(made.id);
    document.getElementById("question")?.focus();
  });
  const later = () => tried(async () => {
    const time = here();
    if (time === null) throw new Error("go to the moment first");
    const made = await editing.act("again", { time });
    await editing.open(made.id);
  }, "Asked again at this moment: give the answer of now.");
  const recall = () => tried(async () => { setDraft(await editing.act("draft")); });
  const take = () => { set({ answer: draft.answer, draft: { text: draft.text, confidence: draft.confidence }, ...(shown.spans.length ? {} : { spans: draft.spans }) }); setDraft(null); };
  const turned = () => tried(() => editing.act("person"), "Turned to the other person.");
  const blind = () => tried(() => editing.act("blind"), "Tested without looking: the report says how it went.");
  const undo = () => tried(() => editing.act("undo"), "Taken back.");
  const counts = () => tried(async () => {
    const done = await post(`${base()}/counts`, { by: name });
    const left = Object.entries(done.left_out);
    setSaid("");
    if (editing.item) await editing.open(editing.item.id);
    return done.made.length || left.length ? `${done.made.length} counts have options now; confirm each. ${left.map(([id, why]) => `${id}: ${why}`).join(" ")}` : "No count is without options.";
  }).then((text) => text && setSaid(text));

  const on = (work) => () => editing.item && work();
  const writing = {
    "n": create, "q": on(() => set({ time: here() })), "Ctrl+s": on(() => tried(() => editing.save())), "Ctrl+t": on(turned), "Alt+t": on(turned),
    "u": on(undo), "l": on(later), "m": on(recall), "b": on(blind),
  };
  useKeys({
    " ": () => player.current?.toggle(), ".": () => player.current?.step(1), ",": () => player.current?.step(-1),
    ">": () => player.current?.hop(1), "<": () => player.current?.hop(-1),
    "i": on(() => setOpen(here())), "o": on(() => here() !== null && closeSpan(now(), set, open, setOpen, here())),
    ...(facts.training ? {} : writing),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [String(n), on(() => now().options[n - 1] && set({ answer: now().options[n - 1] }))])),
  });

  return html`
    <header><h1>Annotate <span class="quiet small">${queueName()}</span></h1>
      <label>Stream <select value=${source.name} onChange=${(e) => { editing.save(); editing.close(); setSource(facts.sources.find((s) => s.name === e.target.value)); }}>
        ${facts.sources.map((s) => html`<option value=${s.name}>${s.name}</option>`)}</select></label>
      ${facts.training ? null : html`<a href=${`/refine/${encodeURIComponent(queueName())}`}>Refine</a>`}
      <span class="small quiet">${name}</span><button onClick=${turnTheme} aria-label="dark or light">◐</button></header>
    ${queue.problem ? html`<p class="warn pad" role="alert">${queue.problem.message}</p>` : null}
    <main class="desk">
      <div class="column">
        <${Stream} source=${source} items=${mine} shown=${shown} set=${marking} holder=${player} onMoved=${() => again((n) => n + 1)} />
        <${List} items=${mine} current=${editing.item?.id} training=${facts.training} onChoose=${choose} />
      </div>
      <section class="form" aria-labelledby="form-title">
        ${facts.training ? html`<${Training} shown=${shown} set=${set} name=${name} player=${player.current} open=${open} setOpen=${setOpen} />` : html`
        <div class="row"><h2 id="form-title" class="grow">${shown ? shown.id : "Question"}</h2><${Saved} editing=${editing} />
          <button class="main" onClick=${create}>New (N)</button></div>
        ${shown ? html`
          ${editing.clash ? html`<${Merge} clash=${editing.clash} onDone=${(theirs) => editing.resolve(theirs)} />` : null}
          <${Words} shown=${shown} facts=${facts} set=${set} />
          <${Times} shown=${shown} set=${set} player=${player.current} open=${open} setOpen=${setOpen} />
          <${Options} shown=${shown} set=${set} />
          <div class="row" role="group" aria-label="tools">
            <button onClick=${turned}>I ↔ you (Ctrl+T)</button>
            <button onClick=${later}>Ask again here (L)</button>
            ${source.memory ? html`<button onClick=${recall}>What would the memory say? (M)</button>` : null}
            <button onClick=${counts}>Options for all counts</button>
            <button onClick=${undo}>Undo (U)</button></div>
          ${draft ? html`<div class="draft" role="status"><strong>${draft.answer ? "Draft of the memory:" : "The memory has no answer:"}</strong> ${draft.text} ${draft.answer ? html`<span class="quiet small">${Math.round(100 * draft.confidence)} % sure</span>` : null}
            <div class="row"><button onClick=${take} disabled=${!draft.answer}>Take it, marked as a draft</button><button onClick=${() => setDraft(null)}>Leave it</button></div></div>` : null}
          ${shown.draft ? html`<p class="small">The answer began as a draft of the memory (“${shown.draft.text}”, ${Math.round(100 * shown.draft.confidence)} % sure). <button class="link" onClick=${() => set({ draft: null })}>It is my own now</button></p>` : null}
          <p role="status" class="small said">${said}</p>
          <${Report} item=${editing.item} dirty=${!editing.clean} /><${Near} item=${editing.item} onOpen=${choose} /><${History} item=${editing.item} />`
        : html`<p class="quiet">Watch, stop where somebody would ask, and press N. Or choose a question from the list.</p><p role="status" class="small said">${said}</p>`}
        <${Keys} />`}
      </section>
    </main>`;
}

// Where a drag began and ended, on frames.
function snapped(player, [a, b]) {
  return player?.count ? [player.times[player.at(a)], player.times[player.at(b)]] : [a, b];
}

const MOST_SHOWN = 300;

function List({ items, current, training, onChoose }) {
  const [text, setText] = useState("");
  const found = items.filter((item) => `${item.id} ${item.question}`.toLowerCase().includes(text.toLowerCase()));
  return html`<section aria-labelledby="list-title"><h2 id="list-title">Questions <span class="quiet small">${items.length}</span></h2>
    <label class="small row">Find <input class="grow" value=${text} onInput=${(e) => setText(e.target.value)} /></label>
    <ul class="things" tabindex="0" aria-label="questions">${found.slice(0, MOST_SHOWN).map((item) => html`<li key=${item.id}><button aria-pressed=${item.id === current} onClick=${() => onChoose(item.id)}>
      ${item.question || "(no question yet)"} <span class="quiet small">${item.time === null ? "" : stamp(item.time)} ${training ? "" : item.status}</span></button></li>`)}</ul>
    ${found.length > MOST_SHOWN ? html`<p class="small quiet">and ${found.length - MOST_SHOWN} more: type to find them</p>` : null}</section>`;
}

function Keys() {
  return html`<details><summary>Shortcuts</summary><dl class="keys small">
    ${[["space", "play"], [". ,", "frame on, back"], ["> <", "second on, back"], ["I O", "evidence from, to"], ["Q", "ask here"], ["N", "new question"], ["1-9", "this option is right"],
      ["Ctrl+S", "save now"], ["Ctrl+T, Alt+T", "I ↔ you (most browsers keep Ctrl+T for a new tab)"], ["L", "ask again here"], ["M", "draft of the memory"], ["B", "blind test"], ["U", "undo"], ["Esc", "leave a field"]]
      .map(([key, what]) => html`<div><dt>${key}</dt><dd>${what}</dd></div>`)}</dl></details>`;
}

render(html`<${App} />`, document.getElementById("app"));
document.querySelector("#app > p:not([role])")?.remove();
