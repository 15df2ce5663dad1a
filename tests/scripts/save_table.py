"""What was measured is kept beside the papers' plans; where those cannot be written, that is told with a remedy."""

import shutil
from pathlib import Path

from paidia.cli.main import main
from paidia.report.papers.printed import papers_folder

RUN = ["reproduce", "s002-t1", "--scale", "0.001", "--sims", "2", "--seconds", "1", "--workers", "1", "--quiet", "--save"]
installed = papers_folder()
shutil.copytree(installed, "papers")
main(RUN)  # into the installed package: this environment is ours
assert (installed / "s002" / "measured.csv").read_text() != Path("papers/s002/measured.csv").read_text()
Path("papers/s002/measured.csv").unlink()
Path("papers/s002/measured.csv").mkdir()
try:
    main([*RUN, "--no-play", "--papers", "papers"])
except SystemExit as end:
    assert end.code == 2
else:
    raise AssertionError("it was written into a folder")
print("done")
