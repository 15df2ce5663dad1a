// Draws scenes (see core/picture.py): as SVG with spots to point at, or on a canvas for video games.
import { h, s } from "./dom.js";

const KNOWN = /^#[0-9a-fA-F]{6}$/;
const colour = (name) => (KNOWN.test(name) ? name : name ? `var(--c-${name.replace(/[^a-z]/g, "")})` : "none");

function shape(mark) {
  const look = { fill: colour(mark.fill ?? "") };
  if (mark.stroke) Object.assign(look, { stroke: colour(mark.stroke), "stroke-width": mark.width, "stroke-linecap": "round", "stroke-linejoin": "round" });
  const at = mark.at;
  switch (mark.kind) {
    case "rect": return s("rect", { x: at[0], y: at[1], width: at[2], height: at[3], ...look });
    case "ellipse": return s("ellipse", { cx: at[0], cy: at[1], rx: at[2], ry: at[3], ...look });
    case "text": return s("text", { x: at[0], y: at[1] + mark.size * 0.35, "font-size": mark.size, "text-anchor": mark.start ? "start" : "middle",
      "font-family": mark.start ? "ui-monospace, monospace" : "system-ui, sans-serif", "xml:space": "preserve", ...look }, document.createTextNode(mark.text ?? ""));
    case "line": case "polygon": {
      const points = [];
      for (let i = 0; i < at.length; i += 2) points.push(`${at[i]},${at[i + 1]}`);
      return s(mark.kind === "line" ? "polyline" : "polygon", { points: points.join(" "), ...look });
    }
  }
  return null;
}

let pictures = 0;

export function drawing(scene, { label = "" } = {}) {
  const own = `p${pictures++}`;
  const svg = s("svg", { viewBox: `0 0 ${scene.width} ${scene.height}`, role: "group", "aria-label": label || scene.caption || "board" });
  const defs = s("defs");
  const ids = {};
  Object.entries(scene.symbols ?? {}).forEach(([name, marks], i) => {
    ids[name] = `${own}-${i}`;
    defs.append(s("symbol", { id: ids[name], viewBox: "0 0 1 1", overflow: "visible" }, marks.map(shape)));
  });
  svg.append(defs, ...(scene.shapes ?? []).map(shape).filter(Boolean));
  for (const [symbol, x, y, size] of scene.pieces ?? []) svg.append(s("use", { href: `#${ids[symbol]}`, x, y, width: size, height: size }));
  svg.append(...(scene.over ?? []).map(shape).filter(Boolean));
  return svg;
}

// Spots of a move: "3,*" stands for every place of a column.
export function places(scene, spot) {
  if (!spot.endsWith(",*")) return scene.spots?.[spot] ? [spot] : [];
  const front = spot.slice(0, -1);
  return Object.keys(scene.spots ?? {}).filter((name) => name.startsWith(front) && name.split(",").length === front.split(",").length);
}

export const middle = ([x, y, width, height]) => [x + width / 2, y + height / 2];

