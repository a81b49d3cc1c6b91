// The page of a study: consent, solved examples, practice, questions, end. What was answered is safe on the
// server; an answer that could not be sent waits in this tab and is sent again, also after a reload.

import { html, render, useEffect, useRef, useState } from "/vendor/htm-preact.js";
import { get, post, setToken, token } from "/api.js";
import { Frames } from "/study_frames.js";

const given = new URLSearchParams(location.search);
const PENDING = "situ-study-pending", CLOCK = "situ-study-clock", CODE = "situ-study-code";
const read = (name) => JSON.parse(sessionStorage.getItem(name) || "null");
const keep = (name, value) => sessionStorage.setItem(name, JSON.stringify(value));

function arrival() {
  if (given.get("PROLIFIC_PID")) return { source: "prolific", id: given.get("PROLIFIC_PID") };
  if (given.get("workerId")) return { source: "mturk", id: given.get("workerId") };
  const code = given.get("person") || read(CODE);
  return code ? { source: "code", id: code } : null;
}

function App() {
  const [state, setState] = useState(null);
  const [problem, setProblem] = useState(null);
  const [verdict, setVerdict] = useState(null);
  const [who, setWho] = useState(arrival());

  async function load() {
    try {
      if (!who) return;
      if (!token()) await enter(who);
      await sendPending();
      setState(await get("/v1/study/state"));
      setProblem(null);
    } catch (error) {
      setProblem(error);
      if (error.status === 401) { setToken(""); }
      if (!error.status || error.status === 401 || error.status >= 500) setTimeout(load, 2000);
    }
  }
  useEffect(() => { load(); }, [who]);

  async function act(path, body = {}) {
    try {
      setState(await post(path, body));
      setProblem(null);
    } catch (error) { setProblem(error); }
  }

  async function practise(answer) {
    try {
      const said = await post("/v1/study/practice", { number: state.number, choice: answer.choice, text: answer.text });
      if (said.kept) setVerdict(said);
      else setState(await get("/v1/study/state"));
      setProblem(null);
    } catch (error) { setProblem(error); }
  }

  async function answer(body) {
    keep(PENDING, { number: state.number, ...body });
    for (;;) {
      try {
        const next = await sendPending();
        setProblem(null);
        return setState(next || (await get("/v1/study/state")));
      } catch (error) {
        setProblem(error);
        if (error.status && error.status < 500 && error.status !== 429) { sessionStorage.removeItem(PENDING); return load(); }
        await new Promise((done) => setTimeout(done, 1500));
      }
    }
  }

  if (given.get("assignmentId") === "ASSIGNMENT_ID_NOT_AVAILABLE")
    return html`<${Shell}><p class="text">This is a preview: frames of a recording are shown, and questions about them asked. Accept the task to begin.</p><//>`;
  if (!who) return html`<${Door} onCode=${(code) => { keep(CODE, code); setWho({ source: "code", id: code }); }} />`;
  const lost = problem && !problem.status;
  const words = problem && html`<p class="warn" role="alert">${lost ? "The connection is lost. Nothing is lost with it: what you answer is kept here and sent when it is back." : problem.message}</p>`;
  if (!state) return html`<${Shell}>${words || html`<p class="quiet">Loading…</p>`}<//>`;
  const shell = (body, name) => html`<${Shell} state=${state} name=${name}>${words}${body}<//>`;
  if (state.stage === "consent") return shell(html`<${Consent} text=${state.consent} onAgree=${() => act("/v1/study/consent")} />`);
  if (state.stage === "examples") return shell(html`<${Examples} state=${state} onGo=${() => act("/v1/study/examples")} />`);
  if (verdict) return shell(html`<${Verdict} said=${verdict} onGo=${async () => { await load(); setVerdict(null); }} />`);
  if (state.stage === "practice")
    return shell(html`<${Question} key=${`practice ${state.number}`} part="practice" state=${state} onAnswer=${practise} />`);
  if (state.stage === "question")
    return shell(html`<${Question} key=${state.number} part="question" state=${state} onAnswer=${answer} busy=${lost} />`);
  return shell(html`<${Done} finish=${state.finish} />`);
}

