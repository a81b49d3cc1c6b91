// The timeline, on one canvas: speed of the path, frames with pictures, losses, moves, questions, the two clocks.
// Click or arrow keys go to a moment; dragging selects a span.

import { colours, prepared } from "/drawing.js";

export class Timeline {
  constructor(canvas, onSeek, onSelect) {
    Object.assign(this, { canvas, onSeek, onSelect });
    this.data = { start: 0, end: 1, points: [], frames: [], moves: [], questions: [], at: null, known: null, span: null };
    canvas.addEventListener("pointerdown", (event) => this.#grab(event));
    canvas.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  show(data) { this.data = { ...this.data, ...data }; this.draw(); }

  draw() {
    const { pen, width, height } = prepared(this.canvas);
    const { start, end, points, frames, moves, questions, at, known, span } = this.data;
    const ink = colours(), x = (t) => 8 + ((t - start) / Math.max(1e-6, end - start)) * (width - 16);
    if (span) { pen.fillStyle = ink.line; pen.fillRect(x(span[0]), 0, x(span[1]) - x(span[0]), height); }
    const floor = height - 30;
    const steps = points.slice(1).map((p, i) => {
      const q = points[i], gap = p[1] - q[1];
      return { from: q[1], to: p[1], gap, speed: Math.hypot(p[2] - q[2], p[3] - q[3]) / Math.max(gap, 1e-6) };
    });
    const gaps = steps.map((s) => s.gap).sort((a, b) => a - b);
    const usual = gaps.length ? gaps[gaps.length >> 1] : 1;
    pen.fillStyle = ink.path;
    for (const step of steps) {
      if (step.gap > 4 * usual && step.gap > 2) { // nothing was seen here
        pen.fillStyle = ink.warn; pen.globalAlpha = 0.25;
        pen.fillRect(x(step.from), 0, x(step.to) - x(step.from), floor);
        pen.globalAlpha = 1; pen.fillStyle = ink.path;
      } else {
        const tall = Math.min(1, step.speed / 1.6) * (floor - 14);
        pen.fillRect(x(step.from), floor - tall, Math.max(1, x(step.to) - x(step.from)), tall + 1);
      }
    }
    pen.fillStyle = ink.quiet;
    for (const [, t] of frames) pen.fillRect(x(t), floor + 3, 1, 6);
    pen.fillStyle = ink.warn;
    for (const t of moves) { pen.beginPath(); pen.arc(x(t), 7, 3, 0, 7); pen.fill(); }
    pen.fillStyle = ink.accent;
    for (const t of questions) { pen.beginPath(); pen.moveTo(x(t), floor + 10); pen.lineTo(x(t) - 4, floor + 17); pen.lineTo(x(t) + 4, floor + 17); pen.fill(); }
    for (const [t, colour, dash] of [[known, ink.quiet, [3, 3]], [at, ink.accent, []]]) {
      if (t === null) continue;
      pen.strokeStyle = colour; pen.lineWidth = 2; pen.setLineDash(dash);
      pen.beginPath(); pen.moveTo(x(t), 0); pen.lineTo(x(t), height - 12); pen.stroke();
    }
    pen.setLineDash([]);
    pen.fillStyle = ink.quiet;
    pen.font = "11px system-ui, sans-serif";
    pen.fillText(clock(start), 8, height - 2);
    const text = clock(end);
    pen.fillText(text, width - 8 - pen.measureText(text).width, height - 2);
  }

  #time(event) {
    const box = this.canvas.getBoundingClientRect(), { start, end } = this.data;
    const share = (event.clientX - box.left - 8) / Math.max(1, box.width - 16);
    return start + Math.min(1, Math.max(0, share)) * (end - start);
  }

  #grab(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const from = this.#time(event), began = event.clientX;
    let span = null;
    const move = (next) => {
      if (Math.abs(next.clientX - began) < 6) return;
      const to = this.#time(next);
      span = [Math.min(from, to), Math.max(from, to)];
      this.show({ span });
    };
    const up = (last) => {
      this.canvas.removeEventListener("pointermove", move);
      if (span) this.onSelect(span);
      else { this.show({ span: null }); this.onSelect(null); this.onSeek(this.#time(last)); }
    };
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", up, { once: true });
  }

  #key(event) {
    const { start, end, at } = this.data, now = at ?? end, step = event.shiftKey ? 10 : 1;
    if (this.#mark(event.key.toLowerCase(), now)) return event.preventDefault();
    const to = { ArrowLeft: now - step, ArrowRight: now + step, Home: start, End: end }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.onSeek(Math.min(end, Math.max(start, to)));
  }

  // I and O: a span from here, or to here; Escape: none.
  #mark(key, now) {
    const { start, end, span } = this.data;
    const [from, to] = span || [start, end];
    const next = { i: [now, Math.max(now, to)], o: [Math.min(from, now), now], escape: null }[key];
    if (next === undefined) return false;
    this.show({ span: next });
    this.onSelect(next);
    return true;
  }
}

export function clock(seconds) {
  if (seconds > 1e8) return new Date(seconds * 1000).toLocaleTimeString();
  const whole = Math.floor(seconds), part = (n) => String(n).padStart(2, "0");
  const text = `${Math.floor(whole / 60)}:${part(whole % 60)}`;
  return whole < 3600 ? text : `${Math.floor(whole / 3600)}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`;
}
