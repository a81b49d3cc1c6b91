// Requests to the server that this page came from. The token, if one is wanted, stays in this tab.

const TOKEN = "situ-token";

export function takeToken() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (parts.get("token")) {
    sessionStorage.setItem(TOKEN, parts.get("token"));
    parts.delete("token");
    history.replaceState(null, "", "#" + parts);
  }
}

export const token = () => sessionStorage.getItem(TOKEN) || "";
export const setToken = (value) => sessionStorage.setItem(TOKEN, value);

export class Failed extends Error {
  constructor(status, message, body = null) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

async function call(path, options = {}) {
  const headers = { ...(options.headers || {}) };
  if (token()) headers.Authorization = `Bearer ${token()}`;
  let reply;
  try {
    reply = await fetch(path, { ...options, headers });
  } catch {
    throw new Failed(0, "The server cannot be reached; trying again.");
  }
  if (!reply.ok) {
    const said = await reply.json().catch(() => ({}));
    throw new Failed(reply.status, said.error?.message || `the server says ${reply.status}`, said);
  }
  return reply;
}

export async function get(path, query = {}) {
  const known = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const text = new URLSearchParams(known).toString();
  return (await call(path + (text ? "?" + text : ""))).json();
}

export async function bytes(path, query = {}) {
  const text = new URLSearchParams(query).toString();
  return (await call(path + (text ? "?" + text : ""))).arrayBuffer();
}

export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await call(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

// Pictures are fetched, not linked: an <img> could not send the token. The last hundred are kept.
const pictures = new Map();

export async function picture(path, keep = true) {
  if (pictures.has(path)) return pictures.get(path);
  const url = URL.createObjectURL(await (await call(path)).blob());
  if (keep) {
    pictures.set(path, url);
    if (pictures.size > 100) {
      const [oldest, gone] = pictures.entries().next().value;
      pictures.delete(oldest);
      URL.revokeObjectURL(gone);
    }
  }
  return url;
}
