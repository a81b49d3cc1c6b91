// The page at /capture: the camera of this phone or laptop into a memory, with the ask box below.

import { html, render, useEffect, useRef, useState } from "/vendor/htm-preact.js";
import { get, setToken, takeToken, token } from "/api.js";
import { Talk } from "/talk.js";

takeToken();
const WIDTH = 640, FPS = 8;

// Which way is down in the axes of the rear camera, from how the device is held.
function downOf(event) {
  if (event.beta === null || event.gamma === null) return null;
  const b = (event.beta * Math.PI) / 180, g = (event.gamma * Math.PI) / 180;
  const x = Math.cos(b) * Math.sin(g), y = Math.sin(b), z = Math.cos(b) * Math.cos(g);
  const turned = { 0: [x, y], 90: [y, -x], 180: [-x, -y], 270: [-y, x] }[screen.orientation?.angle ?? 0] || [x, y];
  return [...turned, z];
}

class Sender {
  constructor(memory, settings, tell) {
    Object.assign(this, { memory, settings, tell });
    this.session = newSession();
    this.held = []; this.seq = 0; this.stopped = false; this.progress = {};
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const protocols = token() ? ["situ.v1", token()] : ["situ.v1"];
    const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/v1/memories/${this.memory}/stream`, protocols));
    socket.onopen = () => socket.send(JSON.stringify({ session: this.session, ...this.settings }));
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
    socket.onclose = () => {
      this.ready = false;
      if (this.stopped) return;
      this.tell({ broken: true });
      setTimeout(() => this.connect(), 1000);
    };
  }

  #hear(said) {
    if (said.error) { this.stopped = true; this.tell({ error: said.error.message }); return; }
    if ("resume_after" in said) {
      this.window = said.queue; this.sent = 0; this.progress = {}; this.ready = true;
      this.#keep(said.resume_after);
      const again = this.held;
      this.pending = [...again];
      this.tell({ broken: false });
    } else {
      this.progress = said;
      this.#keep(said.kept);
      this.tell(said);
    }
    this.#flush();
  }

  #keep(kept) { if (kept !== null && kept !== undefined) this.held = this.held.filter((frame) => frame.header.t > kept); }

  #flush() {
    while (this.ready && this.pending?.length && this.sent - (this.progress.done || 0) < this.window) {
      const frame = this.pending.shift();
      this.socket.send(JSON.stringify(frame.header));
      this.socket.send(frame.jpeg);
      this.sent += 1;
    }
  }

  // Whether there is room: a picture that cannot be sent soon is better not taken.
  get room() { return this.ready && (this.pending?.length || 0) < 2 && this.held.length < 600; }

  put(header, jpeg) {
    const frame = { header: { ...header, seq: this.seq++ }, jpeg };
    this.held.push(frame);
    this.pending.push(frame);
    this.#flush();
  }

  stop() { this.stopped = true; if (this.ready) this.socket.send('{"end":true}'); }
}

function newSession() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((n) => n.toString(16).padStart(2, "0")).join("");
}

function App() {
  const [memories, setMemories] = useState(null);
  const [name, setName] = useState(new URLSearchParams(location.hash.slice(1)).get("memory"));
  const [fov, setFov] = useState(65);
  const [state, setState] = useState({});
  const [on, setOn] = useState(false);
  const [problem, setProblem] = useState("");
  const video = useRef(null), sender = useRef(null), down = useRef(null);
  useEffect(() => {
    get("/v1/memories").then((found) => { setMemories(found); setName((n) => n || found.memories[0]?.memory); }, (error) => setProblem(error.message));
  }, []);

  async function start() {
    setProblem("");
    if (!window.isSecureContext) return setProblem("Browsers give the camera only to https pages and to this machine. Start the server with --tls-self-signed and open the https address.");
    try {
      const asks = window.DeviceOrientationEvent?.requestPermission; // phones by Apple, on a tap
      if (asks) await asks.call(DeviceOrientationEvent).catch(() => null);
      addEventListener("deviceorientation", (event) => { down.current = downOf(event); });
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: { ideal: "environment" }, width: { ideal: WIDTH } }, audio: false });
      video.current.srcObject = stream;
      await video.current.play();
    } catch (error) {
      return setProblem(`The camera was not given: ${error.message}. Allow it in the address bar and try again.`);
    }
    setOn(true);
    film();
  }

  function film() {
    const canvas = document.createElement("canvas");
    let shape = "", timer = null;
    const tell = (news) => setState((before) => ({ ...before, ...news }));
    function step() {
      const { videoWidth: w, videoHeight: h } = video.current;
      if (!w) return;
      const width = Math.min(WIDTH, w), height = Math.round((h * width) / w);
      if (shape !== `${width}x${height}`) { // the phone was turned: another lens, another stream
        sender.current?.stop();
        shape = `${width}x${height}`;
        canvas.width = width; canvas.height = height;
        sender.current = new Sender(name, { width, height, fov_deg: height > width ? 2 * (180 / Math.PI) * Math.atan(Math.tan((fov * Math.PI) / 360) * width / height) : fov, align: "here" }, tell);
        sender.current.connect();
      }
      if (!sender.current.room) return;
      const t = performance.timeOrigin / 1000 + performance.now() / 1000;
      canvas.getContext("2d").drawImage(video.current, 0, 0, width, height);
      const gravity = down.current;
      canvas.toBlob(async (blob) => sender.current.put({ t, ...(gravity ? { gravity } : {}) }, await blob.arrayBuffer()), "image/jpeg", 0.85);
    }
    timer = setInterval(step, 1000 / FPS);
    sender.timer = timer;
  }

  function stop() {
    clearInterval(sender.timer);
    sender.current?.stop();
    video.current.srcObject?.getTracks().forEach((track) => track.stop());
    setOn(false);
  }

  return html`<header><h1>situ <span class="quiet small">camera into memory</span></h1><a href="/">Look at the memory</a></header>
    <main class="two">
      <section aria-labelledby="camera-title"><h2 id="camera-title">Camera</h2>
        <video ref=${video} muted playsinline aria-label="what the camera sees"></video>
        <div class="row" style="margin-top:.5rem">
          <label>Memory <select value=${name} disabled=${on} onChange=${(e) => setName(e.target.value)}>
            ${(memories?.memories || []).map((m) => html`<option value=${m.memory}>${m.memory}</option>`)}</select></label>
          <label>Field of view <input type="number" min="20" max="150" style="width:6rem" value=${fov} disabled=${on} onInput=${(e) => setFov(Number(e.target.value))} /></label>
          ${on ? html`<button onClick=${stop}>Stop</button>` : html`<button class="main" disabled=${!name || !memories?.writable} onClick=${start}>Start</button>`}
        </div>
        <p role="status" class="small quiet">${on ? (state.broken ? "The line is broken; trying again. Nothing is lost." :
          `watched ${state.done || 0} · looked ${state.looked || 0} · lost ${state.lost || 0} · dropped ${state.dropped || 0}`) :
          "Pictures go to this server and nowhere else. The browser will ask for the camera, and a phone for its motion."}</p>
        ${memories && !memories.writable && html`<p class="warn">This server only reads; start it with --ingest.</p>`}
        ${(problem || state.error) && html`<p class="warn" role="alert">${problem || state.error}</p>`}
        ${!memories && problem && html`<form class="row" onSubmit=${(e) => { e.preventDefault(); setToken(e.target.token.value.trim()); location.reload(); }}>
          <label class="grow">Token <input name="token" type="password" /></label><button>Enter</button></form>`}
      </section>
      ${name && html`<${Talk} memory=${name} at=${null} knownAt=${null} onAsked=${() => {}} />`}
    </main>`;
}

render(html`<${App} />`, document.getElementById("app"));
document.querySelector("#app > p")?.remove();
