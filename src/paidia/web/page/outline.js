// The tree of a search as an outline: only what is seen exists; the rest is fetched when it is scrolled to.
import { h, number } from "./dom.js";

const ROW = 24, PAGE = 200, PAUSE = 70, TALLEST = 30_000_000; // milliseconds; browsers give up on taller elements

export class OutlineView {
  constructor(desk, slot, roles, onpick) {
    Object.assign(this, { desk, slot, roles, onpick, pages: new Map(), asked: new Set(), closed: new Set(), least: 0, deepest: -1, total: 0, epoch: 0, nodes: [] });
    this.space = h("div", {});
    this.scroller = h("div", { className: "outline", tabIndex: 0, role: "tree", ariaLabel: "search tree", onscroll: () => this.later() }, this.space);
    this.count = h("span", { className: "quiet" });
    const least = h("input", { type: "number", min: 0, value: 0, onchange: () => { this.least = Number(least.value) || 0; this.reset(); } });
    const deepest = h("input", { type: "number", min: -1, value: -1, onchange: () => { this.deepest = Number(deepest.value); this.reset(); } });
    this.node = h("div", {}, h("div", { className: "fields" }, h("label", {}, "at least so many visits", least), h("label", {}, "not deeper than (-1: all)", deepest), this.count), this.scroller);
    this.view = 430;
    new ResizeObserver(() => { this.view = this.scroller.clientHeight; this.later(); }).observe(this.scroller);
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
  first(top) {
    const whole = this.total * ROW, height = Math.min(TALLEST, whole);
    const part = height > this.view ? top / (height - this.view) : 0;
    return height === whole ? Math.floor(top / ROW) : Math.floor(part * (this.total - this.view / ROW));
  }
  // A row of the screen keeps its node of the tree until that is scrolled away: a step of the wheel writes two or three rows, not all.
  draw() {
    const top = this.scroller.scrollTop, first = Math.max(0, this.first(top)), n = Math.ceil(this.view / ROW) + 2;
    const exact = this.total * ROW <= TALLEST;
    if (this.nodes.length !== n) this.makeRows(n);
    for (let index = first; index < first + n; index++) {
      const { row, parts } = this.nodes[index % n];
      if (row.hidden !== index >= this.total) row.hidden = index >= this.total;
      if (row.hidden) continue;
      const data = this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
      if (row.index !== index || !exact) row.style.transform = `translateY(${exact ? index * ROW : top + (index - first) * ROW}px)`;
      if (row.data !== data || row.index === undefined) this.write(row, parts, data);
      row.index = index;
    }
    this.wanted = [first, first + n, first + 3 * n].map((index) => Math.floor(index / PAGE));
    if (!this.fetching && this.wanted.some((page) => !this.asked.has(page) && page * PAGE < this.total)) this.fetchSoon();
  }
  // Whoever rushes past does not want every page on the way: one round of questions at a time.
  fetchSoon() {
    this.fetching = setTimeout(() => {
      this.fetching = 0;
      for (const page of new Set(this.wanted)) if (page * PAGE < this.total) this.fetch(page);
    }, PAUSE);
  }
  makeRows(n) {
    const text = (className) => h("span", { className }, document.createTextNode(""));
    this.nodes = Array.from({ length: n }, () => {
      const parts = { fold: h("button", { className: "fold", type: "button", tabIndex: -1 }, document.createTextNode("")), name: text("name"), visits: text("num"), mean: text("num"), size: text("num") };
      const row = h("div", { className: "row", role: "treeitem" }, parts.fold, parts.name, parts.mean, parts.visits, parts.size);
      row.onclick = () => this.pick(row.data);
      parts.fold.onclick = (event) => { event.stopPropagation(); this.fold(row.data); };
      return { row, parts };
    });
    this.space.replaceChildren(...this.nodes.map(({ row }) => row));
  }
  write(row, parts, data) {
    row.data = data;
    const put = (part, words) => { if (part.firstChild.data !== words) part.firstChild.data = words; };
    if (!data) { put(parts.name, "..."); for (const part of [parts.visits, parts.mean, parts.size, parts.fold]) put(part, ""); return; }
    const [node, depth, name, role, visits, mean, size] = data;
    if (row.depth !== depth) { row.depth = depth; row.style.setProperty("--depth", Math.min(depth, 30)); row.setAttribute("aria-level", depth + 1); }
    row.classList.toggle("on", node === this.picked);
    put(parts.fold, size > 1 ? (this.closed.has(node) ? "▸" : "▾") : "");
    put(parts.name, role >= 0 && this.roles.length > 1 ? `${name}  (${this.roles[role]})` : name);
    put(parts.visits, `${number(visits)} visits`);
    put(parts.mean, mean === null ? "" : mean.toFixed(3));
    put(parts.size, size > 1 ? `${number(size)} nodes` : "");
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
