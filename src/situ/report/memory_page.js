// Data comes from the page: what was known at each step, and what each thing looks like on the map.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const slider = byId("slider"), wearer = byId("wearer"), rows = byId("rows"), map = document.querySelector("svg.map");
const SVG = "http://www.w3.org/2000/svg";
const SECTORS = ["front", "front right", "right", "back right", "back", "back left", "left", "front left"];
const line = map.querySelector("polyline"), walked = line.getAttribute("points").split(" ");
let now = 0, timer = null, followed = null;

const layer = document.createElementNS(SVG, "g");
map.insertBefore(layer, wearer);
const marks = {};
for (const [id, thing] of Object.entries(data.things)) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "thing");
  group.innerHTML = `<title></title><circle/><text text-anchor="middle"></text>`;
  group.querySelector("title").textContent = thing.name;
  group.querySelector("text").textContent = thing.name;
  const circle = group.querySelector("circle");
  circle.setAttribute("r", thing.radius);
  circle.setAttribute("fill", thing.fill);
  group.querySelector("text").setAttribute("y", thing.radius + 12);
  group.onclick = () => follow(id);
  layer.appendChild(group);
  marks[id] = group;
}

function follow(id) { followed = followed === id ? null : id; show(now); }

function age(seconds) {
  if (seconds < 1) return "now";
  if (seconds < 90) return `${Math.round(seconds)} s ago`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min ago` : `${(seconds / 3600).toFixed(1)} h ago`;
}

function show(i) {
  now = i;
  const step = data.steps[i];
  slider.value = i;
  wearer.setAttribute("transform", step.marker);
  line.setAttribute("points", walked.slice(0, step.frame + 1).join(" "));
  const known = new Map(step.things.map((thing) => [String(thing[0]), thing]));
  for (const [id, group] of Object.entries(marks)) {
    const thing = known.get(id);
    group.style.display = thing ? "" : "none";
    if (!thing) continue;
    const [, x, y, here, , , , inView] = thing;
    group.setAttribute("transform", `translate(${x} ${y})`);
    group.setAttribute("opacity", inView ? 1 : here < 0.5 ? 0.25 : 0.55);
    group.classList.toggle("followed", id === followed);
    const circle = group.querySelector("circle");
    circle.setAttribute("stroke", "#1d2430");
    circle.setAttribute("stroke-width", inView ? 2.5 : here < 0.5 ? 1.5 : 0);
    circle.setAttribute("stroke-dasharray", here < 0.5 ? "4 3" : "");
  }
  byId("caption").textContent =
    `${step.time.toFixed(1)} s, frame ${step.frame}: ${step.things.length} objects known, ` +
    `${step.things.filter((thing) => thing[7]).length} in view`;
  rows.replaceChildren(...step.things.slice().sort((a, b) => a[6] - b[6]).map((thing) => {
    const [id, , , here, seen, bearing, distance, inView] = thing;
    const row = document.createElement("tr");
    row.className = "q" + (String(id) === followed ? " on" : "");
    const sector = SECTORS[((Math.floor((bearing + 22.5) / 45) % 8) + 8) % 8];
    const cells = [data.things[id].name, here < 0.5 ? "gone?" : sector, `${distance.toFixed(1)} m`, inView ? "in view" : age(seen)];
    cells.forEach((text) => { row.insertCell().textContent = text; });
    row.onclick = () => follow(String(id));
    return row;
  }));
}

function stop() { clearInterval(timer); timer = null; byId("play").textContent = "Play"; }

byId("play").onclick = () => {
  if (timer) { stop(); return; }
  byId("play").textContent = "Pause";
  if (now === data.steps.length - 1) show(0);
  timer = setInterval(() => { if (now + 1 < data.steps.length) show(now + 1); else stop(); }, 400);
};
slider.oninput = () => { stop(); show(Number(slider.value)); };
document.onkeydown = (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step && event.target !== slider) { stop(); show(Math.min(data.steps.length - 1, Math.max(0, now + step))); }
};
show(data.steps.length - 1);
