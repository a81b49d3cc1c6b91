// Data comes from the page: frames (number, image, action, time), map poses, questions with evidence: places
// in the list of frames.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const strip = byId("strip"), slider = byId("slider"), wearer = byId("wearer");
const SVG = wearer.namespaceURI;
let now = 0, timer = null, evidence = [], chosen = null;

data.frames.forEach((frame, i) => {
  const figure = document.createElement("figure");
  figure.innerHTML = `<img loading="lazy" alt="frame ${frame.number}"><figcaption>${frame.number}</figcaption>`;
  figure.firstChild.src = frame.image;
  figure.onclick = () => show(i);
  strip.appendChild(figure);
});

function show(i) {
  now = i;
  const frame = data.frames[i];
  byId("frame").src = frame.image;
  byId("caption").textContent = `Frame ${frame.number} of ${data.last}, ${frame.time.toFixed(1)} s. ${frame.action}`;
  slider.value = i;
  if (wearer) wearer.setAttribute("transform", frame.marker);
  mark(i);
  [...strip.children].forEach((figure, k) => {
    figure.classList.toggle("now", k === i);
    figure.classList.toggle("hit", evidence.includes(k));
  });
  const current = strip.children[i];
  strip.scrollTo({ left: current.offsetLeft - strip.offsetLeft - strip.clientWidth / 2 + 56, behavior: "smooth" });
}

// What the chosen question speaks of: outlined in the frame, and an arrow to it on the map.
function mark(i) {
  const boxes = (chosen && chosen.outlines && chosen.outlines[i]) || [];
  byId("outlines").replaceChildren(...boxes.map(([x, y, width, height]) => {
    const box = document.createElementNS(SVG, "rect");
    for (const [name, value] of Object.entries({ x, y, width, height })) box.setAttribute(name, value);
    return box;
  }));
  document.querySelectorAll(".map .arrow").forEach((arrow) => arrow.remove());
  if (!chosen || !wearer || !chosen.asked || chosen.asked.length > 3) return;
  const [, fromX, fromY] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(wearer.getAttribute("transform")) || [];
  for (const id of chosen.asked) {
    const arrow = document.createElementNS(SVG, "line"), [x, y] = data.places[id];
    arrow.setAttribute("class", "arrow");
    for (const [name, value] of Object.entries({ x1: fromX, y1: fromY, x2: x, y2: y })) arrow.setAttribute(name, value);
    const thing = document.querySelector(`.map .thing[data-thing="${id}"]`);
    for (const part of [arrow, thing]) if (part) wearer.parentNode.insertBefore(part, wearer); // its name covers the arrow
  }
}

function stop() { clearInterval(timer); timer = null; byId("play").textContent = "Play"; }

byId("play").onclick = () => {
  if (timer) { stop(); return; }
  byId("play").textContent = "Pause";
  timer = setInterval(() => show((now + 1) % data.frames.length), data.interval_ms);
};
slider.oninput = () => { stop(); show(Number(slider.value)); };
document.onkeydown = (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step && event.target.tagName !== "INPUT") { stop(); show(Math.min(data.frames.length - 1, Math.max(0, now + step))); }
};
document.querySelectorAll("tr.q").forEach((row, k) => {
  row.onkeydown = (event) => { if (event.target === row && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); row.click(); } };
  row.onclick = () => {
    stop();
    document.querySelectorAll("tr.q").forEach((other) => other.classList.toggle("on", other === row));
    chosen = data.questions[k];
    evidence = chosen.evidence;
    byId("asked").textContent = row.dataset.asked || "";
    byId("answer").textContent = row.dataset.answer || "";
    const asked = data.questions[k].asked || [];
    document.querySelectorAll(".map .thing").forEach((thing) => {
      const on = asked.includes(Number(thing.dataset.thing));
      thing.classList.toggle("asked", on);
      if (on) thing.parentNode.insertBefore(thing, wearer); // drawn last, so that no other thing hides its name
    });
    show(evidence.find((k) => ((chosen.outlines || {})[k] || []).length) ?? (evidence.length ? evidence[0] : now));
  };
});
show(0);
// Open on a question that names few objects and whose evidence shows them.
const shows = (q) => (q.asked || []).length && Object.values(q.outlines || {}).some((boxes) => boxes.length);
const few = Math.min(...data.questions.filter(shows).map((q) => q.asked.length));
const telling = data.questions.findIndex((q) => shows(q) && q.asked.length === few);
if (data.questions.length && !data.quiz) document.querySelectorAll("tr.q")[Math.max(telling, 0)].click();