export class Board {
  // A board that moves are made on: `pick(move)` is called with the one that was pointed at, spot after spot.
  constructor(pick) {
    this.node = h("div", { className: "board" });
    this.pick = pick;
    this.path = [];
  }
  show(scene, { moves = [], last = [], line = [], shares = [] } = {}) {
    const focused = this.node.contains(document.activeElement) ? document.activeElement.dataset?.spot : null;
    this.scene = scene;
    this.moves = moves;
    this.path = [];
    this.svg = drawing(scene);
    for (const spot of last) for (const name of places(scene, spot).slice(0, spot.endsWith("*") ? 1 : 9)) {
      const [x, y, width, height] = scene.spots[name];
      this.svg.append(s("rect", { class: "last", x: x + 2, y: y + 2, width: width - 4, height: height - 4, rx: 4 }));
    }
    this.marks = s("g", { "pointer-events": "none" });
    this.layer = s("g");
    this.svg.append(this.layer, this.marks);
    this.node.replaceChildren(this.svg);
    this.spots();
    this.line(line, shares);
    if (focused) this.layer.querySelector(`[data-spot="${CSS.escape(focused)}"]`)?.focus();
  }
  fitting() {
    return this.moves.filter(([, spots]) => this.path.every((name, i) => spots[i] !== undefined && places(this.scene, spots[i]).includes(name)));
  }
  spots() {
    const open = new Set();
    for (const [, spots] of this.fitting()) {
      const spot = spots[this.path.length];
      if (spot !== undefined) for (const name of places(this.scene, spot)) open.add(name);
    }
    const entries = Object.entries(this.scene.spots ?? {});
    this.layer.replaceChildren(...entries.filter(([name]) => open.has(name) || this.path.includes(name)).map(([name, [x, y, width, height, label]]) => {
      const can = open.has(name);
      return s("rect", { x: x + 1, y: y + 1, width: width - 2, height: height - 2, rx: 5, class: `spot ${can ? "can" : ""} ${this.path.includes(name) ? "from" : ""}`,
        role: "button", tabindex: "0", "aria-label": can ? `${label}${this.path.length ? ", here" : ""}` : `${label}, chosen; take it back`, "data-spot": name,
        onclick: () => this.point(name), onkeydown: (event) => this.key(event, name) });
    }));
    for (const name of open) {
      const [x, y, width, height] = this.scene.spots[name];
      this.layer.append(s("circle", { class: "open", cx: x + width / 2, cy: height > 2 * width ? y + 7 : y + height / 2, r: Math.min(5, width / 7) }));
    }
  }
  point(name) {
    if (this.path.includes(name) && !this.fitting().some(([, spots]) => spots[this.path.length] && places(this.scene, spots[this.path.length]).includes(name))) {
      this.path = [];
      return this.spots();
    }
    this.path.push(name);
    let fitting = this.fitting();
    if (!fitting.length) { this.path = [name]; fitting = this.fitting(); }
    if (!fitting.length) { this.path = []; return this.spots(); }
    const whole = fitting.filter(([, spots]) => spots.length === this.path.length);
    if (whole.length === fitting.length) {
      if (whole.length === 1) return this.pick(whole[0][0]);
      this.spots();
      return this.choose?.(whole.map(([move]) => move));
    }
    this.spots();
    this.choose?.(fitting.map(([move]) => move));
  }
  key(event, name) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); return this.point(name); }
    if (event.key === "Escape") { this.path = []; return this.spots(); }
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    const [x, y] = middle(this.scene.spots[name]);
    let best = null, far = Infinity;
    for (const node of this.layer.querySelectorAll("[data-spot]")) {
      const [u, v] = middle(this.scene.spots[node.dataset.spot]);
      const along = (u - x) * way[0] + (v - y) * way[1], aside = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
      if (along > 1 && along + 2 * aside < far) { far = along + 2 * aside; best = node; }
    }
    best?.focus();
  }
  line(line, shares = []) {
    if (!this.marks) return;
    this.marks.replaceChildren();
    const most = Math.max(1e-9, ...shares.map(([, share]) => share));
    for (const [spots, share] of shares) {
      const name = spots.length ? places(this.scene, spots[spots.length - 1])[0] : null;
      if (!name) continue;
      const [x, y] = middle(this.scene.spots[name]);
      this.marks.append(s("circle", { class: "share", cx: x, cy: y, r: 16 * Math.sqrt(share / most) }));
    }
    line.slice(0, 6).forEach((step, i) => {
      const points = step.spots.map((spot) => places(this.scene, spot)[0]).filter(Boolean).map((name) => middle(this.scene.spots[name]));
      if (!points.length) return;
      if (points.length > 1) this.marks.append(s("polyline", { class: "plan", points: points.map((p) => p.join(",")).join(" ") }));
      const [x, y] = points[points.length - 1];
      this.marks.append(s("circle", { class: "plan-dot", cx: x + 9, cy: y - 9, r: 8 }), s("text", { class: "plan-text", x: x + 9, y: y - 5, "text-anchor": "middle" }, document.createTextNode(String(i + 1))));
    });
  }
}

export class Screen {
  // A video game: symbols are drawn once each, frames are copies of them.
  constructor() {
    this.canvas = h("canvas", { role: "img", tabIndex: 0 });
    this.node = h("div", { className: "board" }, this.canvas);
    this.tiles = new Map();
    this.symbols = {};
  }
  tile(name, side) {
    const key = `${name}/${side}`;
    let tile = this.tiles.get(key);
    if (!tile && this.symbols[name]) {
      tile = document.createElement("canvas");
      tile.width = tile.height = side;
      const pen = tile.getContext("2d");
      for (const mark of this.symbols[name]) {
        pen.fillStyle = KNOWN.test(mark.fill ?? "") ? mark.fill : "#888";
        pen.beginPath();
        const at = mark.at.map((value) => value * side);
        if (mark.kind === "polygon") for (let i = 0; i < at.length; i += 2) pen[i ? "lineTo" : "moveTo"](at[i], at[i + 1]);
        else pen.ellipse(at[0], at[1], at[2], at[3], 0, 0, 7);
        pen.fill();
      }
      this.tiles.set(key, tile);
    }
    return tile;
  }
  show(scene, thoughts) {
    Object.assign(this.symbols, scene.symbols ?? {});
    const scale = Math.max(1, Math.min(3, Math.floor(1400 / scene.width) || 1)), canvas = this.canvas;
    if (canvas.width !== scene.width * scale) { canvas.width = scene.width * scale; canvas.height = scene.height * scale; }
    canvas.setAttribute("aria-label", scene.caption);
    const pen = canvas.getContext("2d");
    pen.fillStyle = scene.shapes?.[0]?.fill ?? "#ebebe6";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    for (const [symbol, x, y, size] of scene.pieces ?? []) {
      const tile = this.tile(symbol, Math.round(size * scale));
      if (tile) pen.drawImage(tile, Math.round(x * scale), Math.round(y * scale));
    }
    if (!thoughts) return;
    for (const [x, y, share] of thoughts.danger ?? []) {
      pen.fillStyle = `rgba(194, 65, 12, ${0.25 + 0.6 * share})`;
      pen.fillRect((x - 12) * scale, (y - 12) * scale, 24 * scale, 24 * scale);
    }
    if (thoughts.path?.length > 1) {
      pen.strokeStyle = "#6a51a3";
      pen.lineWidth = 3 * scale;
      pen.beginPath();
      thoughts.path.forEach(([x, y], i) => pen[i ? "lineTo" : "moveTo"](x * scale, y * scale));
      pen.stroke();
    }
  }
}
