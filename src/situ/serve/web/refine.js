// The page at /refine/QUEUE: four modules (metadata and report, editor, assistant, adversarial test), five steps.

import { html, render, useEffect, useMemo, useRef, useState } from "/vendor/htm-preact.js";
import { bytes, post, takeToken } from "/api.js";
import { base, Door, queueName, Stream, turnTheme, useKeys, useQueue, Who, who } from "/annotate_common.js";
import { Editing } from "/annotate_edit.js";
import { closeSpan, History, Near, Options, Report, Saved, Times, Words } from "/annotate_fields.js";
import { Merge } from "/annotate_merge.js";
import { stamp } from "/annotate_timeline.js";

takeToken();
const given = new URLSearchParams(location.hash.slice(1));
const MOST_SHOWN = 300;

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
  const [open, setOpen] = useState(null), [said, setSaid] = useState(""), [, again] = useState(0), [busy, setBusy] = useState("");
  const player = useRef(null), marking = useRef(null), by = useRef(name);
  by.current = name;
  const editing = useMemo(() => new Editing(base(), () => by.current, () => again((n) => n + 1)), []);
  const shown = editing.shown, set = (change) => { setSaid(""); editing.set(change); };
  const source = facts.sources.find((s) => s.name === (shown?.source ?? facts.sources[0].name));
  const mine = useMemo(() => [...items.values()].filter((item) => item.source === source.name), [items, source]);
  const here = () => (player.current?.index >= 0 ? player.current.times[player.current.index] : null);
  marking.current = (span) => editing.item && set({ spans: [...editing.shown.spans, span].sort((a, b) => a[0] - b[0]) });

  useEffect(() => { const id = given.get("item"); if (ready && !editing.item && id && items.has(id)) choose(id); }, [ready]);
  useEffect(() => {
    news.current = (found) => {
      const row = editing.item && found.items.find((item) => item.id === editing.item.id);
      if (row && row.version > editing.item.version && editing.clean && !editing.saving) editing.open(row.id);
    };
  }, []);
  useEffect(() => { if (editing.item) history.replaceState(null, "", "#" + new URLSearchParams({ item: editing.item.id })); }, [editing.item?.id]);

  async function tried(work, done = "", doing = "") {
    setBusy(doing);
    try { const made = await work(); setSaid(done); look(); return made; } catch (error) { setSaid(error.message); return null; } finally { setBusy(""); }
  }
  async function choose(id) {
    setOpen(null); setSaid("");
    await tried(() => editing.open(id));
    const time = editing.item?.time;
    if (time !== null && player.current?.count) player.current.seek(time);
  }
  const turned = () => tried(() => editing.act("person"), "Turned to the other person.");
  const make = () => tried(() => editing.act("options"), "Look at the options and confirm them.");
  const blind = () => tried(() => editing.act("blind"), "", "Testing…");
  const undo = () => tried(() => editing.act("undo"), "Taken back.");
  const accept = () => tried(() => editing.act("accept", { label: editing.shown.label || undefined }), "Accepted.");
  const reject = () => { const why = document.getElementById("why"); if (!why.value.trim()) { why.focus(); setSaid("Say why it is rejected."); return undefined; } return tried(() => editing.act("reject", { reason: why.value.trim() }), "Rejected."); };
  const on = (work) => () => editing.item && work();
  useKeys({
    " ": () => player.current?.toggle(), ".": () => player.current?.step(1), ",": () => player.current?.step(-1), ">": () => player.current?.hop(1), "<": () => player.current?.hop(-1),
    "i": on(() => setOpen(here())), "o": on(() => here() !== null && closeSpan(editing.shown, set, open, setOpen, here())), "q": on(() => set({ time: here() })),
    "Ctrl+s": on(() => tried(() => editing.save())), "Ctrl+t": on(turned), "Alt+t": on(turned), "b": on(blind), "a": on(accept), "r": on(reject), "u": on(undo),
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => [String(n), on(() => editing.shown.options[n - 1] && set({ answer: editing.shown.options[n - 1] }))])),
  });

  return html`
    <header><h1>Refine <span class="quiet small">${queueName()}</span></h1><a href=${`/annotate/${encodeURIComponent(queueName())}`}>Annotate</a><${Exports} />
      <span class="small quiet">${name}</span><button onClick=${turnTheme} aria-label="dark or light">◐</button></header>
    ${queue.problem ? html`<p class="warn pad" role="alert">${queue.problem.message}</p>` : null}
    <main class="desk refine">
      <${Filtered} items=${[...items.values()]} current=${editing.item?.id} onChoose=${choose} />
      <section class="form" aria-labelledby="form-title">
        <div class="row"><h2 id="form-title" class="grow">${shown ? `${shown.id}: ${shown.status}` : "Editor"}</h2><${Saved} editing=${editing} /><button onClick=${on(undo)} disabled=${!shown}>Undo (U)</button></div>
        ${editing.clash ? html`<${Merge} clash=${editing.clash} onDone=${(theirs) => editing.resolve(theirs)} />` : null}
        ${shown ? html`<ol class="steps">
          <li><h2>Report</h2><${Report} item=${editing.item} dirty=${!editing.clean} /><${Near} item=${editing.item} onOpen=${choose} /></li>
          <li><h2>Words</h2><${Words} shown=${shown} facts=${facts} set=${set} /><div class="row"><button onClick=${turned}>I ↔ you (Ctrl+T)</button></div></li>
          <li><h2>Options</h2><${Options} shown=${shown} set=${set} /><div class="row"><button onClick=${make}>Make options</button></div></li>
          <li><h2>Blind test</h2><${Blind} item=${editing.item} guesser=${facts.guesser} /><div class="row"><button onClick=${blind} disabled=${busy !== ""}>${busy || "Test without looking (B)"}</button></div></li>
          <li><h2>Label and verdict</h2>
            <div class="row"><label>Quality<select value=${shown.label} onChange=${(e) => set({ label: e.target.value })}>${facts.labels.map((label) => html`<option value=${label}>${label || "–"}</option>`)}</select></label>
              <button class="main" onClick=${accept}>Accept (A)</button></div>
            <div class="row"><label class="grow">Why not<input id="why" maxlength="500" /></label><button onClick=${reject}>Reject (R)</button></div></li></ol>
          <p role="status" class="small said">${said}</p>` : html`<p class="quiet">Choose an item from the list.</p><p role="status" class="small said">${said}</p>`}
      </section>
      <div class="column">
        <${Stream} source=${source} items=${mine} shown=${shown} set=${marking} holder=${player} onMoved=${() => again((n) => n + 1)} />
        <section aria-labelledby="meta-title"><h2 id="meta-title">Metadata</h2><${Facts} source=${source} shown=${shown} />
          ${shown ? html`<${Times} shown=${shown} set=${set} player=${player.current} open=${open} setOpen=${setOpen} /><${History} item=${editing.item} />` : null}</section>
      </div>
    </main>`;
}

