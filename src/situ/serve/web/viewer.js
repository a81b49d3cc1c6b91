// The page at /: picture, map, conversation and timeline over one memory, live or at any moment of its past.

import { html, render, useEffect, useLayoutEffect, useRef, useState } from "/vendor/htm-preact.js";
import { get, picture, post, setToken, takeToken, token } from "/api.js";
import { FloorMap } from "/map.js";
import { Talk } from "/talk.js";
import { clock, Timeline } from "/timeline.js";

takeToken();
const given = new URLSearchParams(location.hash.slice(1));

function App() {
  const [memories, setMemories] = useState(null);
  const [problem, setProblem] = useState(null);
  const [name, setName] = useState(given.get("memory"));
  const [at, setAt] = useState(given.get("at") ? Number(given.get("at")) : null);
  const [hindsight, setHindsight] = useState(false);
  const [scene, setScene] = useState({ objects: [], points: [], now: 0, known_at: 0 });
  const [frames, setFrames] = useState([]);
  const [moves, setMoves] = useState([]);
  const [questions, setQuestions] = useState([]);
  const [followed, setFollowed] = useState(null);
  const [answered, setAnswered] = useState(null); // the object of the last answer
  const [first, setFirst] = useState(null);
  const [span, setSpan] = useState(null);
  const facts = memories?.memories.find((m) => m.memory === name);
  const knownAt = at !== null && hindsight ? facts?.end_s : null;

  useEffect(() => {
    let gone = false;
    async function look() {
      try {
        const found = await get("/v1/memories");
        if (gone) return;
        setMemories(found);
        setProblem(null);
        setName((before) => before || found.memories[0]?.memory || null);
      } catch (error) { if (!gone) setProblem(error); }
    }
    look();
    const timer = setInterval(look, 1000);
    return () => { gone = true; clearInterval(timer); };
  }, []);

  useEffect(() => {
    if (!name || !facts || facts.error) return;
    let gone = false;
    (async () => {
      const base = `/v1/memories/${name}`;
      try {
        const [things, walked, pictured] = await Promise.all([
          get(`${base}/objects`, { at, known_at: knownAt, limit: 5000 }),
          get(`${base}/path`, { to: at, most: 2000 }),
          get(`${base}/frames`, { most: 2000 }).catch(() => ({ frames: [] })),
        ]);
        if (gone) return;
        setScene({ objects: things.objects, points: walked.points, now: things.now, known_at: things.known_at, total: things.total });
        setFrames(pictured.frames);
      } catch (error) { if (!gone) setProblem(error); }
    })();
    return () => { gone = true; };
  }, [name, at, knownAt, facts?.end_s, facts?.frames]);

  useEffect(() => {
    if (!name || !facts?.frames) return;
    (async () => {
      try {
        const changed = await get(`/v1/memories/${name}/changes`, { since: facts.start_s });
        const { points } = await get(`/v1/memories/${name}/path`, { most: 5000 });
        const times = new Map(points.map((p) => [p[0], p[1]]));
        setMoves(changed.evidence.map((n) => times.get(n)).filter((t) => t !== undefined));
      } catch { setMoves([]); }
    })();
  }, [name, Math.ceil((facts?.frames || 0) / 60)]); // what moves in a stream shows half a minute later

  useEffect(() => {
    const parts = new URLSearchParams(location.hash.slice(1));
    if (name) parts.set("memory", name);
    at === null ? parts.delete("at") : parts.set("at", at.toFixed(2));
    history.replaceState(null, "", "#" + parts);
  }, [name, at]);

  async function toFrame(frame) {
    const near = frames.find(([n]) => n === frame);
    if (near) return setAt(near[1]);
    const { points } = await get(`/v1/memories/${name}/path`, { most: 5000 });
    const best = points.reduce((a, b) => (Math.abs(b[0] - frame) < Math.abs(a[0] - frame) ? b : a), points[0]);
    if (best) setAt(best[1]);
  }

  if (first === null && facts?.frames && scene.points.length) setFirst(given.get("q") ? [given.get("q")] : opening(scene.objects));

  if (problem?.status === 401) return html`<${Door} />`;
  if (!memories) return html`<p class="quiet" style="padding:1rem">${problem ? problem.message : "Loading the memory…"}</p>`;
  return html`
    <header>
      <h1>situ <span class="quiet small">spatial memory</span></h1>
      <label>Memory <select value=${name} onChange=${(e) => { setName(e.target.value); setAt(null); setFollowed(null); setAnswered(null); }}>
        ${memories.memories.map((m) => html`<option value=${m.memory}>${m.memory}</option>`)}</select></label>
      <button aria-pressed=${at === null} onClick=${() => setAt(null)}>${facts?.writing ? "Live" : "Latest"}</button>
      ${at !== null && html`<label class="small"><input type="checkbox" style="width:auto;min-height:0" checked=${hindsight}
        onChange=${(e) => setHindsight(e.target.checked)} /> use later frames too</label>`}
      <button onClick=${turnTheme} aria-label="dark or light">◐</button>
      ${memories.writable && html`<a href="/capture">Use a camera</a>`}
    </header>
    ${problem && html`<p class="warn" role="alert" style="padding:0 1rem">${problem.message}</p>`}
    <main class="memory">
      <${Picture} name=${name} at=${at} frames=${frames} facts=${facts} />
      <${Map2or3D} scene=${scene} followed=${followed ?? answered} onFollow=${setFollowed} />
      <${Talk} memory=${name} at=${at} knownAt=${knownAt} onMoment=${toFrame} first=${first}
        onAsked=${(answer) => { setQuestions((before) => [...before, answer.now]); setAnswered(answer.things?.[0]?.id ?? null); }} />
      <${Times} facts=${facts} scene=${scene} frames=${frames} moves=${moves} questions=${questions} at=${at}
        knownAt=${knownAt} onSeek=${setAt} span=${span} onSelect=${setSpan} />
      ${memories.writable && html`<${Forget} name=${name} span=${span} followed=${scene.objects.find((o) => o.id === followed)} />`}
    </main>`;
}

