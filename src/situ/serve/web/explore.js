// The page at /runs: runs with intervals, every pair, questions cut down to some, and one question whole.

import { html, render, useEffect, useState } from "/vendor/htm-preact.js";
import { get, picture, setToken, takeToken } from "/api.js";

takeToken();
const given = new URLSearchParams(location.hash.slice(1));
const ONLY = ["all", "a wrong", "a right, b wrong", "a wrong, b right", "both wrong", "unread"];
const WORDS = { "all": "all", "a wrong": "A wrong", "a right, b wrong": "A right, B wrong", "a wrong, b right": "A wrong, B right", "both wrong": "both wrong", "unread": "A could not be read" };
const percent = (x) => (x === null || x === undefined ? "–" : (100 * x).toFixed(1));

function App() {
  const [data, setData] = useState(null);
  const [problem, setProblem] = useState(null);
  const [at, setAt] = useState({
    group: Number(given.get("group") || 0), a: Number(given.get("a") || 0), b: Number(given.get("b") || 1),
    only: given.get("only") || "all", task: given.get("task") || "", stratum: given.get("stratum") || "", value: given.get("value") || "", id: given.get("id") || "",
  });
  const go = (change) => setAt((before) => ({ ...before, ...change }));
  useEffect(() => { get("/v1/runs").then(setData, setProblem); }, []);
  useEffect(() => { history.replaceState(null, "", "#" + new URLSearchParams(Object.entries(at).filter(([, v]) => v !== ""))); }, [at]);
  if (problem?.status === 401) return html`<${Door} />`;
  if (!data) return html`<p class="quiet">${problem ? problem.message : "Loading the runs…"}</p>`;
  const group = data.groups[at.group] || data.groups[0];
  return html`<div class="explore"><header><h1>situ <span class="quiet small">runs</span></h1>
    <label>Question set <select value=${group.group} onChange=${(e) => go({ group: Number(e.target.value), a: 0, b: 1, task: "", stratum: "", value: "", id: "" })}>
      ${data.groups.map((g) => html`<option value=${g.group}>${g.title}</option>`)}</select></label></header>
    <main>
      <${Runs} group=${group} board=${data.board} />
      <${Pairs} group=${group} onPair=${(a, b) => go({ a, b, only: "a right, b wrong", id: "" })} />
      <${Questions} group=${group} at=${at} go=${go} />
      ${at.id && html`<${Item} key=${at.id} group=${group} id=${at.id} />`}
    </main></div>`;
}

function Door() {
  const [value, setValue] = useState("");
  return html`<form style="padding:1rem" onSubmit=${(e) => { e.preventDefault(); setToken(value.trim()); location.reload(); }}>
    <label>Token <input type="password" value=${value} onInput=${(e) => setValue(e.target.value)} /></label><button class="main">Enter</button></form>`;
}