async function enter(who) {
  const screen = `${window.innerWidth}x${window.innerHeight}`;
  setToken((await post("/v1/study/enter", { ...who, screen })).ticket);
}

async function sendPending() {
  const waiting = read(PENDING);
  if (!waiting) return null;
  const next = await post("/v1/study/answer", waiting);
  sessionStorage.removeItem(PENDING);
  sessionStorage.removeItem(CLOCK);
  return next;
}

function Shell({ state, children }) {
  return html`<div class="study"><header><h1>Study</h1>
    ${state?.stage === "question" && html`<label class="small quiet">question ${state.done + 1} of ${state.total} <progress max=${state.total} value=${state.done}></progress></label>`}
    ${state?.stage === "practice" && html`<span class="quiet">practice: not counted</span>`}
    </header>${children}</div>`;
}

function Door({ onCode }) {
  const [code, setCode] = useState("");
  return html`<${Shell}><main><section class="text"><form onSubmit=${(e) => { e.preventDefault(); if (code.trim()) onCode(code.trim()); }}>
    <label>Your participant code <input value=${code} onInput=${(e) => setCode(e.target.value)} autocomplete="off" /></label>
    <p class="quiet small">With the same code you can go on later where you stopped.</p>
    <button class="main">Enter</button></form></section></main><//>`;
}

function Consent({ text, onAgree }) {
  return html`<main><section class="text"><h2>Before you begin</h2><p>${text}</p>
    <button class="main" onClick=${onAgree}>I agree and take part</button></section></main>`;
}

function Examples({ state, onGo }) {
  return html`<main><section class="text"><h2>What to do</h2><p>${state.instructions}</p>
    <p class="keys quiet small">Keys: <kbd>←</kbd> <kbd>→</kbd> frames, <kbd>space</kbd> play, <kbd>1</kbd>–<kbd>9</kbd> answers, <kbd>0</kbd> cannot tell, <kbd>Enter</kbd> next.</p></section>
    ${state.examples.map((example, k) => html`<section key=${k}><h2>Solved example ${k + 1}</h2>
      <${Frames} part="examples" number=${k} question=${example} keys=${false} />
      <p class="asking">${example.text}</p>
      ${example.options.length > 0 && html`<p class="quiet">${example.options.join(" · ")}</p>`}
      <p class="verdict">The answer is <strong>${example.answer}</strong>.</p></section>`)}
    <section><button class="main" onClick=${onGo}>To the practice</button></section></main>`;
}

function Verdict({ said, onGo }) {
  const button = useRef();
  useEffect(() => button.current?.focus(), []);
  return html`<main><section class="text"><p class="verdict" role="status">${said.right ? "Right." : "Not right."} The answer is <strong>${said.answer}</strong>.</p>
    <button class="main" ref=${button} onClick=${onGo}>Go on</button></section></main>`;
}

// Times go on over a reload: when the question was first shown is kept in the tab.
function useClock(part, number) {
  const clock = useRef(null);
  if (clock.current === null) {
    const before = part === "question" ? read(CLOCK) : null;
    clock.current = before?.number === number ? before
      : { number, began: Date.now(), first: null, hidden: 0, hiddenSince: null, steps: 0, replays: 0 };
    if (document.hidden) clock.current.hiddenSince = Date.now();
  }
  const save = () => part === "question" && keep(CLOCK, clock.current);
  useEffect(() => {
    save();
    function changed() {
      const now = clock.current;
      if (document.hidden) now.hiddenSince = Date.now();
      else if (now.hiddenSince) { now.hidden += Date.now() - now.hiddenSince; now.hiddenSince = null; }
      save();
    }
    document.addEventListener("visibilitychange", changed);
    return () => document.removeEventListener("visibilitychange", changed);
  }, []);
  return {
    first() { if (clock.current.first === null) { clock.current.first = Date.now() - clock.current.began; save(); } },
    step() { clock.current.steps += 1; save(); },
    replay() { clock.current.replays += 1; save(); },
    told() {
      const { began, first, hidden, steps, replays } = clock.current;
      const spent = Math.max(0, Date.now() - began);
      return { first_frame_ms: first ?? 0, answer_ms: spent, hidden_ms: Math.min(hidden, spent), steps, replays };
    },
  };
}

