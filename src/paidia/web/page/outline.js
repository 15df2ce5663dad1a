// The tree of a search as an outline: only what is seen exists; the rest is fetched when it is scrolled to.
import { h, number } from "./dom.js";

const ROW = 24, PAGE = 200, TALLEST = 30_000_000; // browsers give up on taller elements

export class OutlineView {
  constructor(desk, slot, roles, onpick) {
    Object.assign(this, { desk, slot, roles, onpick, pages: new Map(), asked: new Set(), closed: new Set(), least: 0, deepest: -1, total: 0, epoch: 0, nodes: [] });
    this.space = h("div", {});
    this.scroller = h("div", { className: "outline", tabIndex: 0, role: "tree", ariaLabel: "search tree", onscroll: () => this.later() }, this.space);
    this.count = h("span", { className: "quiet" });
    const least = h("input", { type: "number", min: 0, value: 0, onchange: () => { this.least = Number(least.value) || 0; this.reset(); } });
    const deepest = h("input", { type: "number", min: -1, value: -1, onchange: () => { this.deepest = Number(deepest.value); this.reset(); } });
    this.node = h("div", {}, h("div", { className: "fields" }, h("label", {}, "at least so many visits", least), h("label", {}, "not deeper than (-1: all)", deepest), this.count), this.scroller);
    this.reset();
  }
  reset() {
    this.epoch++;
    this.pages.clear();
    this.asked.clear();
    this.fetch(0);
  }
  fetch(page) {
    if (this.asked.has(page)) return;
    this.asked.add(page);
    this.desk.tell({ do: "tree", slot: this.slot, from: page * PAGE, n: PAGE, least: this.least, deepest: this.deepest, closed: [...this.closed], ask: `${this.epoch}/${page}` });
  }
  hear(tree) {
    const [epoch, page] = tree.ask.split("/").map(Number);
    if (epoch !== this.epoch) return;
    this.pages.set(page, tree.rows);
    if (this.pages.size > 40) this.forget(page);
    this.total = tree.total;
    this.count.textContent = `${number(tree.total)} of ${number(tree.nodes)} nodes shown`;
    const height = Math.min(TALLEST, this.total * ROW);
    this.space.style.height = `${height}px`;
    this.draw();
  }
  forget(near) {
    for (const page of this.pages.keys()) if (Math.abs(page - near) > 20) { this.pages.delete(page); this.asked.delete(page); }
  }
  later() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => { this.pending = 0; this.draw(); });
  }
  first() {
    const whole = this.total * ROW, height = Math.min(TALLEST, whole), view = this.scroller.clientHeight;
    const part = height > view ? this.scroller.scrollTop / (height - view) : 0;
    return height === whole ? Math.floor(this.scroller.scrollTop / ROW) : Math.floor(part * (this.total - view / ROW));
  }
  draw() {
    const first = Math.max(0, this.first()), n = Math.ceil(this.scroller.clientHeight / ROW) + 2;
    const exact = this.total * ROW <= TALLEST;
    while (this.nodes.length < n) {
      const parts = { fold: h("button", { className: "fold", type: "button", tabIndex: -1 }), name: h("span", { className: "name" }), visits: h("span", { className: "num" }), mean: h("span", { className: "num" }), size: h("span", { className: "num" }) };
      const row = h("div", { className: "row", role: "treeitem" }, parts.fold, parts.name, parts.mean, parts.visits, parts.size);
      row.onclick = () => this.pick(row.data);
      parts.fold.onclick = (event) => { event.stopPropagation(); this.fold(row.data); };
      this.nodes.push({ row, parts });
      this.space.append(row);
    }
    this.nodes.forEach(({ row, parts }, i) => {
      const index = first + i;
      row.hidden = i >= n || index >= this.total;
      if (row.hidden) return;
      row.style.top = `${exact ? index * ROW : this.scroller.scrollTop + i * ROW}px`;
      const data = this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
      if (row.data === data && row.index === index) return;
      row.data = data;
      row.index = index;
      if (!data) { parts.name.textContent = "..."; parts.visits.textContent = parts.mean.textContent = parts.size.textContent = parts.fold.textContent = ""; return; }
      const [node, depth, name, role, visits, mean, size] = data;
      row.style.paddingLeft = `${4 + 14 * Math.min(depth, 30)}px`;
      row.setAttribute("aria-level", depth + 1);
      row.classList.toggle("on", node === this.picked);
      parts.fold.textContent = size > 1 ? (this.closed.has(node) ? "▸" : "▾") : "";
      parts.name.textContent = role >= 0 && this.roles.length > 1 ? `${name}  (${this.roles[role]})` : name;
      parts.visits.textContent = `${number(visits)} visits`;
      parts.mean.textContent = mean === null ? "" : mean.toFixed(3);
      parts.size.textContent = size > 1 ? `${number(size)} nodes` : "";
    });
    for (const page of new Set([Math.floor(first / PAGE), Math.floor((first + n) / PAGE), Math.floor((first + 3 * n) / PAGE)])) if (page * PAGE < this.total || page === 0) this.fetch(page);
  }
  fold(data) {
    if (!data || data[6] <= 1) return;
    if (!this.closed.delete(data[0])) this.closed.add(data[0]);
    this.reset();
  }
  pick(data) {
    if (!data) return;
    this.picked = data[0];
    for (const { row } of this.nodes) row.classList.toggle("on", row.data?.[0] === data[0]);
    this.onpick(data[0]);
  }
}
