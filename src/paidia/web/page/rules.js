// The editor of rules: remarks as you type, why something holds, and play at once.
import { h, field } from "./dom.js";
import { Desk } from "./wire.js";
import { readMoves } from "./links.js";

export class RulesView {
  constructor(world, start, say) {
    Object.assign(this, { world, start, say, asked: 0, language: "gdl", remarks: [] });
    const games = world.games.filter((game) => game.world !== "board");
    this.source = h("select", { onchange: () => this.desk.tell({ do: "source", game: this.source.value }) }, h("option", { value: "" }, "empty"), games.map((game) => h("option", { value: game.id }, game.id)));
    this.text = h("textarea", { spellcheck: false, ariaLabel: "rules", oninput: () => this.changed(), onscroll: () => { this.lines.scrollTop = this.text.scrollTop; } });
    this.lines = h("div", { className: "lines", ariaHidden: "true" });
    this.level = h("textarea", { spellcheck: false, ariaLabel: "level", rows: 8, oninput: () => this.changed() });
    this.levelBox = h("div", { hidden: true }, h("h3", {}, "level"), this.level);
    this.list = h("ul", { className: "remarks", ariaLive: "polite" });
    this.query = h("input", { placeholder: "(legal xplayer (mark 1 1))" });
    this.moves = h("input", { placeholder: "moves first: (mark 1 1)|noop;noop|(mark 2 2)" });
    this.proof = h("div", { className: "scroll" });
    this.whyBox = h("section", { className: "card" }, h("h2", {}, "Why?"), h("form", { onsubmit: (event) => { event.preventDefault(); this.why(); } },
      field("does this hold, and why", this.query), field("after these moves", this.moves, "moves of a step between |, steps between ;"), h("div", { className: "bar" }, h("button", { type: "submit" }, "Explain"))), this.proof);
    this.play = h("button", { className: "main", type: "button", onclick: () => this.begin() }, "Play these rules");
    this.node = h("div", { className: "columns" }, h("section", { className: "card" }, h("h2", {}, "Rules"), h("div", { className: "bar" }, field("begin with", this.source), this.play), h("div", { className: "editor" }, this.lines, this.text), this.list, this.levelBox), this.whyBox);
    this.desk = new Desk("rules", { game: "gdl:tic-tac-toe" }, (letter) => this.hear(letter));
    this.source.value = "gdl:tic-tac-toe";
  }
  hear(letter) {
    if (letter.error) { this.say(letter.error, true); if (letter.gone) { this.say(`${letter.error}; the editor starts again`, true); this.desk = new Desk("rules", { do: "open" }, (l) => { if (!l.source) this.hear(l); }); } return; }
    if (letter.source) {
      this.language = letter.source.language;
      this.text.value = letter.source.rules;
      this.level.value = letter.source.level_text;
      this.levelBox.hidden = this.language !== "vgdl";
      this.whyBox.hidden = this.language === "vgdl";
      this.changed();
    }
    if (letter.remarks && letter.ask === this.asked) { this.remarks = letter.remarks; this.draw(); }
    if (letter.proof) this.proof.replaceChildren(this.tree(letter.proof, 0));
  }
  changed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { this.asked++; this.desk.tell({ do: "check", ask: this.asked, ...this.edited() }); }, 250);
    this.draw();
  }
  edited() { return { language: this.language, rules: this.text.value, level_text: this.level.value }; }
  draw() {
    const n = Math.min(5000, this.text.value.split("\n").length);
    const marks = new Map();
    for (const remark of this.remarks) if (remark.where === "rules" && (remark.kind === "error" || !marks.has(remark.line))) marks.set(remark.line, remark);
    this.lines.replaceChildren(...Array.from({ length: n }, (_, i) => h("span", { className: marks.get(i + 1)?.kind ?? "", title: marks.get(i + 1)?.text ?? "" }, String(i + 1))));
    this.lines.scrollTop = this.text.scrollTop;
    const errors = this.remarks.filter((remark) => remark.kind === "error").length;
    this.play.disabled = errors > 0;
    this.list.replaceChildren(...(this.remarks.length ? this.remarks.slice(0, 100).map((remark) => h("li", { className: remark.kind }, h("button", { type: "button", onclick: () => this.jump(remark) }, `${remark.where === "level" ? "level " : ""}${remark.line}:${remark.column}`), ` ${remark.text}`)) : [h("li", { className: "quiet" }, "no remarks: these rules can be played")]));
  }
  jump(remark) {
    const area = remark.where === "level" ? this.level : this.text;
    const before = area.value.split("\n").slice(0, remark.line - 1).join("\n").length + (remark.line > 1 ? 1 : 0) + remark.column - 1;
    area.focus();
    area.setSelectionRange(before, before + 1);
    area.scrollTop = Math.max(0, (remark.line - 6) * 20);
  }
  why() { this.proof.replaceChildren(h("p", { className: "quiet" }, "...")); this.desk.tell({ do: "why", query: this.query.value, moves: readMoves(this.moves.value), ...this.edited() }); }
  tree(proof, depth) {
    const words = { state: "in this state", move: "was played", fact: "a fact", rule: "by the rule", distinct: "differ", denied: "cannot be proven", "no rule": "no rule says so", fails: "does not hold" };
    const line = proof.line ? h("button", { type: "button", onclick: () => this.jump({ where: "rules", line: proof.line, column: 1 }) }, `line ${proof.line}`) : "";
    const head = [h("span", { className: proof.holds ? "yes" : "no" }, proof.holds ? "✓ " : "✗ "), proof.text, " ", h("small", {}, words[proof.why] ?? proof.why), " ", line];
    const parts = proof.parts?.length ? h("ul", { className: "proof" }, proof.parts.map((part) => this.tree(part, depth + 1))) : "";
    const inner = parts ? h("details", { open: depth < 3 }, h("summary", {}, head), parts) : h("span", {}, head);
    return h(depth ? "li" : "div", { className: depth ? "" : "proof" }, inner);
  }
  begin() { this.start(this.edited()); }
  leave() { this.desk.close(); }
}