// Questions that the memory may answer: where the nearest objects are that are out of view and alone of their name.
function opening(objects) {
  const times = new Map();
  for (const o of objects) times.set(o.name, (times.get(o.name) || 0) + 1);
  const far = (o) => o.distance_m + 100 * o.in_view;
  const named = objects.filter((o) => times.get(o.name) === 1 && o.name !== "object").sort((a, b) => far(a) - far(b));
  return [...named.slice(0, 5).map((o) => `Where is the ${o.name}?`), "Which way did I come?"];
}

function turnTheme() {
  const root = document.documentElement;
  const dark = (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  root.dataset.theme = dark ? "light" : "dark";
  dispatchEvent(new Event("situ-theme"));
}

function Door() {
  const [text, setText] = useState("");
  return html`<main><section><h2>This memory needs a token</h2>
    <form class="row" onSubmit=${(e) => { e.preventDefault(); setToken(text.trim()); location.reload(); }}>
      <label class="grow">Token <input type="password" value=${text} onInput=${(e) => setText(e.target.value)} /></label>
      <button class="main">Enter</button></form>
    ${token() && html`<p class="warn">This token is not valid here.</p>`}</section></main>`;
}

function Picture({ name, at, frames, facts }) {
  const [shown, setShown] = useState(null);
  const live = at === null && facts?.writing;
  const best = live ? null : frames.filter(([, t]) => at === null || t <= at + 1e-6).at(-1);
  useEffect(() => {
    if (!name) return;
    let gone = false, last = null;
    async function load() {
      try {
        const url = live ? await picture(`/v1/memories/${name}/live.jpg`, false) : best ? await picture(`/v1/memories/${name}/frames/${best[0]}.jpg`) : null;
        if (gone) return;
        setShown(url);
        if (last) URL.revokeObjectURL(last);
        last = live ? url : null;
      } catch { if (!gone) setShown(null); }
    }
    load();
    const timer = live ? setInterval(load, 500) : null;
    return () => { gone = true; clearInterval(timer); };
  }, [name, live, best?.[0]]);
  const said = live ? "live" : best ? `frame ${best[0]}, ${clock(best[1])}` : "no picture";
  return html`<section class="picture" aria-labelledby="picture-title"><h2 id="picture-title">Picture <span class="quiet small">${said}</span></h2>
    ${shown ? html`<img class="frame" src=${shown} alt=${`what the camera saw: ${said}`} />`
      : html`<div class="frame none quiet small">No picture of this moment is stored.</div>`}</section>`;
}

function Map2or3D({ scene, followed, onFollow }) {
  const flat = useRef(null), deep = useRef(null), map = useRef(null), space = useRef(null);
  const [solid, setSolid] = useState(false);
  const [filter, setFilter] = useState("");
  useEffect(() => { map.current = new FloorMap(flat.current, (thing) => onFollow(thing.id)); window.situMap = map.current; /* for whoever measures it */ }, []);
  useEffect(() => { map.current.followed = followed; map.current.show(scene); space.current?.show(scene); }, [scene, followed]);
  useEffect(() => {
    if (!solid) return;
    import("/space.js").then(({ Space }) => { space.current ||= new Space(deep.current); space.current.show(scene); });
  }, [solid]);
  useEffect(() => {
    const again = () => { map.current.draw(); space.current?.draw(); };
    addEventListener("situ-theme", again);
    return () => removeEventListener("situ-theme", again);
  }, []);
  const shown = scene.objects.filter((o) => o.name.includes(filter.toLowerCase()))
    .sort((a, b) => a.distance_m - b.distance_m).slice(0, 200);
  return html`<section class="mapped" aria-labelledby="map-title">
    <div class="row"><h2 id="map-title" class="grow">Map <span class="quiet small">${scene.total ?? 0} objects</span></h2>
      <button aria-pressed=${solid} onClick=${() => setSolid(!solid)}>3D</button></div>
    <canvas class="map" ref=${flat} tabindex="0" role="img" hidden=${solid} style=${solid ? "display:none" : ""}
      aria-label="map from above; arrow keys move it, plus and minus scale it. The list below names the objects"></canvas>
    <canvas class="map" ref=${deep} tabindex="0" role="img" hidden=${!solid} style=${solid ? "" : "display:none"}
      aria-label="objects in three dimensions; arrow keys turn the view"></canvas>
    <label class="small row">Find <input class="grow" value=${filter} onInput=${(e) => setFilter(e.target.value)} /></label>
    <ul class="things" tabindex="0" aria-label="objects">${shown.map((o) => html`<li key=${o.id}><button aria-pressed=${o.id === followed} onClick=${() => onFollow(o.id === followed ? null : o.id)}>
      ${o.name} <span class="quiet small">${o.distance_m.toFixed(1)} m, ${side(o.bearing_deg)}${o.in_view ? ", in view" : ""}</span></button></li>`)}</ul>
  </section>`;
}

function side(bearing) {
  const turned = Math.round(bearing);
  return turned === 0 ? "ahead" : `${Math.abs(turned)}° ${turned > 0 ? "right" : "left"}`;
}

function Times({ facts, scene, frames, moves, questions, at, knownAt, onSeek, span, onSelect }) {
  const canvas = useRef(null), line = useRef(null);
  // Before the slider is shown, so that it answers keys from the first moment.
  useLayoutEffect(() => { line.current = new Timeline(canvas.current, onSeek, onSelect); }, []);
  useLayoutEffect(() => {
    line.current.show({ start: facts?.start_s ?? 0, end: facts?.end_s ?? 1, points: scene.points, frames, moves, questions, at: at ?? facts?.end_s ?? null, known: knownAt ?? scene.known_at, span });
  }, [facts, scene, frames, moves, questions, at, knownAt, span]);
  useEffect(() => {
    const again = () => line.current.draw();
    addEventListener("situ-theme", again);
    return () => removeEventListener("situ-theme", again);
  }, []);
  return html`<section class="wide" aria-labelledby="time-title"><h2 id="time-title">Time ${" "}<span class="quiet small">shown: ${clock(scene.now)} · known by ${clock(scene.known_at)}</span></h2>
    <canvas class="timeline" ref=${canvas} tabindex="0" role="slider" aria-label="moment" aria-valuemin=${facts?.start_s ?? 0}
      aria-valuemax=${facts?.end_s ?? 0} aria-valuenow=${at ?? facts?.end_s ?? 0} aria-valuetext=${clock(scene.now)}></canvas>
    <p class="quiet small">Bars: walking speed. Red: no frames. Dots: an object moved. Triangles: your questions. Click or
      use the arrow keys to go to a moment. Drag to select a span, or press I at its start and O at its end.</p></section>`;
}

function Forget({ name, span, followed }) {
  const [sure, setSure] = useState(false);
  const [said, setSaid] = useState("");
  const wanted = followed ? { thing: followed.id } : span ? { from: span[0], to: span[1] } : null;
  const text = followed ? `${followed.name} (number ${followed.id})` : span ? `${clock(span[0])} to ${clock(span[1])}` : "";
  useEffect(() => setSure(false), [text]);
  async function forget() {
    if (!sure) return setSure(true);
    setSure(false);
    try {
      const gone = await post(`/v1/memories/${name}/forget`, wanted);
      setSaid(`Deleted for good: ${gone.things} objects, ${gone.frames} frames, ${gone.pictures} pictures.`);
    } catch (error) { setSaid(error.message); }
  }
  return html`<section class="wide" aria-labelledby="forget-title"><h2 id="forget-title">Forget</h2>
    <div class="row"><span class="quiet small grow">${wanted ? text : "Choose an object on the map, or select a span of time."}</span>
      <button disabled=${!wanted} onClick=${forget}>${sure ? "Yes, delete for good" : "Forget"}</button><span role="status" class="small">${said}</span></div></section>`;
}

render(html`<${App} />`, document.getElementById("app"));
document.querySelector("#app > p")?.remove();