const SURE = [[1, "a guess"], [2, "fairly sure"], [3, "sure"]];

function Question({ part, state, onAnswer, busy }) {
  const { question, number } = state;
  const clock = useClock(part, number);
  const [choice, setChoice] = useState(null);
  const [text, setText] = useState("");
  const [cannot, setCannot] = useState(false);
  const [sure, setSure] = useState(0);
  const [note, setNote] = useState("");
  const [sent, setSent] = useState(false);
  const typed = question.options.length === 0;
  const answered = cannot || (typed ? text.trim() !== "" && Number.isFinite(Number(text)) : choice !== null);
  const ready = answered && (cannot || part === "practice" || sure > 0) && !sent;

  async function submit() {
    if (!ready) return;
    setSent(true);
    const said = cannot ? { cannot_tell: 1 } : typed ? { text: text.trim() } : { choice };
    if (part === "practice") await onAnswer({ choice: null, text: "", ...said });
    else await onAnswer({ ...said, confidence: cannot ? 0 : sure, note: note || null, ...clock.told() });
    setSent(false);
  }
  function choose(k) { setChoice(k); setCannot(false); }

  useEffect(() => {
    function pressed(event) {
      if (["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      const digit = Number(event.key);
      if (event.key === "0" && part === "question") { setCannot(true); setChoice(null); }
      else if (!typed && digit >= 1 && digit <= question.options.length) choose(digit - 1);
      else if (event.key === "Enter" && event.target.tagName !== "BUTTON") submit();
    }
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });

  return html`<main class="asked"><section aria-label="frames">
      ${question.new_recording && html`<p class="quiet small">A new recording.</p>`}
      <${Frames} part=${part} number=${number} question=${question} onFirst=${clock.first} onStep=${clock.step} onReplay=${clock.replay} /></section>
    <section aria-label="question"><h2 class="asking">${question.text}</h2>
      ${typed ? html`<label>Your answer, a number <input class="number" inputmode="decimal" value=${text}
          onInput=${(e) => { setText(e.target.value); setCannot(false); }} onKeyDown=${(e) => e.key === "Enter" && submit()} /></label>`
        : html`<div class="options" role="group" aria-label="answers">${question.options.map((option, k) => html`
          <button key=${k} aria-pressed=${choice === k} onClick=${() => choose(k)}><kbd aria-hidden="true">${k + 1}</kbd> <span>${option}</span></button>`)}</div>`}
      ${part === "question" && html`<div class="options"><button aria-pressed=${cannot} onClick=${() => { setCannot(true); setChoice(null); setText(""); }}><kbd aria-hidden="true">0</kbd> <span>I cannot tell</span></button></div>
        <fieldset disabled=${cannot}><legend>How sure are you?</legend><div class="row" role="group" aria-label="how sure">
          ${SURE.map(([k, words]) => html`<button key=${k} type="button" aria-pressed=${sure === k} onClick=${() => setSure(k)}>${words}</button>`)}</div></fieldset>
        <label class="small">${question.scratchpad ? "Scratchpad" : "Notes, if you like"} <textarea value=${note} maxlength="2000" onInput=${(e) => setNote(e.target.value)}></textarea></label>`}
      <p><button class="main" disabled=${!ready} onClick=${submit}>${sent || busy ? "Sending…" : "Next"}</button></p></section></main>`;
}

function Done({ finish }) {
  const turk = given.get("turkSubmitTo");
  const mine = ["https://www.mturk.com", "https://workersandbox.mturk.com"].includes(turk) ? turk : null;
  return html`<main><section class="text"><h2>That was the last question</h2><p>Thank you. Your answers are stored; you may close this page.</p>
    ${finish?.url && html`<p><a href=${finish.url}>Back to Prolific, to complete your submission</a></p>`}
    ${finish?.code && html`<p>Your completion code is <strong>${finish.code}</strong>.</p>`}
    ${mine && html`<form method="post" action=${`${mine}/mturk/externalSubmit`}><input type="hidden" name="assignmentId" value=${given.get("assignmentId")} />
      <input type="hidden" name="done" value="1" /><button class="main">Submit the task</button></form>`}</section></main>`;
}

document.getElementById("app").replaceChildren();
render(html`<${App} />`, document.getElementById("app"));
