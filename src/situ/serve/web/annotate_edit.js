// One item being edited: saved by itself, kept in this browser until the server has it, merged when others were faster.

import { Failed, get, post } from "/api.js";

export const FIELDS = ["question", "answer", "time", "spans", "category", "subcategory", "qtype", "person", "options", "difficulty", "draft", "confirmed", "label", "reason"];
const QUIET_MS = 700, AGAIN_MS = 2000;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export class Editing {
  // `onChange` is told whenever what is shown may have changed.
  constructor(base, by, onChange) {
    Object.assign(this, { base, by, onChange });
    this.item = null; // as the server has it
    this.mine = {}; // fields that were changed here and are not saved
    this.state = "saved"; // saved, typing, saving, offline, conflict, refused
    this.said = "";
    this.clash = null; // {current, fields: [{name, theirs, mine}]}
  }

  get shown() { return this.item && { ...this.item, ...this.mine }; }
  get clean() { return !Object.keys(this.mine).length; }
  get #key() { return `situ-unsaved ${this.base} ${this.item.id}`; }

  async open(id) {
    if (this.item && !this.clean) await this.save();
    this.take(await get(`${this.base}/items/${encodeURIComponent(id)}`));
    this.clash = null;
    this.#recover();
  }

  take(item) {
    this.item = item;
    for (const name of Object.keys(this.mine)) if (same(this.mine[name], item[name])) delete this.mine[name];
    this.state = this.clean ? "saved" : "typing";
    this.onChange();
  }

  close() { clearTimeout(this.timer); this.item = null; this.mine = {}; this.clash = null; this.state = "saved"; this.onChange(); }

  // What was typed before a reload or a broken line, and never reached the server.
  #recover() {
    this.mine = {};
    try {
      const left = JSON.parse(localStorage.getItem(this.#key) || "null");
      if (left) { this.mine = left.change; this.pending = left.pending; this.seen = left.version; }
    } catch { localStorage.removeItem(this.#key); }
    if (!this.clean) { this.state = "typing"; this.#soon(0); }
    this.onChange();
  }

  set(change) {
    for (const [name, value] of Object.entries(change)) {
      if (same(this.item[name], value)) delete this.mine[name];
      else this.mine[name] = value;
    }
    this.pending = null;
    this.#keep();
    this.state = this.clean ? "saved" : "typing";
    this.onChange();
    if (!this.clean) this.#soon(QUIET_MS);
  }

  #keep() {
    if (this.clean) localStorage.removeItem(this.#key);
    else localStorage.setItem(this.#key, JSON.stringify({ change: this.mine, pending: this.pending, version: this.item.version }));
  }

  #soon(wait) { clearTimeout(this.timer); this.timer = setTimeout(() => this.save(), wait); }

  // Saves what is unsaved; true when nothing is left. Calls that overlap wait for each other.
  async save() {
    clearTimeout(this.timer);
    if (this.saving) { await this.saving; return this.clean || this.save(); }
    if (!this.item || this.clean) return true;
    if (this.clash) return false;
    this.saving = this.#send().finally(() => { this.saving = null; });
    return this.saving;
  }

  async #send() {
    const change = { ...this.mine };
    // A request keeps its name until it is answered: sent twice, it is done once.
    this.pending ||= crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    const version = this.seen ?? this.item.version;
    this.#keep();
    this.state = "saving";
    this.onChange();
    try {
      const saved = await post(`${this.base}/items/${encodeURIComponent(this.item.id)}`, { version, change, by: this.by(), request: this.pending });
      for (const [name, value] of Object.entries(change)) if (same(this.mine[name], value)) delete this.mine[name];
      this.pending = this.seen = null;
      this.take(saved);
      this.#keep();
      return this.clean;
    } catch (error) {
      if (error.status === 409 && error.body?.current) return this.#merge(change, error.body);
      this.state = error.status === 0 || error.status >= 500 || error.status === 429 ? "offline" : "refused";
      this.said = error.message;
      if (this.state === "offline") this.#soon(AGAIN_MS);
      else this.pending = null;
      this.onChange();
      return false;
    }
  }

  // What others changed and I did not is theirs, what I changed and they did not is mine; the rest is asked.
  #merge(change, { current, seen }) {
    this.pending = this.seen = null;
    const asked = Object.keys(change).filter((name) => !same(change[name], current[name]) && (!seen || !same(seen[name], current[name])));
    this.item = { ...this.item, ...current };
    for (const name of Object.keys(this.mine)) if (same(this.mine[name], current[name])) delete this.mine[name];
    if (asked.length) {
      this.clash = { fields: asked.map((name) => ({ name, theirs: current[name], mine: change[name] })) };
      this.state = "conflict";
      this.onChange();
      return false;
    }
    this.#keep();
    if (!this.clean) this.#soon(0); else this.open(current.id);
    this.onChange();
    return this.clean;
  }

  // The person has chosen: fields named here are theirs, the others mine.
  async resolve(theirs) {
    for (const name of theirs) delete this.mine[name];
    this.clash = null;
    this.state = "typing";
    this.#keep();
    return this.clean ? this.open(this.item.id) : this.save();
  }

  // A step on the server, after everything is saved.
  async act(name, more = {}) {
    if (!(await this.save())) throw new Failed(0, "save it first");
    const body = { version: this.item.version, by: this.by(), request: crypto.randomUUID?.() ?? String(Math.random()).slice(2), ...more };
    try {
      const done = await post(`${this.base}/items/${encodeURIComponent(this.item.id)}/${name}`, body);
      if (done.id === this.item.id) this.take(done);
      return done;
    } catch (error) {
      if (error.status === 409 && error.body?.current) {
        await this.open(this.item.id);
        throw new Failed(409, `${error.message}. You see it now; try again.`);
      }
      throw error;
    }
  }
}
