// The map from above, on one canvas: objects, the path, the wearer. Drag or arrow keys move it, + and - scale it.

import { colourOf, colours, prepared } from "/drawing.js";

export class FloorMap {
  constructor(canvas, onChoose) {
    this.canvas = canvas;
    this.onChoose = onChoose;
    this.scene = { objects: [], points: [] };
    this.view = null; // centre in metres, pixels per metre
    this.followed = null;
    canvas.addEventListener("pointerdown", (event) => this.#grab(event));
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.#zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15); }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  show(scene) {
    this.scene = scene;
    if (!this.view && (scene.objects.length || scene.points.length)) this.fit();
    this.draw();
  }

  fit() {
    const xs = [], ys = [];
    for (const thing of this.scene.objects) { xs.push(thing.center[0]); ys.push(thing.center[1]); }
    for (const point of this.scene.points) { xs.push(point[2]); ys.push(point[3]); }
    if (!xs.length) return;
    const low = [xs.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.min(a, b))];
    const high = [xs.reduce((a, b) => Math.max(a, b)), ys.reduce((a, b) => Math.max(a, b))];
    const width = this.canvas.clientWidth || 300, height = this.canvas.clientHeight || 300;
    const scale = Math.min(width / (high[0] - low[0] + 3), height / (high[1] - low[1] + 3));
    this.view = { x: (low[0] + high[0]) / 2, y: (low[1] + high[1]) / 2, scale: Math.min(scale, 120) };
  }

  draw() {
    const { pen, width, height } = prepared(this.canvas);
    if (!this.view) return;
    const ink = colours(), { x: cx, y: cy, scale } = this.view;
    const at = (x, y) => [width / 2 + (x - cx) * scale, height / 2 - (y - cy) * scale];
    this.at = at;
    pen.lineWidth = 2;
    pen.strokeStyle = ink.path;
    pen.beginPath();
    this.scene.points.forEach((point, i) => {
      const [x, y] = at(point[2], point[3]);
      i ? pen.lineTo(x, y) : pen.moveTo(x, y);
    });
    pen.stroke();
    const named = this.scene.objects.length <= 60;
    const weight = (thing) => 2 * (thing.id === this.followed) + thing.in_view;
    const boxOf = (thing) => {
      const [x, y] = at(thing.center[0], thing.center[1]);
      return [x, y, Math.max(5, thing.size[0] * scale), Math.max(5, thing.size[1] * scale)];
    };
    // No name covers a mark or another name: where no side of a mark is free, its name is left out.
    const taken = this.scene.objects.map(boxOf).map(([x, y, w, h]) => [x - w / 2, y - h / 2, x + w / 2, y + h / 2]);
    pen.font = "11px system-ui, sans-serif";
    for (const thing of this.scene.objects.slice().sort((a, b) => weight(b) - weight(a))) {
      const [x, y, w, h] = boxOf(thing);
      if (x < -w || y < -h || x > width + w || y > height + h) continue;
      pen.globalAlpha = thing.in_view ? 1 : 0.35 + 0.5 * thing.here;
      pen.fillStyle = colourOf(thing) || ink.remembered;
      pen.fillRect(x - w / 2, y - h / 2, w, h);
      pen.globalAlpha = 1;
      if (thing.in_view || thing.id === this.followed) {
        pen.strokeStyle = thing.id === this.followed ? ink.warn : ink.seen;
        pen.lineWidth = thing.id === this.followed ? 3 : 1.5;
        pen.strokeRect(x - w / 2, y - h / 2, w, h);
      }
      if (named || thing.id === this.followed) {
        pen.fillStyle = ink.ink;
        const long = pen.measureText(thing.name).width;
        const spots = [[x + w / 2 + 3, y + 4], [x - w / 2 - 3 - long, y + 4], [x - long / 2, y + h / 2 + 11], [x - long / 2, y - h / 2 - 3]];
        const clear = ([left, base]) => left > 0 && left + long < width && base > 10 && base < height &&
          taken.every((b) => left >= b[2] || left + long <= b[0] || base - 9 >= b[3] || base + 2 <= b[1]);
        const spot = spots.find(clear) || (thing.id === this.followed ? spots[0] : null);
        if (spot) {
          taken.push([spot[0], spot[1] - 9, spot[0] + long, spot[1] + 2]);
          pen.fillText(thing.name, ...spot);
        }
      }
    }
    const last = this.scene.points.at(-1);
    const goal = this.scene.objects.find((thing) => thing.id === this.followed);
    if (last && goal) this.#pointer(pen, at(last[2], last[3]), at(goal.center[0], goal.center[1]), ink);
    if (last) this.#wearer(pen, at(last[2], last[3]), last[5], ink);
    this.#scaleBar(pen, height, scale, ink);
  }

