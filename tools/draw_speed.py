"""Draw `paidia bench ... --peers --json` (on stdin) as a picture: our rates beside the peer's, on a logarithmic axis.

paidia bench tic-tac-toe connect4 breakthrough reversi hex go --peers --json | python tools/draw_speed.py speed.svg
"""

import json
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "paidia"
import matplotlib.pyplot as plt  # noqa: E402

rows = [row for row in json.load(sys.stdin) if row.get("peers")]
figure, axes = plt.subplots(1, 2, figsize=(10, 3.4), sharey=True, constrained_layout=True)
for axis, field, title in zip(
    axes, ("playouts_per_s", "sims_per_s"), ("random playouts per second", "plain UCT simulations per second"), strict=True
):
    for i, row in enumerate(reversed(rows)):
        ours, theirs = row[field], row["peers"][0][field]
        axis.barh(i + 0.2, ours, 0.38, color="#0072B2", label="paidia" if i == 0 else None)
        axis.barh(
            i - 0.2,
            theirs,
            0.38,
            color="#E69F00",
            hatch="//",
            edgecolor="white",
            label=row["peers"][0]["name"] if i == 0 else None,
        )
        axis.text(ours, i + 0.2, f" {ours / theirs:.0f}x", va="center", fontsize=8)
    axis.set_xscale("log")
    axis.margins(x=0.15)
    axis.set_title(title, fontsize=10)
    axis.set_yticks(range(len(rows)), [row["game"] for row in reversed(rows)])
    axis.spines[["top", "right"]].set_visible(False)
axes[1].legend(frameon=False, fontsize=8, loc="lower right")
figure.savefig(sys.argv[1], metadata={"Date": None})