function Filtered({ items, current, onChoose }) {
  const [bad, setBad] = useState(false), [type, setType] = useState(""), [status, setStatus] = useState(""), [text, setText] = useState("");
  const found = items.filter((item) => (!bad || item.bad.length) && (!type || item.qtype === type) && (!status || item.status === status)
    && `${item.id} ${item.question}`.toLowerCase().includes(text.toLowerCase()));
  const done = items.filter((item) => item.status === "validated").length;
  return html`<section aria-labelledby="list-title"><h2 id="list-title">Items <span class="quiet small">${done} of ${items.length} validated</span></h2>
    <div class="row"><label class="pick"><input type="checkbox" checked=${bad} onChange=${(e) => setBad(e.target.checked)} /> bad only</label>
      <label class="small">Type <select value=${type} onChange=${(e) => setType(e.target.value)}><option value="">all</option>${["BINARY", "COUNT", "OTHER"].map((t) => html`<option value=${t}>${t}</option>`)}</select></label>
      <label class="small">Status <select value=${status} onChange=${(e) => setStatus(e.target.value)}><option value="">all</option>${["draft", "validated", "rejected"].map((t) => html`<option value=${t}>${t}</option>`)}</select></label></div>
    <label class="small row">Find <input class="grow" value=${text} onInput=${(e) => setText(e.target.value)} /></label>
    <ul class="things tall" tabindex="0" aria-label="items">${found.slice(0, MOST_SHOWN).map((item) => html`<li key=${item.id}><button aria-pressed=${item.id === current} onClick=${() => onChoose(item.id)}>
      ${item.question || "(no question yet)"} <span class="quiet small">${item.status}${item.label ? `, ${item.label}` : ""}</span>
      ${item.bad.length ? html` <span class="warn small">${item.bad.length} wrong</span>` : null}</button></li>`)}</ul>
    ${found.length > MOST_SHOWN ? html`<p class="small quiet">and ${found.length - MOST_SHOWN} more: narrow it down</p>` : null}</section>`;
}

function Blind({ item, guesser }) {
  const test = item.blind;
  if (!test) return html`<p class="quiet small">Not tested yet. Guesser: ${guesser}.</p>`;
  const stale = item.report.some((finding) => finding.rule === "no blind test");
  return html`<p class=${test.seen_through ? "warn" : ""} id="blind">${stale ? "Tested on other words. " : ""}${test.seen_through ? "Seen through: edit it and test again." : "Not seen through."}
    <span class="quiet small"> ${test.guesser}: ${Math.round(100 * test.belief)} % for the right option, chance ${Math.round(100 * test.chance)} %. ${test.note || ""}</span></p>`;
}

function Facts({ source, shown }) {
  const rows = [["Stream", source.name], ["Kind", source.kind], ["Frames", source.frames], ["Length", source.frames ? stamp(source.end_s - source.start_s) : "–"],
    ["Memory", source.memory ? "yes" : "none"], ...(shown ? [["Version", shown.version], ["Asked again of", shown.again_of || "–"]] : [])];
  return html`<dl class="facts small">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

function Exports() {
  const [said, setSaid] = useState("");
  async function save(kind, name) {
    try {
      const url = URL.createObjectURL(new Blob([await bytes(`${base()}/export/${kind}`)]));
      Object.assign(document.createElement("a"), { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
      setSaid("");
    } catch (error) { setSaid(error.message); }
  }
  return html`<span class="row"><button onClick=${() => save("public", `${queueName()}.zip`)}>Export validated</button>
    <button onClick=${() => save("log", `${queueName()}-log.jsonl`)}>Export log</button><span role="status" class="warn small">${said}</span></span>`;
}

render(html`<${App} />`, document.getElementById("app"));
document.querySelector("#app > p:not([role])")?.remove();
