// Choosing a game and who plays it.
import { h, field, options } from "./dom.js";
import { drawing } from "./scene.js";
import { Desk } from "./wire.js";

const WORLDS = { board: "Boards", gdl: "Rule sheets (GDL)", vgdl: "Video games" };

export class PlayView {
  constructor(world, start) {
    this.world = world;
    this.start = start;
    this.game = h("select", { onchange: () => this.chosen() });
    for (const [id, title] of Object.entries(WORLDS)) {
      this.game.append(h("optgroup", { label: title }, world.games.filter((game) => game.world === id).map((game) => h("option", { value: game.id, title: game.summary }, game.id))));
    }
    this.game.value = "connect4";
    this.size = h("input", { placeholder: "usual", ariaLabel: "board size" });
    this.level = h("select", {});
    this.seed = h("input", { type: "number", min: 0, value: 0 });
    this.clock = h("input", { type: "number", min: 0, value: 0 });
    this.shadow = h("input", { type: "checkbox" });
    this.overlay = h("input", { type: "checkbox" });
    this.summary = h("p", { className: "quiet" });
    this.seats = h("div", { className: "seats" });
    this.preview = h("div", { className: "board" });
    this.sizeField = field("board size", this.size, "8 or 8x6");
    this.levelField = field("level", this.level);
    this.clockField = field("clock for people, seconds", this.clock, "0: none");
    this.overlayField = h("label", { className: "check" }, this.overlay, "draw the agent's thoughts over the game");
    this.shadowField = h("label", { className: "check" }, this.shadow, "ask the same agent with fixed parameters, too");
    const form = h("form", { onsubmit: (event) => { event.preventDefault(); this.begin(); } },
      h("h2", {}, "A new match"), h("div", { className: "fields" }, field("game", this.game), this.sizeField, this.levelField), this.summary, this.seats,
      h("div", { className: "fields" }, field("seed", this.seed), this.clockField), this.overlayField, this.shadowField,
      h("div", { className: "bar" }, h("button", { className: "main", type: "submit" }, "Start"), h("button", { type: "button", onclick: () => this.watch() }, "Watch two agents")));
    this.node = h("div", { className: "columns setup" }, h("section", { className: "card" }, form), h("section", { className: "card" }, this.preview));
    this.chosen();
  }
  info() { return this.world.games.find((game) => game.id === this.game.value); }
  chosen() {
    const game = this.info(), video = game.world === "vgdl";
    this.summary.textContent = game.summary;
    this.sizeField.hidden = game.world !== "board";
    this.levelField.hidden = !video;
    this.clockField.hidden = video;
    this.overlayField.hidden = !video;
    this.size.value = "";
    options(this.level, game.level_names.map((name) => [name, name]), "0");
    const fitting = this.world.agents.filter((agent) => agent.world === "any" || (agent.world === "vgdl") === video);
    const others = this.world.agents.filter((agent) => !fitting.includes(agent));
    this.rows = game.roles.map((role, i) => {
      const agent = h("select", { ariaLabel: `who plays ${role}` }, h("option", { value: "human" }, "a person"),
        h("optgroup", { label: "agents" }, fitting.map((one) => h("option", { value: one.id, title: one.summary }, one.id))), h("optgroup", { label: "of the other world" }, others.map((one) => h("option", { value: one.id, title: one.summary }, one.id))));
      agent.value = i === 0 ? "human" : "grave";
      const unit = options(h("select", { ariaLabel: "unit" }), [["sims", "simulations"], ["time", "seconds"]], video ? "time" : "sims");
      const amount = h("input", { type: "number", min: 0, step: "any", value: video ? 0.04 : 2000, ariaLabel: "budget of a move" });
      const settings = h("input", { className: "wide", placeholder: "settings: C=0.4, ...", ariaLabel: "settings" });
      return { agent, unit, amount, settings };
    });
    this.seats.replaceChildren(...game.roles.map((role, i) => h("fieldset", { className: "fields card" }, h("legend", {}, role), this.rows[i].agent, this.rows[i].amount, this.rows[i].unit, this.rows[i].settings)));
    this.show();
  }
  show() {
    this.peek?.close();
    this.peek = new Desk("table", { game: this.game.value, level: this.level.value || null }, (letter) => {
      if (!letter.position) return;
      this.preview.replaceChildren(drawing(letter.position.scene), h("p", { className: "caption" }, this.game.value));
      this.peek.close();
    });
  }
  leave() { this.peek?.close(); }
  letter() {
    const game = this.info(), size = this.size.value.trim();
    return { game: size && game.world === "board" ? `${game.id}@${size}` : game.id, level: game.world === "vgdl" ? this.level.value : null, seed: Number(this.seed.value) || 0, clock: Number(this.clock.value) || 0, overlay: this.overlay.checked,
      seats: this.rows.map(({ agent, unit, amount, settings }) => ({ agent: agent.value, [unit.value]: Number(amount.value), settings: settings.value, shadow: this.shadow.checked })) };
  }
  begin() { this.start(this.letter()); }
  watch() {
    const video = this.info().world === "vgdl";
    this.rows.forEach(({ agent }, i) => { if (agent.value === "human") agent.value = video ? "maastcts2" : ["grave", "uct", "mast"][i % 3]; });
    this.begin();
  }
}
