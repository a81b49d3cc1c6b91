// Data comes from the page: what was known at each step, and what each thing looks like on the map.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const slider = byId("slider"), wearer = byId("wearer"), rows = byId("rows"), map = document.querySelector("svg.map");
const SVG = "http://www.w3.org/2000/svg";
const SECTORS = ["front", "front right", "right", "back right", "back", "back left", "left", "front left"];
const line = map.querySelector("polyline"), walked = line.getAttribute("points").split(" ");
let now = 0, timer = null, followed = data.followed || null;

const layer = document.createElementNS(SVG, "g");
map.insertBefore(layer, wearer);
const marks = {};
for (const [id, thing] of Object.entries(data.things)) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "thing");
  group.innerHTML = `<title></title><circle/><text></text>`;
  group.querySelector("title").textContent = thing.name;
  group.querySelector("text").textContent = thing.name;
  const circle = group.querySelector("circle");
  circle.setAttribute("r", thing.radius);
  circle.setAttribute("fill", thing.fill);
  group.onclick = () => follow(id);
  layer.appendChild(group);
  marks[id] = group;
}

// From the wearer to the object that is followed.
const arrow = document.createElementNS(SVG, "line");
arrow.setAttribute("class", "arrow");
map.insertBefore(arrow, wearer); // above all objects

function point(step, known) {
  const [, x, y] = known.get(followed) || [];
  const [, fromX, fromY] = step.marker.match(/translate\(([-\d.]+) ([-\d.]+)\)/).map(Number);
  arrow.style.display = x === undefined ? "none" : "";
  if (x === undefined) return;
  const far = Math.hypot(x - fromX, y - fromY) || 1, stop = Math.max(0, far - data.things[followed].radius - 3);
  arrow.setAttribute("x1", fromX);
  arrow.setAttribute("y1", fromY);
  arrow.setAttribute("x2", fromX + ((x - fromX) * stop) / far);
  arrow.setAttribute("y2", fromY + ((y - fromY) * stop) / far);
}

function follow(id) { followed = followed === id ? null : id; show(now); }

function age(seconds) {
  if (seconds < 1) return "now";
  if (seconds < 90) return `${Math.round(seconds)} s ago`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min ago` : `${(seconds / 3600).toFixed(1)} h ago`;
}

// Where a name may stand beside its mark: anchor, and the shift from the middle of a mark of radius r, in
// heights of a letter (u), so that names have one size on the screen however much the map is enlarged.
const SPOTS = [
  ["middle", () => 0, (r, u) => r + u], ["middle", () => 0, (r, u) => -r - u / 2],
  ["start", (r, u) => r + u / 3, (r, u) => u / 3], ["end", (r, u) => -r - u / 3, (r, u) => u / 3],
  ["start", (r) => r, (r, u) => r + u], ["end", (r) => -r, (r, u) => -r - u / 2],
  ["middle", () => 0, (r, u) => r + 2.2 * u], ["middle", () => 0, (r, u) => -r - 1.7 * u],
];
const frame = map.viewBox.baseVal;
const written = [...map.querySelectorAll("text")].filter((text) => !text.closest(".thing"));

// Names that matter most choose their spot first; one that finds none free is shown on hovering only.
function label(things) {
  const unit = 12 * frame.width / (map.clientWidth || frame.width);
  const weight = ([id, , , , , , , inView]) =>
    4 * (String(id) === followed) + 2 * !/(^| )object$/.test(data.things[id].name) + inView;
  const taken = written.map((text) => text.getBBox()).map((b) => [b.x, b.y, b.x + b.width, b.y + b.height]);
  for (const [id, x, y] of things) {
    const r = data.things[id].radius;
    taken.push([x - r, y - r, x + r, y + r]); // no name covers a mark
  }
  for (const [id, x, y] of things.slice().sort((a, b) => weight(b) - weight(a))) {
    const radius = data.things[id].radius, text = marks[id].querySelector("text");
    text.style.display = "";
    text.style.fontSize = `${unit}px`;
    text.style.strokeWidth = `${unit / 4}px`;
    const wide = text.getComputedTextLength();
    const open = SPOTS.find(([anchor, across, down]) => {
      const left = x + across(radius, unit) - wide * { start: 0, middle: 0.5, end: 1 }[anchor];
      const top = y + down(radius, unit) - 0.9 * unit;
      const box = [left, top, left + wide, top + 1.15 * unit];
      const inside = box[0] >= frame.x && box[2] <= frame.x + frame.width && box[1] >= frame.y && box[3] <= frame.y + frame.height;
      if (!inside || taken.some((t) => box[0] < t[2] && t[0] < box[2] && box[1] < t[3] && t[1] < box[3])) return false;
      taken.push(box);
      return true;
    });
    const free = open || (String(id) === followed ? SPOTS[0] : null); // the followed name is always shown
    text.style.display = free ? "" : "none";
    if (!free) continue;
    text.setAttribute("text-anchor", free[0]);
    text.setAttribute("x", free[1](radius, unit));
    text.setAttribute("y", free[2](radius, unit));
  }
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
    if (id === followed) layer.appendChild(group); // on top of the others
    group.setAttribute("opacity", inView || id === followed ? 1 : here < 0.5 ? 0.25 : 0.55);
    group.classList.toggle("followed", id === followed);
    const circle = group.querySelector("circle");
    circle.setAttribute("stroke", "#1d2430");
    circle.setAttribute("stroke-width", inView ? 2.5 : here < 0.5 ? 1.5 : 0);
    circle.setAttribute("stroke-dasharray", here < 0.5 ? "4 3" : "");
  }
  point(step, known);
  label(step.things);
  const picture = byId("picture");
  if (picture) {
    picture.style.visibility = step.picture < 0 ? "hidden" : "";
    if (step.picture >= 0) picture.src = data.pictures[step.picture];
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
window.onresize = () => label(data.steps[now].things);
show(data.steps.length - 1);
