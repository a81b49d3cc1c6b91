// The same scene in 3D, loaded when asked for: boxes as edges, turned by dragging or with the arrow keys.

import { colourOf, colours, prepared } from "/drawing.js";

const EDGES = [[0, 1], [1, 3], [3, 2], [2, 0], [4, 5], [5, 7], [7, 6], [6, 4], [0, 4], [1, 5], [2, 6], [3, 7]];

export class Space {
  constructor(canvas) {
    this.canvas = canvas;
    this.scene = { objects: [], points: [] };
    this.turn = 0.8; this.tilt = 0.9; this.near = 1;
    this.frames = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      let from = [event.clientX, event.clientY];
      const move = (next) => {
        this.turn += (next.clientX - from[0]) / 150;
        this.tilt = Math.min(1.5, Math.max(0.1, this.tilt + (next.clientY - from[1]) / 150));
        from = [next.clientX, next.clientY];
        this.draw();
      };
      canvas.addEventListener("pointermove", move);
      canvas.addEventListener("pointerup", () => canvas.removeEventListener("pointermove", move), { once: true });
    });
    canvas.addEventListener("keydown", (event) => {
      const act = { ArrowLeft: () => (this.turn -= 0.1), ArrowRight: () => (this.turn += 0.1), ArrowUp: () => (this.tilt = Math.min(1.5, this.tilt + 0.1)), ArrowDown: () => (this.tilt = Math.max(0.1, this.tilt - 0.1)), "+": () => (this.near *= 1.2), "-": () => (this.near /= 1.2) }[event.key];
      if (act) { act(); this.draw(); event.preventDefault(); }
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  show(scene) { this.scene = scene; this.draw(); }

  draw() {
    this.frames += 1;
    const { pen, width, height } = prepared(this.canvas);
    const all = [...this.scene.objects.map((o) => o.center), ...this.scene.points.map((p) => [p[2], p[3], p[4]])];
    if (!all.length) return;
    const low = [0, 1, 2].map((k) => all.reduce((a, p) => Math.min(a, p[k]), Infinity));
    const high = [0, 1, 2].map((k) => all.reduce((a, p) => Math.max(a, p[k]), -Infinity));
    const mid = low.map((v, k) => (v + high[k]) / 2);
    const size = Math.max(3, Math.hypot(high[0] - low[0], high[1] - low[1]));
    const scale = (0.85 * this.near * Math.min(width, height)) / size;
    const [c, s, ct, st] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
    const at = (x, y, z) => {
      const [dx, dy, dz] = [x - mid[0], y - mid[1], z - mid[2]];
      const across = c * dx - s * dy, away = s * dx + c * dy;
      return [width / 2 + across * scale, height / 2 - (away * st + dz * ct) * scale];
    };
    const ink = colours();
    pen.lineWidth = 1;
    const byColour = new Map();
    for (const thing of this.scene.objects) {
      const paint = colourOf(thing) || ink.remembered;
      if (!byColour.has(paint)) byColour.set(paint, []);
      byColour.get(paint).push(thing);
    }
    for (const [paint, things] of byColour) { // one stroke for each colour
      pen.strokeStyle = paint;
      pen.beginPath();
      for (const { center: [x, y, z], size: [a, b, d] } of things) {
        const corners = [];
        for (const dz of [-d / 2, d / 2]) for (const dy of [-b / 2, b / 2]) for (const dx of [-a / 2, a / 2]) corners.push(at(x + dx, y + dy, z + dz));
        for (const [i, j] of EDGES) { pen.moveTo(corners[i][0], corners[i][1]); pen.lineTo(corners[j][0], corners[j][1]); }
      }
      pen.stroke();
    }
    pen.strokeStyle = ink.path;
    pen.lineWidth = 2;
    pen.beginPath();
    this.scene.points.forEach((p, i) => { const [x, y] = at(p[2], p[3], p[4]); i ? pen.lineTo(x, y) : pen.moveTo(x, y); });
    pen.stroke();
    if (this.scene.objects.length <= 60) {
      pen.fillStyle = ink.ink;
      pen.font = "11px system-ui, sans-serif";
      for (const thing of this.scene.objects) { const [x, y] = at(...thing.center); pen.fillText(thing.name, x + 6, y); }
    }
  }
}