function Bar({ score, interval }) {
  const [low, high] = interval || [score, score];
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="10" />
    <rect class="span" x=${100 * low} y="3" width=${Math.max(0.5, 100 * (high - low))} height="4" /><rect class="dot" x=${100 * score - 0.5} width="1" height="10" /></svg>`;
}

function rankOf(board, name) {
  for (const one of board.boards) for (const row of one.rows) if (row.name === name) return row;
  return null;
}

function Runs({ group, board }) {
  const [by, setBy] = useState("score");
  const [down, setDown] = useState(true);
  const columns = [["name", "run"], ["rank", "rank"], ["score", "%"], ["questions", "questions"], ...group.tasks.map((t) => ["task " + t, t])];
  const value = (row, key) => key.startsWith("task ") ? row.tasks[key.slice(5)]?.score ?? -1 : key === "rank" ? rankOf(board, row.name)?.rank ?? 1e9 : row[key];
  const rows = [...group.runs].sort((x, y) => { const [p, q] = [value(x, by), value(y, by)]; return (p < q ? -1 : p > q ? 1 : 0) * (down ? -1 : 1); });
  const sort = (key) => { if (key === by) setDown(!down); else { setBy(key); setDown(key !== "name" && key !== "rank"); } };
  return html`<section aria-label="runs"><h2>Runs and leaderboard</h2><div class="scroll" tabindex="0" role="region" aria-label="table of runs"><table>
    <thead><tr>${columns.map(([key, words]) => html`<th aria-sort=${key === by ? (down ? "descending" : "ascending") : "none"}><button onClick=${() => sort(key)}>${words}${key === by ? (down ? " ↓" : " ↑") : ""}</button></th>${key === "score" && html`<th>95 % interval</th>`}`)}</tr></thead>
    <tbody>${rows.map((row) => { const place = rankOf(board, row.name); return html`<tr key=${row.run}><td>${row.name}${row.unfinished && html` <span class="warn small">${row.unfinished}</span>`}</td>
      <td class="num" title=${place?.not_ranked || ""}>${place?.rank ? `${place.rank} (${place.rank_interval.join("–")})` : html`<span class="quiet small">${place?.not_ranked || "–"}</span>`}</td>
      <td class="num">${percent(row.score)}</td>
      <td class="num">${row.interval ? `${percent(row.interval[0])} – ${percent(row.interval[1])}` : "too few recordings"}<${Bar} score=${row.score} interval=${row.interval} /></td><td class="num">${row.questions}</td>
      ${group.tasks.map((task) => html`<td class="num">${percent(row.tasks[task]?.score)}</td>`)}</tr>`; })}</tbody></table></div>
    <p class="quiet small">${group.formula}.${group.chance !== null ? ` Guessing scores ${percent(group.chance)}.` : ""}${group.not_begun.length ? ` Without an answer: ${group.not_begun.join("; ")}.` : ""} Rows are ranked only where question set, frames, protocol and parser are the same.${board.kept_apart.length ? ` Kept apart: ${board.kept_apart.join("; ")}.` : ""}</p></section>`;
}

function Pairs({ group, onPair }) {
  const [pairs, setPairs] = useState(null);
  useEffect(() => { setPairs(null); if (group.runs.length > 1) get("/v1/runs/pairs", { group: group.group }).then((d) => setPairs(d.pairs), () => setPairs([])); }, [group.group]);
  if (group.runs.length < 2) return null;
  const cell = (row, column) => {
    const pair = pairs?.find((p) => (p.a === row && p.b === column) || (p.a === column && p.b === row));
    if (!pair) return html`<td class="quiet">${row === column ? "·" : "…"}</td>`;
    const sign = pair.a === column ? 1 : -1; // row minus column
    const bounds = pair.interval ? (sign > 0 ? pair.interval : [-pair.interval[1], -pair.interval[0]]) : null;
    const clear = bounds && (bounds[0] > 0 || bounds[1] < 0);
    return html`<td class="num"><button onClick=${() => onPair(row, column)} title=${`${pair.questions} questions; show those that the first has right and the second wrong`}>
      <span class=${clear ? (sign * pair.difference > 0 ? "right" : "wrong") : ""}>${(100 * sign * pair.difference >= 0 ? "+" : "")}${(100 * sign * pair.difference).toFixed(1)}</span></button>
      <div class="quiet small">${bounds ? `${(100 * bounds[0]).toFixed(1)} – ${(100 * bounds[1]).toFixed(1)}` : "too few"}, n=${pair.questions}</div></td>`;
  };
  return html`<section aria-label="pairs"><h2>Every pair: row minus column, with 95 % interval</h2><div class="scroll" tabindex="0" role="region" aria-label="matrix of pairs"><table>
    <thead><tr><td></td>${group.runs.map((r) => html`<th>${r.name}</th>`)}</tr></thead>
    <tbody>${group.runs.map((row) => html`<tr key=${row.run}><th>${row.name}</th>${group.runs.map((column) => cell(row.run, column.run))}</tr>`)}</tbody></table></div></section>`;
}

function Pick({ label, value, options, onPick }) {
  return html`<label class="small">${label} <select value=${value} onChange=${(e) => onPick(e.target.value)}>${options.map(([key, words]) => html`<option value=${key}>${words}</option>`)}</select></label>`;
}

function Questions({ group, at, go }) {
  const [found, setFound] = useState(null);
  const [first, setFirst] = useState(0);
  const [problem, setProblem] = useState("");
  const b = Math.min(at.b, group.runs.length - 1);
  useEffect(() => { setFirst(0); }, [group.group, at.a, b, at.only, at.task, at.stratum, at.value]);
  useEffect(() => {
    let gone = false;
    get("/v1/runs/questions", { group: group.group, a: at.a, b, only: at.only, task: at.task || null, stratum: at.stratum || null, value: at.value || null, first })
      .then((d) => { if (!gone) { setFound(d); setProblem(""); } }, (e) => !gone && setProblem(e.message));
    return () => { gone = true; };
  }, [group.group, at.a, b, at.only, at.task, at.stratum, at.value, first]);
  const names = group.runs.map((r) => [r.run, r.name]);
  const mark = (said) => said ? html`<span class=${said.points >= 1 ? "right" : "wrong"}>${said.points >= 1 ? "✓" : said.points > 0 ? "◐" : "✗"} ${said.said}</span>` : "–";
  return html`<section aria-label="questions"><h2>Questions</h2><div class="row">
      <${Pick} label="A" value=${at.a} options=${names} onPick=${(v) => go({ a: Number(v) })} />
      <${Pick} label="B" value=${b} options=${names} onPick=${(v) => go({ b: Number(v) })} />
      <${Pick} label="Show" value=${at.only} options=${ONLY.map((k) => [k, WORDS[k]])} onPick=${(v) => go({ only: v })} />
      <${Pick} label="Task" value=${at.task} options=${[["", "all"], ...group.tasks.map((t) => [t, t])]} onPick=${(v) => go({ task: v })} />
      <${Pick} label="Stratum" value=${at.stratum} options=${[["", "none"], ...group.strata.map((s) => [s, s.replaceAll("_", " ")])]} onPick=${(v) => go({ stratum: v, value: "" })} />
      ${at.stratum && html`<${Pick} label="Value" value=${at.value} options=${[["", "any"], ...(found?.values || []).map((v) => [v, v])]} onPick=${(v) => go({ value: v })} />`}</div>
    ${problem && html`<p class="warn" role="alert">${problem}</p>`}
    ${found && html`<p class="quiet small" role="status">${found.total} questions</p><div class="scroll" tabindex="0" role="region" aria-label="list of questions"><table>
      <thead><tr><th>question</th><th>task</th><th>key</th><th>A</th><th>B</th></tr></thead>
      <tbody>${found.questions.map((q) => html`<tr key=${q.id}><td><button aria-pressed=${at.id === q.id} onClick=${() => go({ id: q.id })}>${q.text || q.id}</button></td><td>${q.task}</td><td>${q.key}</td><td>${mark(q.a)}</td><td>${mark(q.b)}</td></tr>`)}</tbody></table></div>
      ${found.total > first + found.questions.length && html`<button onClick=${() => setFirst(first + found.questions.length)}>More</button>`}
      ${first > 0 && html`<button onClick=${() => setFirst(0)}>Back to the first</button>`}`}</section>`;
}

function Item({ group, id }) {
  const [data, setData] = useState(null);
  const [problem, setProblem] = useState("");
  const [k, setK] = useState(0);
  const [url, setUrl] = useState(null);
  const [floor, setFloor] = useState(null);
  const about = { group: group.group, id };
  useEffect(() => {
    get("/v1/runs/question", about).then((d) => {
      setData(d);
      const proof = d.frames.findIndex((f) => (d.evidence || []).includes(f));
      setK(Math.max(0, proof));
      if (d.here) picture("/v1/runs/map.svg?" + new URLSearchParams(about)).then(setFloor, () => {});
    }, (e) => setProblem(e.message));
  }, [id]);
  useEffect(() => {
    if (!data?.frames.length) return;
    let gone = false;
    picture("/v1/runs/frame.jpg?" + new URLSearchParams({ ...about, frame: data.frames[k] })).then((u) => !gone && setUrl(u), (e) => !gone && setProblem(e.message));
    return () => { gone = true; };
  }, [data, k]);
  if (problem && !data) return html`<section><p class="warn" role="alert">${problem}</p></section>`;
  if (!data) return html`<section><p class="quiet">Loading the question…</p></section>`;
  const proves = (data.evidence || []).includes(data.frames[k]);
  return html`<section aria-label="one question"><h2>${data.text || data.id}</h2>
    ${data.here ? html`<p class="small">${data.options.length > 0 && html`${data.options.join(" · ")}<br />`}The key is <strong>${data.key}</strong>; margin ${data.margin.toFixed(2)}${data.time !== null ? `; asked at ${data.time.toFixed(1)} s` : ""}; proved by frames ${data.evidence.slice(0, 12).join(", ") || "none"}. <span class="quiet">${data.task}, ${data.item}</span></p>
      <div class="two"><div>${url && html`<img class="frame" src=${url} alt=${`frame ${data.frames[k]}`} />`}
        <div class="row"><button onClick=${() => setK(Math.max(0, k - 1))} disabled=${k === 0} aria-label="frame before">◀</button>
          <input class="grow" type="range" min="0" max=${data.frames.length - 1} value=${k} aria-label="frame" onInput=${(e) => setK(Number(e.target.value))} />
          <button onClick=${() => setK(Math.min(data.frames.length - 1, k + 1))} disabled=${k >= data.frames.length - 1} aria-label="frame after">▶</button>
          <span class="quiet small">frame ${data.frames[k]}${proves ? ", evidence" : ""}</span></div></div>
        <div>${floor && html`<img class="floor" src=${floor} alt="map from above: things, the path, and the wearer at the moment of asking" />`}</div></div>`
      : html`<p class="quiet">The question set is not at its place: only what was said is here.</p>`}
    <div class="scroll" tabindex="0" role="region" aria-label="what runs said"><table><thead><tr><th>run</th><th>points</th><th>read as</th><th>by the rule</th><th>raw reply</th></tr></thead>
      <tbody>${data.said.map((s) => html`<tr key=${s.run}><td>${s.name}</td><td class=${"num " + (s.points >= 1 ? "right" : "wrong")}>${s.points.toFixed(2)}</td>
        <td>${s.claim ?? html`<span class="quiet">${s.status}${s.reason && `: ${s.reason}`}</span>`}</td><td class="small">${s.rule || "–"}</td><td><pre tabindex="0">${s.reply || "–"}</pre></td></tr>`)}</tbody></table></div></section>`;
}

document.getElementById("app").replaceChildren();
render(html`<${App} />`, document.getElementById("app"));
