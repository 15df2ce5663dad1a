// What is shown follows the part of the address after #.
import { h } from "./dom.js";
import { Desk, onTrouble } from "./wire.js";
import { readMoves } from "./links.js";

const main = document.getElementById("main"), status = document.getElementById("status");
let view = null, world = null, kept = null;
globalThis.paidia = { view: {} };

function say(text, bad = false) {
  status.textContent = text;
  status.classList.toggle("bad", bad);
}
onTrouble((text) => say(text, Boolean(text)));

const catalogue = fetch("catalogue.json").then((answer) => answer.json()).then((found) => {
  if (!found.catalogue) throw new Error(found.error ?? "no games");
  world = found.catalogue;
}).catch((error) => say(error.message, true));

function open(letter) {
  kept = letter;
  if (location.hash.startsWith("#/table")) route();
  else location.hash = "#/table";
}

const VIEWS = {
  play: async () => { const { PlayView } = await import("./play.js"); return new PlayView(world, open); },
  records: async () => { const { RecordsView } = await import("./records.js"); return new RecordsView(world, open, say); },
  rules: async () => { const { RulesView } = await import("./rules.js"); return new RulesView(world, (edited) => choose(edited), say); },
  lab: async () => { const { LabView } = await import("./lab.js"); return new LabView(world, (match) => open({ game: match.game, level: match.level, seed: match.seed, seats: match.seats }), say); },
  table: async (query) => {
    const { TableView } = await import("./table.js");
    const letter = query.get("game") ? { game: query.get("game"), level: query.get("level"), seed: Number(query.get("seed") ?? 0), moves: readMoves(query.get("moves")), comments: JSON.parse(query.get("comments") ?? "{}") } : kept;
    if (!letter) { location.hash = "#/play"; return null; }
    return new TableView(letter, world, say);
  },
};

async function choose(edited) {
  // edited rules: the roles are known once a child has read them
  const desk = new Desk("table", edited, (letter) => {
    if (letter.error) { say(letter.error, true); desk.close(); }
    if (!letter.table) return;
    desk.close();
    const video = letter.table.video;
    open({ ...edited, seats: letter.table.roles.map((role, i) => ({ agent: i === 0 ? "human" : "uct", ...(video ? { time: 0.04 } : { sims: 1000 }) })) });
  });
}

let routing = 0;
async function route() {
  const turn = ++routing;
  const [, name = "play", query = ""] = /^#\/(\w+)(?:\?(.*))?$/s.exec(location.hash) ?? [];
  view?.leave();
  view = null;
  say("");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${name}` || (name === "table" && link.hash === "#/play")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  await catalogue;
  try {
    const made = await (VIEWS[name] ?? VIEWS.play)(new URLSearchParams(query));
    if (turn !== routing) { made?.leave(); return; }
    if (!made) return;
    view = made;
    main.replaceChildren(view.node);
    globalThis.paidia = { view, world, say };
  } catch (error) {
    main.replaceChildren(h("p", {}, `this cannot be shown: ${error.message}`));
    throw error;
  }
}
addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey || !view?.go) return;
  if (event.key === ",") view.go(view.step - 1);
  else if (event.key === ".") view.go(view.step + 1);
  else if (event.key === "u" && !view.table?.video) view.buttons.undo.click();
  else if (event.key === "h" && !view.table?.video) view.buttons.hint.click();
});
route();
