// The laboratory: plans and stores, progress, tables, heat maps, matches.
import { h, field, number } from "./dom.js";
import { Desk } from "./wire.js";

const shade = (mean) => { const t = Math.max(0, Math.min(1, mean)); return `hsl(${t < 0.5 ? 24 : 205} ${Math.round(30 + 55 * Math.abs(t - 0.5) * 2)}% ${Math.round(88 - 30 * Math.abs(t - 0.5) * 2)}%)`; };

// "54.2 (49.8 to 58.5)" on two lines, so that a row of cells stays narrow.
const two = (points) => { const [mean, range] = points.split(" ("); return range ? [mean, h("small", {}, range.slice(0, -1))] : [mean]; };

export class LabView {
  constructor(world, replay, say) {
    this.replay = replay;
    this.say = say;
    this.files = h("div", {}, h("p", { className: "quiet" }, "..."));
    this.workers = h("input", { type: "number", min: 1, max: 64, value: 1 });
    this.progress = h("div", { role: "status" });
    this.tables = h("div", { className: "scroll" }, h("p", { className: "quiet" }, "Open a store to see its tables, or run a plan."));
    this.matches = h("div", { className: "scroll" });
    this.node = h("div", { className: "columns lab" }, h("section", { className: "card" }, h("h2", {}, "Plans and stores"), field("processes for a run", this.workers), this.files, this.progress), h("section", { className: "card" }, this.tables, this.matches));
    this.desk = new Desk("lab", {}, (letter) => this.hear(letter));
  }
  hear(letter) {
    if (letter.error) { this.say(letter.error, true); this.tables.querySelector("[role=status]")?.remove(); }
    if (letter.files) this.showFiles(letter.files);
    if (letter.progress) this.showProgress(letter.progress);
    if (letter.store) this.showStore(letter.store);
    if (letter.matches) this.showMatches(letter.matches);
  }
  showFiles(files) {
    const part = (kind, verb, act) => files.filter((one) => one.kind === kind).map((one) => h("li", {}, h("button", { type: "button", onclick: () => act(one.file) }, `${verb} ${one.name}`)));
    const plans = part("plan", "Run", (file) => this.desk.tell({ do: "run", file, workers: Number(this.workers.value) }));
    const stores = part("store", "Open", (file) => { this.tables.replaceChildren(h("p", { className: "quiet", role: "status" }, "reading ...")); this.matches.replaceChildren(); this.desk.tell({ do: "store", file }); });
    this.files.replaceChildren(h("h3", {}, "stores"), stores.length ? h("ul", { className: "files" }, stores) : h("p", { className: "quiet" }, "none in the folders that were given: paidia web FOLDER"), h("h3", {}, "plans"), plans.length ? h("ul", { className: "files" }, plans) : h("p", { className: "quiet" }, "none"));
  }
  showProgress(progress) {
    if (progress.elsewhere) { this.progress.replaceChildren(h("h3", {}, "growing"), h("p", {}, `${number(progress.done)} matches so far, played somewhere else`)); return; }
    const stop = progress.running ? h("button", { type: "button", onclick: () => this.desk.tell({ do: "halt" }) }, "Stop") : "";
    this.progress.replaceChildren(h("h3", {}, progress.running ? "running" : progress.message ? "ended" : "done"), h("progress", { max: Math.max(1, progress.target), value: progress.done }), h("p", {}, `${number(progress.done)} of ${number(progress.target)} matches${progress.rate ? `, ${progress.rate.toFixed(2)} a second` : ""} ${progress.message ?? ""}`), stop);
  }
  showStore(store) {
    const groups = store.groups, games = [...new Set(groups.map((g) => g.game))];
    const name = (g) => (g.opponent ? `${g.agent} - ${g.opponent}` : g.agent);
    const pairs = [...new Set(groups.map(name))];
    const cell = (g) => { if (!g || g.mean === null) return h("td", {}, ""); const button = h("button", { type: "button", title: `${g.n} matches, ${g.wins} won, ${g.draws} drawn, ${g.losses} lost; ${g.budget}`, onclick: () => this.desk.tell({ do: "matches", key: g.key }) }, ...two(g.points)); button.style.background = shade(g.mean); return h("td", {}, button); };
    const heat = h("table", { className: "heat" }, h("thead", {}, h("tr", {}, h("th", {}, "game"), pairs.map((pair) => h("th", {}, pair)))), h("tbody", {}, games.map((game) => h("tr", {}, h("td", {}, game), pairs.map((pair) => cell(groups.find((g) => g.game === game && name(g) === pair)))))));
    const paper = store.papers.flatMap((table) => [h("h3", {}, `beside the paper: ${table.id}`), h("table", {}, h("thead", {}, h("tr", {}, ["game", "agent", "opponent", "paper", "ours", "verdict"].map((t) => h("th", {}, t)))), h("tbody", {}, table.rows.map((row) => h("tr", {}, h("td", {}, row.game), h("td", {}, row.agent), h("td", {}, row.opponent), h("td", {}, number(row.paper, 1)), h("td", {}, row.ours), h("td", {}, `${row.verdict}${row.more ? ` (${number(row.more)} more)` : ""}`)))))]);
    this.tables.replaceChildren(h("h2", {}, store.file), h("p", { className: "quiet" }, "Points in percent, below them their 95 % interval (from 10 matches on); click a cell to see its matches."), heat, ...paper);
  }
  showMatches(matches) {
    this.matches.replaceChildren(h("h3", {}, `${matches.length} matches`), h("table", {}, h("thead", {}, h("tr", {}, ["match", "goals", "moves", "ending", ""].map((t) => h("th", {}, t)))), h("tbody", {}, matches.map((match) => h("tr", {}, h("td", {}, `pair ${match.pair}, seat ${match.seat}${match.level !== null ? `, level ${match.level}` : ""}`), h("td", {}, (match.goals ?? []).map((goal) => number(goal, 2)).join(" ")), h("td", {}, match.moves), h("td", {}, match.ending), h("td", {}, h("button", { type: "button", title: "play it again with the same seed", onclick: () => this.replay(match) }, "replay")))))));
  }
  leave() { this.desk.close(); }
}
