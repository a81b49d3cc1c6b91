// Frames by number. The frame table says when each is shown; no time is ever turned into a number by a rate.

import { bytes } from "/api.js";

const KEPT = 400, AHEAD = 16;

export class Player {
  constructor(base, source, canvas, onFrame) {
    Object.assign(this, { base, source, canvas, onFrame });
    this.times = new Float64Array(0);
    this.index = -1; // what is shown
    this.wanted = 0; // what is to be shown
    this.playing = null;
    this.cache = new Map();
    this.flying = new Map();
    this.width = Math.min(960, Math.max(320, Math.round(canvas.clientWidth * (devicePixelRatio || 1)) || 640));
    this.problem = "";
  }

  async open() {
    this.#fetch(0, 1).catch(() => {}); // on its way while the table of a long stream comes; told when it is shown
    const table = await bytes(`${this.base}/sources/${this.source}/times`);
    this.times = new Float64Array(table);
    return this;
  }

  get count() { return this.times.length; }
  get time() { return this.index < 0 ? null : this.times[this.index]; }

  // The last frame that is shown at or before a time.
  at(seconds) {
    let low = 0, high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= seconds + 1e-9) low = middle; else high = middle - 1;
    }
    return low;
  }

  seek(seconds) { return this.show(this.at(seconds)); }
  step(frames) { this.pause(); return this.show(this.wanted + frames, frames < 0); }
  hop(seconds) {
    this.pause();
    const to = this.at(this.times[this.wanted] + seconds);
    return this.show(to === this.wanted ? to + Math.sign(seconds) : to);
  }

  // Shows a frame; of several that are asked for quickly the last one wins.
  async show(index, backwards = false) {
    if (!this.count) return;
    const wanted = this.wanted = Math.min(this.count - 1, Math.max(0, index));
    try {
      const blob = await this.#blob(wanted, backwards);
      if (this.wanted !== wanted) return;
      const picture = await createImageBitmap(blob);
      if (this.wanted !== wanted) return;
      this.#draw(picture, wanted);
      this.problem = "";
    } catch (error) {
      if (this.wanted !== wanted) return;
      this.problem = error.message;
      this.index = -1;
    }
    this.onFrame(this);
  }

  toggle() { this.playing ? this.pause() : this.play(); }

  play() {
    if (this.playing || !this.count) return;
    const run = this.playing = { from: performance.now(), start: this.times[this.wanted] };
    const tick = async () => {
      if (this.playing !== run) return;
      const due = this.at(run.start + (performance.now() - run.from) / 1000);
      if (due !== this.index) {
        const began = performance.now(), waited = !this.cache.has(due);
        await this.show(due);
        // A stream that cannot be had in time is shown slower, not with frames left out of the count.
        if (waited) run.from += performance.now() - began;
      }
      this.#prefetch(due + 1, 2 * AHEAD);
      if (due >= this.count - 1) return this.pause();
      if (this.playing === run) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.onFrame(this);
  }

  pause() { if (this.playing) { this.playing = null; this.onFrame(this); } }

  async #blob(index, backwards) {
    if (this.cache.has(index)) { const blob = this.cache.get(index); this.#prefetch(backwards ? index - AHEAD : index + 1, AHEAD, 4); return blob; }
    if (this.flying.has(index)) { await this.flying.get(index); if (this.cache.has(index)) return this.cache.get(index); }
    if (backwards) await this.#fetch(Math.max(0, index - AHEAD + 1), Math.min(AHEAD, index + 1));
    else await this.#fetch(index, 1);
    if (!backwards) this.#prefetch(index + 1, AHEAD);
    return this.cache.get(index);
  }

  // Whatever is missing of the next frames, if enough is missing to be worth a request.
  #prefetch(from, count, least = 8) {
    let start = Math.max(0, from);
    const end = Math.min(this.count, from + count);
    while (start < end && (this.cache.has(start) || this.flying.has(start))) start++;
    if (end - start >= Math.min(least, this.count - start) && end > start) this.#fetch(start, end - start).catch(() => {});
  }

  #fetch(from, count) {
    const coming = (async () => {
      const data = await bytes(`${this.base}/sources/${this.source}/frames`, { from, count, width: this.width });
      const view = new DataView(data);
      for (let at = 0, n = from; at < data.byteLength; n++) {
        const size = view.getUint32(at);
        this.cache.delete(n);
        this.cache.set(n, new Blob([new Uint8Array(data, at + 4, size)], { type: "image/jpeg" }));
        at += 4 + size;
      }
      while (this.cache.size > KEPT) this.cache.delete(this.cache.keys().next().value);
    })();
    for (let n = from; n < from + count; n++) this.flying.set(n, coming);
    const landed = () => { for (let n = from; n < from + count; n++) if (this.flying.get(n) === coming) this.flying.delete(n); };
    coming.then(landed, landed);
    return coming;
  }

  #draw(picture, index) {
    if (this.canvas.width !== picture.width || this.canvas.height !== picture.height) {
      this.canvas.width = picture.width;
      this.canvas.height = picture.height;
    }
    this.canvas.getContext("2d").drawImage(picture, 0, 0);
    picture.close();
    this.index = index;
    this.canvas.dataset.frame = index;
  }
}
