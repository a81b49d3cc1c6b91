// What the canvases share: sharp pixels, the colours of the page, the colours of things.

export function prepared(canvas) {
  const scale = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

export function colours() {
  const style = getComputedStyle(document.documentElement);
  const found = {};
  for (const name of ["ink", "quiet", "line", "accent", "warn", "seen", "remembered", "path", "panel", "back"])
    found[name] = style.getPropertyValue("--" + name).trim();
  return found;
}

const KNOWN = {
  red: "#d64541", green: "#3f9142", blue: "#4a74d8", yellow: "#d9bd1d", purple: "#9550c9", brown: "#7d5a34",
  black: "#3a3d44", orange: "#e07b39", white: "#e8e8e8", grey: "#8e949e", gray: "#8e949e", pink: "#e48ab0",
};

export function colourOf(thing) {
  const said = Object.values(thing.attributes).find((value) => value in KNOWN);
  return said ? KNOWN[said] : null;
}
