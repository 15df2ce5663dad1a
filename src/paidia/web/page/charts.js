// Small charts by hand.
import { h, s, number } from "./dom.js";

const COLOURS = ["red", "blue", "green", "orange", "purple", "teal", "magenta", "brown", "yellow", "gray"];
export const tint = (i) => `var(--c-${COLOURS[i % COLOURS.length]})`;
const text = (x, y, words, props = {}) => s("text", { x, y, fill: "var(--muted)", "font-size": 11, ...props }, document.createTextNode(words));

export function curve(values, roles, { steps, at } = {}) {
  const width = 460, height = 170, left = 34, bottom = 20;
  const most = Math.max(2, steps ?? 0, ...values.map((v) => v.step + 1));
  const x = (step) => left + (width - left - 8) * (step / most), y = (value) => 8 + (height - bottom - 8) * (1 - value);
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "what each side thinks of its chances, move by move" });
  for (const level of [0, 0.25, 0.5, 0.75, 1]) svg.append(s("line", { x1: left, x2: width - 8, y1: y(level), y2: y(level), stroke: "var(--edge)", "stroke-width": level === 0.5 ? 1.5 : 0.7 }), text(4, y(level) + 4, level.toFixed(2)));
  roles.forEach((role, i) => {
    const own = values.filter((v) => v.role === i);
    if (!own.length) return;
    svg.append(s("polyline", { points: own.map((v) => `${x(v.step)},${y(v.value)}`).join(" "), fill: "none", stroke: tint(i), "stroke-width": 2, "stroke-dasharray": i % 2 ? "5 3" : null }));
    for (const v of own) svg.append(s("circle", { cx: x(v.step), cy: y(v.value), r: 2.6, fill: tint(i) }));
  });
  if (at !== undefined) svg.append(s("line", { x1: x(at), x2: x(at), y1: 8, y2: height - bottom, stroke: "var(--c-mark)", "stroke-width": 1 }));
  roles.forEach((role, i) => svg.append(text(left + 10 + i * 110, height - 5, `${i % 2 ? "- -" : "—"} ${role}`, { fill: tint(i) })));
  return svg;
}

export function stacked(parameter, turns, index) {
  const width = 460, height = 84, wide = Math.max(1, Math.min(26, (width - 4) / Math.max(1, turns.length)));
  const svg = s("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `shares of the values of ${parameter.name}, turn by turn` });
  turns.forEach((turn, t) => {
    let low = 0;
    (turn.shares[index] ?? []).forEach((share, value) => {
      if (share > 0) svg.append(s("rect", { x: t * wide, y: 62 * low, width: Math.max(0.6, wide - 0.6), height: 62 * share, fill: tint(value) }));
      low += share;
    });
  });
  const last = turns[turns.length - 1];
  parameter.values.slice(0, 10).forEach((value, i) => svg.append(
    s("rect", { x: i * 46, y: 68, width: 9, height: 9, fill: tint(i) }),
    text(i * 46 + 12, 77, value.slice(0, 6), last?.best?.[index] === value ? { "font-weight": 700, fill: "var(--ink)" } : {})));
  return h("figure", { style: "margin: 0 0 6px" }, h("figcaption", { className: "quiet" }, `${parameter.name}${last?.best?.[index] ? `, now ${last.best[index]}` : ""}`), svg);
}

export function rootTable(rows, chosen, { onpick } = {}) {
  const total = rows.reduce((sum, row) => sum + Math.max(0, row.visits), 0) || 1;
  const prior = rows.some((row) => row.prior !== undefined), amaf = rows.some((row) => row.amaf !== undefined);
  return h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "move"), h("th", {}, "visits"), h("th", {}, "share"), h("th", {}, "value"), prior ? h("th", { title: "mean of the move over all playouts (MAST)" }, "prior") : null,
    amaf ? h("th", { title: "all moves as first: mean of the simulations in which the move was played here or later" }, "AMAF") : null)),
    h("tbody", {}, rows.slice(0, 60).map((row) => h("tr", { className: `${row.move === chosen ? "best" : ""} ${row.pruned ? "pruned" : ""} ${onpick ? "pick" : ""}`, onclick: onpick ? () => onpick(row) : null },
      h("td", { title: row.move }, row.move), h("td", {}, number(row.visits, 1)),
      h("td", {}, bar(row.visits / total), ` ${(100 * row.visits / total).toFixed(1)} %`), h("td", {}, number(row.mean)),
      prior ? h("td", {}, number(row.prior)) : null, amaf ? h("td", {}, number(row.amaf)) : null))));
}

export function bar(share, kind = "") {
  const node = h("span", { className: `fill ${kind}` });
  node.style.width = `${Math.round(60 * Math.max(0, Math.min(1, share)))}px`;
  return node;
}
