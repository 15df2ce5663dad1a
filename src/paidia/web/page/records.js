// Records: from the folders that were given to `paidia web`, or chosen here.
import { h, field } from "./dom.js";
import { Desk } from "./wire.js";

export class RecordsView {
  constructor(world, open) {
    const game = h("select", {}, h("option", { value: "" }, "as the record says"), world.games.map((one) => h("option", { value: one.id }, one.id)));
    const file = h("input", { type: "file", accept: ".json,application/json", onchange: async () => open({ record: await file.files[0].text(), game: game.value || null }) });
    const list = h("div", {}, h("p", { className: "quiet" }, "..."));
    const show = (records) => list.replaceChildren(records.length ? h("ul", { className: "files" }, records.map((one) => h("li", {}, h("button", { type: "button", onclick: () => open({ file: one.file, game: game.value || null }) }, one.name, h("span", { className: "quiet" }, `  ${Math.ceil(one.size / 1000)} kB`)))))
      : h("p", { className: "quiet" }, "No records in the folders that were given: paidia web FOLDER"));
    this.desk = new Desk("catalogue", { only: "files" }, (letter) => { if (letter.files) show(letter.files.filter((one) => one.kind === "record")); });
    this.node = h("div", { className: "columns setup" }, h("section", { className: "card" }, h("h2", {}, "Open a record"), h("div", { className: "fields" }, field("a file of yours", file), field("game (records of GGP hosts do not tell)", game))),
      h("section", { className: "card" }, h("h2", {}, "In your folders"), list));
  }
  leave() { this.desk.close(); }
}
