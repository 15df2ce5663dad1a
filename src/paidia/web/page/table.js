// A table: the board, who plays, the time line, and everything that can be seen of the searches.
import { h, field, number, options, tabs } from "./dom.js";
import { Desk } from "./wire.js";
import { Board, Screen, drawing } from "./scene.js";
import { curve, rootTable, stacked, bar, tint } from "./charts.js";
import { OutlineView } from "./outline.js";
import { link } from "./links.js";

const KEYS = { ArrowLeft: "LEFT", ArrowRight: "RIGHT", ArrowUp: "UP", ArrowDown: "DOWN", " ": "USE", a: "LEFT", d: "RIGHT", w: "UP", s: "DOWN" };

export class TableView {
  constructor(letter, world, say) {
    Object.assign(this, { letter, world, say, values: [], names: [], step: 0, steps: 0, comments: letter.comments ?? {}, looks: {}, agreed: [], thinking: null });
    this.board = new Board((move) => this.move(move));
    this.board.choose = (moves) => this.choices(moves);
    this.screen = new Screen();
    this.place = h("div", {}, h("p", { className: "quiet" }, "loading the rules ..."));
    this.caption = h("p", { className: "caption" });
    this.notes = h("ul", { className: "chips" });
    this.movesNode = h("div", { className: "moves", role: "group", ariaLabel: "moves" });
    this.seatsNode = h("div", { className: "seats" });
    this.result = h("p", { className: "caption", role: "status" });
    this.node = h("div", { className: "columns table" }, this.left(), this.right());
    this.open();
  }
  open() {
    this.desk?.close();
    this.desk = new Desk("table", this.letter, (letter) => this.hear(letter));
  }
  leave() {
    this.desk.close();
    removeEventListener("keydown", this.down);
    removeEventListener("keyup", this.up);
    clearInterval(this.film);
    clearInterval(this.ticking);
  }
  // ---------------------------------------------------------------- what there is to see
  left() {
    const button = (text, title, act, props = {}) => h("button", { type: "button", title, onclick: act, ...props }, text);
    this.buttons = {
      undo: button("Undo", "take back the last move (u)", () => this.desk.tell({ do: "undo" })),
      hint: button("Hint", "what an agent would do here (h)", () => this.hint()),
      resign: button("Resign", "give up", () => this.desk.tell({ do: "resign" })),
      swap: button("Swap seats", "change sides", () => this.desk.tell({ do: "swap" })),
      stop: button("Pause", "stop thinking", () => this.pause()),
      again: button("Again", "the same match from its start", () => this.restart()),
      link: button("Link", "a link that reproduces this position", () => this.copyLink()),
      save: button("Save record", "download the match", () => this.desk.tell({ do: "record", comments: this.comments })),
    };
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, ariaLabel: "time line", className: "grow", oninput: () => this.go(Number(this.slider.value)) });
    this.stepText = h("span", { className: "quiet" });
    const timeline = h("div", { className: "bar" }, button("|◀", "first position", () => this.go(0)), button("◀", "one step back (,)", () => this.go(this.step - 1)), this.slider,
      button("▶", "one step on (.)", () => this.go(this.step + 1)), button("▶|", "last position", () => this.go(this.steps)), this.stepText, button("Film", "play the time line", () => this.playFilm()));
    this.comment = h("textarea", { rows: 2, placeholder: "comment on this position", ariaLabel: "comment", onchange: () => { this.comments[this.step] = this.comment.value; this.keepComments(); } });
    return h("section", { className: "card", ariaLabel: "board" }, this.seatsNode, this.place, this.caption, this.result, this.notes, h("div", { className: "bar" }, Object.values(this.buttons)), timeline, this.movesNode,
      h("details", {}, h("summary", {}, "comment"), this.comment));
  }
  right() {
    this.parts = {
      root: { title: "Root", node: h("div", { className: "scroll" }, h("p", { className: "quiet" }, "What an agent knows of each move appears here while it thinks.")) },
      curve: { title: "Curve", node: h("div", {}) },
      search: { title: "Search", node: this.searchPart() },
      tree: { title: "Tree", node: h("div", {}, h("p", { className: "quiet" }, "Search first (tab Search), then open the tree here.")) },
      differ: { title: "Compare", node: h("div", {}, h("p", { className: "quiet" }, "Search twice from the same position, as A and as B.")) },
      tuner: { title: "Tuner", node: h("div", {}, h("p", { className: "quiet" }, "Agents that tune themselves (p-nmc, ntbea-4, ...) show here what they try.")) },
      thoughts: { title: "Thoughts", node: h("div", {}) },
    };
    const bar = tabs(this.parts, (id) => this.opened(id));
    this.tabs = bar;
    const section = h("section", { className: "card", ariaLabel: "inside the search" }, bar.bar, Object.values(this.parts).map((part) => part.node));
    queueMicrotask(() => bar.show("root"));
    return section;
  }
  searchPart() {
    const agents = this.world.agents.filter((agent) => agent.searches).map((agent) => [agent.id, agent.id]);
    const form = { agent: options(h("select", {}), agents, "grave"), sims: h("input", { type: "number", min: 1, value: 10000 }), seed: h("input", { type: "number", min: 0, value: 0 }), settings: h("input", { placeholder: "C=0.4, ..." }) };
    this.form = form;
    this.searched = { a: h("div", {}), b: h("div", {}) };
    const go = (slot) => this.desk.tell({ do: "search", slot, agent: form.agent.value, sims: Number(form.sims.value), seed: Number(form.seed.value), settings: form.settings.value, step: this.step });
    return h("div", {}, h("div", { className: "fields" }, field("agent", form.agent), field("simulations", form.sims), field("seed", form.seed), field("settings", form.settings)),
      h("div", { className: "bar" }, h("button", { type: "button", className: "main", onclick: () => go("a") }, "Search as A"), h("button", { type: "button", onclick: () => go("b") }, "Search as B"),
        h("button", { type: "button", onclick: () => this.desk.tell({ do: "stop" }) }, "Stop"), h("button", { type: "button", onclick: () => this.tabs.show("tree") }, "Open the tree of A"), h("button", { type: "button", onclick: () => this.tabs.show("differ") }, "Compare"), h("button", { type: "button", title: "you play on from this position, against this agent", onclick: () => this.playFrom() }, "Play from here")),
      this.searched.a, this.searched.b);
  }
  opened(id) {
    if (id === "tree") this.openTree();
    if (id === "differ" && this.looks.a && this.looks.b) this.desk.tell({ do: "differ", path: [] });
    if (id === "curve") this.drawCurve();
  }
  // ---------------------------------------------------------------- what the child says
  hear(letter) {
    for (const [what, said] of Object.entries(letter)) this[`on_${what}`]?.(said, letter);
  }
  on_error(text, letter) {
    this.say(text, true);
    if (letter.gone) for (const button of Object.values(this.buttons)) button.disabled = true;
    this.errors = [...(this.errors ?? []), text];
  }
  on_table(table) {
    this.table = table;
    this.names = [];
    this.values = [];
    this.place.replaceChildren(table.video ? this.screen.node : this.board.node);
    this.seats = table.seats;
    this.restoreComments();
    const human = this.seats.includes("human");
    this.buttons.resign.hidden = !human;
    this.buttons.undo.hidden = table.video;
    this.buttons.hint.hidden = table.video;
    this.buttons.swap.hidden = table.roles.length < 2 || !this.letter.seats;
    this.parts.thoughts.node.replaceChildren();
    if (table.video) this.videoKeys(human);
    if (table.record) this.showRecord(table.record);
    this.drawSeats();
  }
  on_seats(seats) { this.seats = seats; this.drawSeats(); }
  on_position(position) {
    this.result.textContent = "";
    this.position = position;
    Object.assign(this, { step: position.step, steps: position.steps });
    if (position.step > 0) this.names[position.step - 1] = position.names;
    if (position.live) this.names.length = position.steps;
    this.since = performance.now();
    this.drawPosition();
    if (position.roots) this.parts.root.node.replaceChildren(...position.roots.flatMap((rows, i) => (rows?.length ? [h("h3", {}, this.table.roles[i]), rootTable([...rows].sort((a, b) => b.visits - a.visits), null)] : [])));
    if (position.goals) this.result.textContent = `result: ${this.table.roles.map((role, i) => `${role} ${number(position.goals[i], 2)}`).join(", ")}`;
  }
  on_frame(frame) {
    Object.assign(this, { step: frame.step, steps: frame.steps });
    this.names[frame.step - 1] = frame.names;
    this.frames = (this.frames ?? 0) + 1;
    Object.assign(this.screen.symbols, frame.scene.symbols ?? {});
    if (frame.thoughts) this.lastThoughts = frame.thoughts;
    this.fresh = frame;
    this.drawn ??= requestAnimationFrame(() => { this.drawn = null; this.drawFrame(this.fresh); }); // at most one picture for each of the screen's
  }
  drawFrame(frame) {
    this.screen.show(frame.scene, this.overlay?.checked ? this.lastThoughts : null);
    if (this.lastThoughts && this.lastThoughts !== this.shownThoughts) { this.shownThoughts = this.lastThoughts; this.drawThoughts(this.lastThoughts); }
    this.caption.textContent = `${frame.scene.caption}; ${frame.names[0] ?? ""}${frame.ticks ? `; ${frame.late} late of ${frame.ticks}` : ""}`;
    this.drawTimeline();
  }
  on_chosen(chosen) { this.say(`${this.table.roles[chosen.role]}: ${chosen.move}`); }
  on_thinking(thinking) { this.thinking = thinking.role; this.say(`${this.table.roles[thinking.role]} thinks ...`); this.drawSeats(); }
  on_live(live) {
    this.parts.root.node.replaceChildren(h("h3", {}, `${this.table.roles[live.role]} thinks: ${number(live.simulations)} simulations`), rootTable(live.rows, live.rows[0]?.move));
    if (live.step === this.step) this.board.line([], live.rows.map((row) => [row.spots, row.visits]));
  }
  on_decision(decision) {
    this.thinking = null;
    this.say("");
    if (decision.value !== null && decision.value !== undefined) this.values.push({ step: decision.step, role: decision.role, value: decision.value });
    this.lastDecision = decision;
    const who = `${this.table.roles[decision.role]} (${this.seats[decision.role]})`;
    this.parts.root.node.replaceChildren(h("h3", {}, `${who} plays ${decision.move ?? "nothing"}`), h("p", { className: "quiet" }, decision.forced ? "the only legal move" : `${number(decision.simulations)} simulations${decision.value === null ? "" : `, value ${number(decision.value)}`}`),
      decision.line?.length ? h("p", {}, `line: ${decision.line.map((step) => step.move).join(", ")}`) : "", decision.rows ? rootTable(decision.rows, decision.move) : "");
    if (decision.tuner) this.drawTuner(decision);
    this.drawCurve();
  }
  on_over(over) {
    this.thinking = null;
    const goals = this.table.roles.map((role, i) => `${role} ${number(over.goals[i], 2)}`).join(", ");
    const score = over.score === null || over.score === undefined ? "" : `, score ${number(over.score, 1)}`;
    const how = over.how === "terminal" ? "game over" : over.how === "time" ? "time is up" : over.how;
    this.over = over;
    this.result.textContent = `${how}: ${goals}${score}${over.ticks ? `, ${over.late} of ${over.ticks} ticks late` : ""}`;
    this.say(this.result.textContent);
    this.drawSeats();
  }
  on_searching(live) { this.searched[live.slot]?.replaceChildren(h("h3", {}, `${live.slot.toUpperCase()}: ${number(live.simulations)} simulations`), rootTable(live.rows, live.rows[0]?.move)); }
  on_searched(look) {
    this.looks[look.slot] = look;
    this.outline = null;
    const sure = look.rows.length ? look.rows.find((row) => row.move === look.move) : null;
    const total = look.rows.reduce((sum, row) => sum + row.visits, 0) || 1;
    if (look.hint) {
      this.say(`${look.label}: ${look.move}${sure ? `, ${(100 * sure.visits / total).toFixed(0)} % of the visits, value ${number(sure.mean)}` : ""}`);
      this.board.line(look.line, look.rows.map((row) => [row.spots, row.visits]));
      this.parts.root.node.replaceChildren(h("h3", {}, `hint: ${look.label}`), rootTable(look.rows, look.move));
      return;
    }
    const draw = () => this.board.line(look.line, look.rows.map((row) => [row.spots, row.visits]));
    this.searched[look.slot].replaceChildren(h("h3", {}, `${look.slot.toUpperCase()}: ${look.label}`),
      h("p", { className: "quiet" }, `${look.move}; ${number(look.simulations)} simulations in ${number(look.seconds, 2)} s, ${number(look.nodes)} nodes, depth ${look.depth}`),
      look.line.length ? h("p", {}, `line: ${look.line.map((step) => step.move).join(", ")} `, h("button", { type: "button", onclick: draw }, "draw it")) : "", h("div", { className: "scroll" }, rootTable(look.rows, look.move)));
    if (!this.table.video) draw();
  }
  on_stopped() { this.say("stopped"); this.buttons.stop.textContent = "Resume"; this.stopped = true; }
  on_tree(tree) { this.outline?.hear(tree); }
  on_node(node) { this.nodePlace?.replaceChildren(h("p", { className: "quiet" }, node.moves.join(", ") || "root"), drawing(node.scene), h("p", { className: "caption" }, node.scene.caption)); }
  on_differ(differ) { this.drawDiffer(differ); }
  on_kept(name) { this.say(`the comments are saved in ${name}`); }
  on_record(text) {
    const blob = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    h("a", { href: blob, download: `${this.table.game.replace(/[^a-z0-9-]/gi, "-")}-${this.table.seed}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(blob), 5000);
  }
  // ---------------------------------------------------------------- drawing
  drawSeats() {
    const { roles } = this.table;
    this.seatsNode.replaceChildren(...roles.map((role, i) => {
      const turn = this.position && !this.position.terminal && (this.position.mover === i || this.position.mover === null);
      const used = this.position?.used?.[i];
      const clock = this.position?.clock && this.seats[i] === "human" ? h("span", { className: "chip", "data-clock": i }, this.clockText(i)) : null;
      const dot = h("span", { className: "dot" });
      return h("div", { className: `seat ${turn ? "turn" : ""}` }, dot, h("span", { className: "who" }, role), h("span", { className: "quiet" }, this.seats[i] ?? "", this.thinking === i ? " thinks ..." : "", used && !clock ? ` ${used.toFixed(1)} s` : ""), clock);
    }));
    if (this.position?.clock && !this.ticking) this.ticking = setInterval(() => { for (const node of this.seatsNode.querySelectorAll("[data-clock]")) node.textContent = this.clockText(Number(node.dataset.clock)); }, 500);
  }
  clockText(i) {
    const own = this.position.mover === i && !this.over ? (performance.now() - this.since) / 1000 : 0;
    const left = Math.max(0, this.position.clock - this.position.used[i] - own);
    return `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")} left`;
  }
  humanMoves() {
    const { position } = this;
    if (!position?.live) return [];
    for (const [role, moves] of Object.entries(position.moves)) {
      if (this.seats[role] === "human" && !position.pending.includes(Number(role)) && !this.chosenRoles?.has(Number(role))) return [Number(role), moves];
    }
    return [];
  }
  drawPosition() {
    const { position } = this, scene = position.scene;
    this.chosenRoles = new Set();
    this.turnMoves();
    this.caption.textContent = scene.caption;
    this.notes.replaceChildren(...(scene.notes ?? []).map((note) => h("li", {}, note)));
    this.comment.value = this.comments[this.step] ?? "";
    if (position.terminal) this.caption.textContent = "game over";
    this.buttons.undo.disabled = position.steps === 0;
    this.drawSeats();
    this.drawTimeline();
    this.drawCurve();
  }
  turnMoves() {
    const { position } = this, scene = position.scene;
    const [role, moves] = this.humanMoves();
    this.role = role;
    if (this.table.video) { this.screen.show(scene); return; }
    const decision = this.lastDecision;
    this.board.show(scene, { moves: moves ?? [], last: position.last, line: decision && decision.step === position.step - 1 ? [] : [] });
    this.choices((moves ?? []).map(([move]) => move), moves && moves.every(([, spots]) => spots.length));
  }
  choices(moves, onBoard = false) {
    if (onBoard && moves.length > 24) { this.movesNode.replaceChildren(h("span", { className: "quiet" }, `${moves.length} moves: point at the board`)); return; }
    const many = this.table?.simultaneous && moves.length ? h("span", { className: "quiet" }, `${this.table.roles[this.role]}:`) : null;
    this.movesNode.replaceChildren(...[many, ...moves.slice(0, 300).map((move) => h("button", { type: "button", onclick: () => this.move(move) }, move))].filter(Boolean));
  }
  move(move) {
    this.desk.tell({ do: "move", role: this.role, move, step: this.position.step });
    this.chosenRoles.add(this.role);
    this.turnMoves();
  }
  drawTimeline() {
    this.slider.max = this.steps;
    this.slider.value = this.step;
    this.stepText.textContent = `${this.step} / ${this.steps}`;
  }
  drawCurve() {
    if (this.parts.curve.node.hidden) return;
    this.parts.curve.node.replaceChildren(curve(this.values, this.table.roles, { steps: this.steps, at: this.step }), h("p", { className: "quiet" }, "Each side's own estimate of its goal, from 0 to 1."));
  }
  drawTuner(decision) {
    const story = decision.tuner, role = this.table.roles[decision.role];
    if (decision.fixed) this.agreed.push(decision.fixed.same);
    const said = decision.fixed ? h("p", {}, decision.fixed.same ? "The same agent with fixed parameters plays the same move." : `With fixed parameters the same agent would have played ${decision.fixed.move}${decision.fixed.value === null ? "" : ` (value ${number(decision.fixed.value)})`}.`,
      h("span", { className: "quiet" }, ` Equal in ${this.agreed.filter(Boolean).length} of ${this.agreed.length} moves.`)) : null;
    this.parts.tuner.node.replaceChildren(h("h3", {}, `${role}: ${story.controller}`), ...[said].filter(Boolean), ...story.parameters.map((parameter, i) => stacked(parameter, story.turns, i)),
      h("h3", {}, "used most"), h("table", {}, h("tbody", {}, story.most_used.map((used) => h("tr", {}, h("td", {}, story.parameters.map((p, i) => `${p.name}=${used.values[i]}`).join(" ")), h("td", {}, number(used.samples)))))));
  }
  drawThoughts(thoughts) {
    if (thoughts.tuner) this.drawTuner({ tuner: thoughts.tuner, role: 0 });
    const rows = (thoughts.moves ?? []).map((row) => ({ ...row, spots: [] }));
    this.thoughtsNode?.replaceChildren(rootTable(rows, this.names[this.step - 1]?.[0]),
      thoughts.weights?.length ? h("h3", {}, "knowledge weights") : "", thoughts.weights?.length ? h("table", {}, h("tbody", {}, thoughts.weights.map(([name, value]) => h("tr", {}, h("td", {}, name), h("td", {}, number(value)))))) : "",
      h("p", { className: "quiet" }, `${number(thoughts.simulations)} simulations${thoughts.depth ? `, depth ${thoughts.depth}` : ""}${thoughts.deterministic === null || thoughts.deterministic === undefined ? "" : thoughts.deterministic ? ", deterministic" : ", stochastic"}`));
  }
  openTree() {
    const look = this.looks.a;
    if (!look?.tree) return;
    if (this.outline) { this.outline.draw(); return; }
    this.nodePlace = h("div", { className: "board" });
    this.outline = new OutlineView(this.desk, "a", this.table.roles, (node) => this.desk.tell({ do: "node", slot: "a", node }));
    this.parts.tree.node.replaceChildren(h("h3", {}, look.label), this.outline.node, this.nodePlace);
  }
  drawDiffer(differ) {
    const back = differ.path.map((name, i) => h("button", { type: "button", onclick: () => this.desk.tell({ do: "differ", path: differ.path.slice(0, i) }) }, name));
    const side = (entry, kind) => (entry ? [h("td", {}, bar(entry.share, kind), ` ${(100 * entry.share).toFixed(1)} %`), h("td", {}, number(entry.mean))] : [h("td", {}, "-"), h("td", {}, "-")]);
    const open = (row) => !differ.joint || row.role < 0; // where all move at once, only a joint move leads on
    const named = (row) => (differ.joint ? `${row.move}  (${row.role < 0 ? "all" : this.table.roles[row.role]})` : row.move);
    const lines = differ.lines.map((line, i) => h("p", {}, `${"AB"[i]}: `, ...line.map((move, j) => h("span", { className: j >= differ.parting ? "chip" : "" }, `${move} `))));
    this.parts.differ.node.replaceChildren(h("p", {}, `A: ${differ.labels[0]}`), h("p", {}, `B: ${differ.labels[1]}`), h("p", { className: "quiet" }, `The two spread their visits differently by ${(100 * differ.distance).toFixed(1)} %; their principal lines part at move ${differ.parting + 1}.`), ...lines,
      h("div", { className: "bar" }, back.length ? ["back to before:", ...back] : "click a move to look behind it"),
      h("div", { className: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["move", "A share", "A value", "B share", "B value", "A - B"].map((name) => h("th", {}, name)))),
        h("tbody", {}, differ.rows.map((row) => h("tr", { className: open(row) ? "pick" : "", onclick: open(row) ? () => this.desk.tell({ do: "differ", path: [...differ.path, row.move] }) : null }, h("td", {}, named(row)), ...side(row.a, ""), ...side(row.b, "b"), h("td", {}, `${row.gap > 0 ? "+" : ""}${(100 * row.gap).toFixed(1)} %`)))))));
  }
  showRecord(record) {
    const goals = (record.goals ?? []).map((goal, i) => `${this.table.roles[i]} ${number(goal, 2)}`).join(", ");
    this.parts.thoughts.title = "Record";
    this.tabs.buttons.thoughts.textContent = "Record";
    this.parts.thoughts.node.replaceChildren(h("table", {}, h("tbody", {}, [["result", goals], ["ending", `${record.ending} ${record.message ?? ""}`], ["budget", record.budget], ["score", record.score], ["version", record.version], ["seed", this.table.seed], ["signature", record.signature && Object.entries(record.signature).map((part) => part.join(" ")).join(", ")], ["overruns", record.overruns?.join(", ")]]
      .filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) => h("tr", {}, h("td", {}, name), h("td", {}, String(value)))))));
    if (record.repeat) this.parts.thoughts.node.append(h("div", { className: "bar" }, h("button", { type: "button", title: "with the same agents, budgets and seed", onclick: () => { this.letter = { game: this.table.spec, level: this.table.level, seed: this.table.seed, seats: record.repeat }; this.restart(); } }, "Play it again")));
    this.values = record.values ?? [];
    this.tabs.show("thoughts");
    this.go(0);
  }
  // ---------------------------------------------------------------- doing things
  videoKeys(human) {
    this.overlay = h("input", { type: "checkbox", checked: Boolean(this.letter.overlay), onchange: () => this.desk.tell({ do: "overlay", on: this.overlay.checked }) });
    this.thoughtsNode = h("div", {});
    if (!this.table.record) this.parts.thoughts.node.replaceChildren(h("label", { className: "check" }, this.overlay, "draw danger and planned path over the game"), this.thoughtsNode);
    removeEventListener("keydown", this.down);
    removeEventListener("keyup", this.up);
    if (!this.table.record) this.tabs.show("thoughts");
    if (!human) return;
    this.say("arrow keys or WASD move, space acts");
    const held = [];
    const tell = () => this.desk.tell({ do: "key", action: held[held.length - 1] ?? "NIL" });
    const typing = (event) => /INPUT|SELECT|TEXTAREA/.test(event.target.tagName);
    this.down = (event) => { const action = KEYS[event.key]; if (!action || event.repeat || typing(event)) return; event.preventDefault(); held.push(action); tell(); };
    this.up = (event) => { const action = KEYS[event.key]; if (!action) return; const i = held.indexOf(action); if (i >= 0) held.splice(i, 1); tell(); };
    addEventListener("keydown", this.down);
    addEventListener("keyup", this.up);
    const pad = h("div", { className: "bar" }, [["◀", "LEFT"], ["▲", "UP"], ["▼", "DOWN"], ["▶", "RIGHT"], ["use", "USE"]].map(([text, action]) => h("button", { type: "button", ariaLabel: action, onpointerdown: () => this.desk.tell({ do: "key", action }), onpointerup: () => this.desk.tell({ do: "key", action: "NIL" }) }, text)));
    this.movesNode.replaceChildren(pad);
  }
  playFrom() {
    const mover = this.position?.mover ?? 0, sims = Number(this.form.sims.value);
    const seats = this.table.roles.map((role, i) => (i === mover ? { agent: "human" } : { agent: this.form.agent.value, sims, settings: this.form.settings.value }));
    this.over = null;
    this.desk.tell({ do: "from", step: this.step, seats });
  }
  hint() { this.say("thinking about a hint ..."); this.desk.tell({ do: "search", hint: true, slot: "h", agent: this.form.agent.value, sims: Number(this.form.sims.value), step: this.step }); }
  pause() {
    this.desk.tell({ do: this.stopped ? "resume" : "stop" });
    if (this.stopped) { this.stopped = false; this.buttons.stop.textContent = "Pause"; this.say(""); }
  }
  restart() { this.names = []; this.values = []; this.agreed = []; this.looks = {}; this.outline = null; this.over = null; this.result.textContent = ""; this.open(); }
  go(step) {
    clearTimeout(this.going);
    if (step < 0 || step > this.steps) return;
    this.step = step;
    this.drawTimeline();
    this.going = setTimeout(() => this.desk.tell({ do: "at", step }), 15);
  }
  playFilm() {
    if (this.film) { clearInterval(this.film); this.film = null; return; }
    let step = this.step >= this.steps ? 0 : this.step;
    this.film = setInterval(() => { if (++step > this.steps) { clearInterval(this.film); this.film = null; } else this.go(step); }, this.table.video ? 60 : 500);
  }
  async copyLink() {
    const moves = await this.allMoves();
    const address = new URL(link({ game: this.table.spec, level: this.table.level, seed: this.table.seed, moves: moves.slice(0, this.step), comments: this.comments }), location.href).href;
    this.lastLink = address;
    try { await navigator.clipboard.writeText(address); this.say("the link is on the clipboard"); } catch { this.say(address); }
    return address;
  }
  allMoves() {
    // names that were not seen yet are in the record
    return new Promise((done) => {
      const usual = this.on_record;
      this.on_record = (text) => { this.on_record = usual; done(JSON.parse(text).moves); };
      this.desk.tell({ do: "record", plain: true });
    });
  }
  // Comments belong to the record: they are written into its file, or saved and linked with the match. Until then the browser keeps them.
  key() { return `comments:${this.table.game}:${this.table.seed}`; }
  keepComments() {
    if (this.table.record?.file) { this.desk.tell({ do: "keep", comments: this.comments }); return; }
    try { localStorage.setItem(this.key(), JSON.stringify(this.comments)); } catch { /* private mode */ }
  }
  restoreComments() {
    if (this.table.record) { this.comments = { ...this.table.record.comments, ...this.comments }; return; }
    try { this.comments = { ...JSON.parse(localStorage.getItem(this.key()) ?? "{}"), ...this.comments }; } catch { /* none kept */ }
  }
}
