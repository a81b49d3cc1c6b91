// Data comes from the page: pictures, their frame numbers and times, and the size of the file's own pixels.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const picture = byId("picture"), shown = byId("shown"), marks = byId("marks"), slider = byId("slider");
const naming = byId("naming"), field = byId("name"), rows = byId("rows");
const [width, height] = data.size, SVG = "http://www.w3.org/2000/svg";
const named = [];  // {label, frame, x, y}, in the order in which they were named
let now = 0, aim = [width / 2, height / 2];

const clamp = (value, most) => Math.min(Math.max(value, 0), most);
const pixel = (value, size) => clamp(Math.floor(value), size - 1);

function draw(kind, attributes, text) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  marks.appendChild(made);
}

function show(number) {
  now = clamp(number, data.pictures.length - 1);
  slider.value = now;
  shown.src = data.pictures[now];
  byId("caption").textContent =
    `frame ${data.numbers[now]}, ${data.times[now]} s (${now + 1} of ${data.pictures.length}); ` +
    `cross at ${pixel(aim[0], width)}, ${pixel(aim[1], height)}`;
  marks.setAttribute("viewBox", `0 0 ${width} ${height}`);
  marks.replaceChildren();
  const unit = width / 640, [x, y] = aim;
  const cross = `M${x - 12 * unit} ${y}h${24 * unit}M${x} ${y - 12 * unit}v${24 * unit}`;
  draw("path", { class: "aim", d: cross, "vector-effect": "non-scaling-stroke", style: "stroke:#000;stroke-width:4" });
  draw("path", { class: "aim", d: cross, "vector-effect": "non-scaling-stroke" });
  for (const one of named.filter((row) => row.frame === data.numbers[now])) {
    draw("circle", { class: "mark", cx: one.x, cy: one.y, r: 5 * unit, "vector-effect": "non-scaling-stroke" });
    draw("text", { x: one.x + 8 * unit, y: one.y - 8 * unit, style: `font-size:${14 * unit}px` }, one.label);
  }
}

function list() {
  rows.replaceChildren(...named.map((one, k) => {
    const row = document.createElement("tr");
    for (const text of [one.label, one.frame, `${one.x}, ${one.y}`]) {
      row.appendChild(document.createElement("td")).textContent = text;
    }
    const remove = document.createElement("button");
    remove.textContent = "Remove";
    remove.setAttribute("aria-label", `remove ${one.label} in frame ${one.frame}`);
    remove.onclick = () => { named.splice(k, 1); list(); show(now); byId("save").focus(); };
    row.appendChild(document.createElement("td")).appendChild(remove);
    return row;
  }));
  byId("used").replaceChildren(...[...new Set(named.map((one) => one.label))].map((label) => new Option(label)));
  byId("save").disabled = !named.length;
}

function ask() { naming.hidden = false; field.value = ""; field.focus(); }

picture.onclick = (event) => {
  const box = shown.getBoundingClientRect();
  aim = [
    clamp((event.clientX - box.left) / box.width, 1) * width,
    clamp((event.clientY - box.top) / box.height, 1) * height,
  ];
  show(now);
  ask();
};

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
picture.onkeydown = (event) => {
  const step = STEPS[event.key], far = event.shiftKey ? 1 : Math.max(1, Math.round(width / 64));
  if (step) aim = [clamp(aim[0] + far * step[0], width - 1), clamp(aim[1] + far * step[1], height - 1)];
  else if (event.key === "Enter") ask();
  else return;
  event.preventDefault();
  show(now);
};

naming.onsubmit = (event) => {
  event.preventDefault();
  const label = field.value.trim();
  if (label) named.push({ label, frame: data.numbers[now], x: pixel(aim[0], width), y: pixel(aim[1], height) });
  naming.hidden = true;
  list();
  show(now);
  picture.focus();
};
field.onkeydown = (event) => {
  if (event.key === "Escape") { naming.hidden = true; picture.focus(); }
};
document.addEventListener("keydown", (event) => {
  const step = { PageUp: -1, PageDown: 1 }[event.key];
  if (!step || event.target === slider) return;
  event.preventDefault();
  show(now + step);
});
slider.oninput = () => show(Number(slider.value));

const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
byId("save").onclick = () => {
  const lines = named.map((one) => [quoted(one.label), one.frame, one.x, one.y].join(","));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([["label,frame,x,y", ...lines, ""].join("\n")], { type: "text/csv" }));
  link.download = "labels.csv";
  link.click();
  URL.revokeObjectURL(link.href);
};

list();
show(0);
