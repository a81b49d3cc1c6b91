// Data comes from the page: frames (number, image, action, time), map poses, questions with evidence: places
// in the list of frames.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const strip = byId("strip"), slider = byId("slider"), wearer = byId("wearer");
let now = 0, timer = null, evidence = [];

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
  [...strip.children].forEach((figure, k) => {
    figure.classList.toggle("now", k === i);
    figure.classList.toggle("hit", evidence.includes(k));
  });
  const current = strip.children[i];
  strip.scrollTo({ left: current.offsetLeft - strip.offsetLeft - strip.clientWidth / 2 + 56, behavior: "smooth" });
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
    evidence = data.questions[k].evidence;
    const asked = data.questions[k].asked || [];
    document.querySelectorAll(".map .thing").forEach((thing) => {
      const on = asked.includes(Number(thing.dataset.thing));
      thing.classList.toggle("asked", on);
      if (on) thing.parentNode.insertBefore(thing, wearer); // drawn last, so that no other thing hides its name
    });
    show(evidence.length ? evidence[0] : now);
  };
});
show(0);