  #pointer(pen, [x, y], [u, v], ink) {
    const turn = Math.atan2(v - y, u - x);
    pen.strokeStyle = pen.fillStyle = ink.warn;
    pen.lineWidth = 2;
    pen.beginPath(); pen.moveTo(x, y); pen.lineTo(u, v); pen.stroke();
    pen.beginPath();
    pen.moveTo(u, v);
    for (const side of [-0.4, 0.4]) pen.lineTo(u - 10 * Math.cos(turn + side), v - 10 * Math.sin(turn + side));
    pen.fill();
  }

  #wearer(pen, [x, y], yaw, ink) {
    pen.save();
    pen.translate(x, y);
    pen.rotate((-yaw * Math.PI) / 180);
    pen.fillStyle = ink.accent;
    pen.beginPath();
    pen.moveTo(12, 0); pen.lineTo(-8, 7); pen.lineTo(-4, 0); pen.lineTo(-8, -7);
    pen.fill();
    pen.restore();
  }

  #scaleBar(pen, height, scale, ink) {
    const metres = [0.5, 1, 2, 5, 10, 20, 50, 100].find((m) => m * scale > 50) || 200;
    pen.fillStyle = ink.back; // whatever lies there
    pen.fillRect(4, height - 20, metres * scale + 48, 18);
    pen.fillStyle = pen.strokeStyle = ink.quiet;
    pen.lineWidth = 2;
    pen.beginPath(); pen.moveTo(10, height - 10); pen.lineTo(10 + metres * scale, height - 10); pen.stroke();
    pen.fillText(`${metres} m`, 14 + metres * scale, height - 6);
  }

  #zoom(factor) {
    if (!this.view) return;
    this.view.scale = Math.min(2000, Math.max(0.5, this.view.scale * factor));
    this.draw();
  }

  #key(event) {
    if (!this.view) return;
    const step = 40 / this.view.scale;
    const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key in moves) { this.view.x += moves[event.key][0]; this.view.y += moves[event.key][1]; this.draw(); }
    else if (event.key === "+" || event.key === "=") this.#zoom(1.25);
    else if (event.key === "-") this.#zoom(0.8);
    else if (event.key === "0") { this.fit(); this.draw(); }
    else return;
    event.preventDefault();
  }

  #grab(event) {
    if (!this.view) return;
    this.canvas.setPointerCapture(event.pointerId);
    let moved = 0, from = [event.clientX, event.clientY];
    const move = (next) => {
      const dx = next.clientX - from[0], dy = next.clientY - from[1];
      moved += Math.abs(dx) + Math.abs(dy);
      this.view.x -= dx / this.view.scale;
      this.view.y += dy / this.view.scale;
      from = [next.clientX, next.clientY];
      this.draw();
    };
    const up = (last) => {
      this.canvas.removeEventListener("pointermove", move);
      if (moved < 5) this.#choose(last);
    };
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", up, { once: true });
  }

  #choose(event) {
    const box = this.canvas.getBoundingClientRect();
    const spot = [event.clientX - box.left, event.clientY - box.top];
    let best = null, least = 18;
    for (const thing of this.scene.objects) {
      const [x, y] = this.at(thing.center[0], thing.center[1]);
      const gap = Math.hypot(x - spot[0], y - spot[1]);
      if (gap < least) { least = gap; best = thing; }
    }
    if (best) this.onChoose(best);
  }
}
