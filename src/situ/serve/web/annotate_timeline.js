// The timeline on one canvas: all items of a stream as marks, the spans of the one that is edited, the moment shown.
// Marks are gathered into columns of pixels first, so thirty thousand cost no more than three hundred.
// The upper part seeks, the lane at the bottom makes a span of evidence by dragging, the wheel zooms.

import { colours, prepared } from "/drawing.js";

const LANE = 22, EDGE = 8, RULER = 14;
const KINDS = ["draft", "validated", "rejected"];

export class MarkLine {
  constructor(canvas, onSeek, onSpan) {
    Object.assign(this, { canvas, onSeek, onSpan });
    this.data = { start: 0, end: 1, at: null, spans: [], time: null };
    this.view = null;
    this.setMarks([]);
    canvas.addEventListener("pointerdown", (event) => this.#grab(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    new ResizeObserver(() => this.draw()).observe(canvas);
    addEventListener("situ-theme", () => this.draw());
  }

  // Items as [start, end, kind] rows in typed arrays, once for each change.
  setMarks(items) {
    const rows = [];
    for (const item of items) {
      const kind = Math.max(0, KINDS.indexOf(item.status));
      for (const [start, end] of item.spans) rows.push([start, end, kind]);
      if (item.time !== null) rows.push([item.time, item.time, kind + KINDS.length]);
    }
    this.from = Float64Array.from(rows, (r) => r[0]);
    this.to = Float64Array.from(rows, (r) => r[1]);
    this.kind = Uint8Array.from(rows, (r) => r[2]);
    this.generation = (this.generation || 0) + 1;
    this.draw();
  }

  show(data) {
    const moved = data.end !== undefined && data.end !== this.data.end;
    this.data = { ...this.data, ...data };
    if (moved) this.view = null;
    this.draw();
  }

  draw() {
    const { pen, width, height } = prepared(this.canvas);
    if (!width || !height) return; // hidden
    const { start, end, at, spans, time } = this.data, ink = colours();
    const [low, high] = this.view ?? [start, Math.max(end, start + 1e-3)];
    const inner = Math.max(1, width - 2 * EDGE), scale = inner / (high - low);
    const x = (t) => EDGE + (t - low) * scale, lane = height - LANE - RULER;
    this.#layer(ink, low, high, width, height, inner, scale, lane);
    pen.drawImage(this.marks, 0, 0, width, height);
    pen.fillStyle = ink.line;
    pen.fillRect(EDGE, lane, inner, LANE);
    pen.fillStyle = ink.accent;
    for (const [a, b] of spans) pen.fillRect(x(a), lane + 3, Math.max(3, x(b) - x(a)), LANE - 6);
    if (time !== null) { pen.fillStyle = ink.warn; pen.fillRect(x(time) - 1, lane - 2, 3, LANE + 2); }
    if (at !== null) { pen.fillStyle = ink.ink; pen.fillRect(x(at) - 1, 0, 2, height - RULER); }
    pen.fillStyle = ink.quiet;
    pen.font = "11px system-ui, sans-serif";
    pen.fillText(stamp(low), EDGE, height - 2);
    const text = stamp(high);
    pen.fillText(text, width - EDGE - pen.measureText(text).width, height - 2);
  }

  // The marks on a canvas of their own, drawn again when they, the view or the colours change: a moment that moves
  // costs one picture.
  #layer(ink, low, high, width, height, inner, scale, lane) {
    const key = JSON.stringify([low, high, this.canvas.width, this.canvas.height, this.generation, ink]);
    if (key === this.drawn) return;
    this.drawn = key;
    this.marks ||= document.createElement("canvas");
    Object.assign(this.marks, { width: this.canvas.width, height: this.canvas.height });
    const pen = this.marks.getContext("2d"), sharp = this.canvas.width / Math.max(1, width);
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    // One counter for each column and kind: how many marks lie there.
    const columns = Math.ceil(inner) + 1, kinds = 2 * KINDS.length;
    const held = new Uint16Array(columns * kinds);
    for (let i = 0; i < this.from.length; i++) {
      if (this.to[i] < low || this.from[i] > high) continue;
      const row = this.kind[i] * columns;
      const first = Math.max(0, Math.floor((this.from[i] - low) * scale));
      const last = Math.min(columns - 1, Math.floor((this.to[i] - low) * scale));
      for (let c = first; c <= last; c++) if (held[row + c] < 60000) held[row + c]++;
    }
    const tints = [ink.path, ink.seen, ink.remembered];
    for (let k = 0; k < kinds; k++) {
      const question = k >= KINDS.length, tall = question ? 8 : Math.max(4, (lane - 14) / 3 - 2);
      const top = question ? 2 : 12 + (k % 3) * ((lane - 14) / 3);
      pen.fillStyle = question ? ink.accent : tints[k];
      for (let c = 0; c < columns; c++) {
        const many = held[k * columns + c];
        if (!many) continue;
        pen.globalAlpha = Math.min(1, 0.45 + 0.15 * many);
        pen.fillRect(EDGE + c, top, question ? 2 : 1, tall);
      }
    }
    pen.globalAlpha = 1;
  }

  #time(event) {
    const box = this.canvas.getBoundingClientRect(), { start, end } = this.data, [low, high] = this.view ?? [start, end];
    const share = (event.clientX - box.left - EDGE) / Math.max(1, box.width - 2 * EDGE);
    return low + Math.min(1, Math.max(0, share)) * (high - low);
  }

  #grab(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const box = this.canvas.getBoundingClientRect(), began = this.#time(event);
    const marking = event.clientY - box.top > box.height - LANE - RULER;
    const before = this.data.spans;
    const move = (next) => {
      const now = this.#time(next);
      if (marking) this.show({ spans: [...before, [Math.min(began, now), Math.max(began, now)]] });
      else this.onSeek(now);
    };
    const up = (last) => {
      this.canvas.removeEventListener("pointermove", move);
      const now = this.#time(last);
      if (marking && Math.abs(now - began) > 0) this.onSpan([Math.min(began, now), Math.max(began, now)]);
      else { this.show({ spans: before }); this.onSeek(now); }
    };
    if (!marking) this.onSeek(began);
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", up, { once: true });
  }

  #wheel(event) {
    event.preventDefault();
    const { start, end } = this.data, [low, high] = this.view ?? [start, end], here = this.#time(event);
    const factor = Math.exp(event.deltaY / 400), from = here - (here - low) * factor, to = here + (high - here) * factor;
    this.view = to - from >= end - start ? null : [Math.max(start, from), Math.min(end, to)];
    this.draw();
  }
}

export function stamp(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  const whole = Math.floor(seconds + 1e-6), part = (n) => String(n).padStart(2, "0");
  const rest = Math.round((seconds - whole) * 1000);
  const text = `${part(Math.floor(whole / 3600))}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`;
  return rest > 0 ? `${text}.${String(rest).padStart(3, "0")}` : text;
}
