// A position as a link: game, level, seed and all moves. Equal steps in a row are counted: "LEFT*3".
export function writeMoves(moves) {
  const steps = moves.map((joint) => joint.map((name) => name ?? "").join("|"));
  const out = [];
  for (let i = 0; i < steps.length;) {
    let n = 1;
    while (steps[i + n] === steps[i]) n++;
    out.push(n > 1 ? `${steps[i]}*${n}` : steps[i]);
    i += n;
  }
  return out.join(";");
}

export function readMoves(text) {
  if (!text) return [];
  return text.split(";").flatMap((step) => {
    const found = /^(.*)\*(\d{1,5})$/s.exec(step);
    const joint = (found ? found[1] : step).split("|").map((name) => name || null);
    return Array.from({ length: found ? Math.min(20000, Number(found[2])) : 1 }, () => joint);
  });
}

export function link({ game, level, seed, moves, comments }) {
  const query = new URLSearchParams({ game, seed: String(seed) });
  if (level !== null && level !== undefined) query.set("level", level);
  if (moves.length) query.set("moves", writeMoves(moves));
  const said = Object.entries(comments ?? {}).filter(([, words]) => words);
  if (said.length) query.set("comments", JSON.stringify(Object.fromEntries(said)));
  return `#/table?${query}`;
}
