"""Builds every `.pyx` below `src/paidia`; a new kernel file needs no entry here.

Cython translates one file after the other in this process, while compilers already work on the files that are done.
A kernel is built again when what it was made of has other contents (not when it is merely newer): the file, every file it
cimports directly or not, the C headers they name, the flags and the Cython at work. `build/kernels.json` remembers it.

    PAIDIA_OPT=1 make build    compile what changed with -O1, for short rounds; the next build without it makes that fast again
    PAIDIA_JOBS=8 make build   compilers at the same time (default: one for each core)
    PAIDIA_KERNELS=later pip install -e .   install without compiling anything
    PAIDIA_KERNELS=first make build   without the rooms that a first look does not enter (LATER below)
    PAIDIA_SANITIZE=address,undefined   watch memory and arithmetic, slowly (see tools/sanitize.sh)
"""

import gc
import hashlib
import json
import os
import platform
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from threading import Lock

import Cython
from Cython.Build import cythonize
from Cython.Compiler import Options
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent.resolve()
os.chdir(ROOT)
TRANSLATED = Path("build/cython")  # the generated C is never in the source tree
RECORD = Path("build/kernels.json")
WINDOWS = sys.platform == "win32"

# No -march=native: what we ship runs on every machine of the platform. x86-64-v2 (2009, with a population count) is what
# numpy's own wheels ask for, so nobody is shut out by it.
# -ffp-contract=off keeps results bit-equal between machines with and without fused multiply-add.
# -g0: Python's own flags ask for debug information, which costs as much time as the code.
# -Wno-maybe-uninitialized: loops over the words of a board run at least once, which gcc cannot know.
FLAGS = ["/O2"] if WINDOWS else ["-g0", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
if not WINDOWS:
    FLAGS += ["-Wno-unreachable-code", "-Wno-maybe-uninitialized"]
if platform.machine().lower() in {"x86_64", "amd64"} and not WINDOWS:
    FLAGS.append("-march=x86-64-v2")
# Kernels compile at -O2. One that gains from more, or works once a move or a game, says so in its first lines:
# `# distutils: extra_compile_args = -O3` (the boards: reversi is seven times as fast), or -O1.
USUAL, COLD = ([], []) if WINDOWS else (["-O2"], ["-O1"])
SANITIZE = [f"-fsanitize={os.environ['PAIDIA_SANITIZE']}"] if os.environ.get("PAIDIA_SANITIZE") else []
if SANITIZE:  # with the lines of the C in what it reports
    FLAGS += [*SANITIZE, "-g1", "-fno-omit-frame-pointer"]
    LINK = SANITIZE
else:  # without names that only a debugger would read
    LINK = [] if WINDOWS else ["-Wl,-x" if sys.platform == "darwin" else "-Wl,-s"]
OPTIMISE = int(os.environ.get("PAIDIA_OPT", 3))
JOBS = int(os.environ.get("PAIDIA_JOBS", 0))
# Rooms that `make demo` does not wait for: tests/test_kernels.py runs it without them, and finds what could be one of them.
# Whoever enters one before `make build` is told so (core/loading/kernels.py).
LATER = (
    "paidia.connect", "paidia.control.python_tuner", "paidia.control.tuners", "paidia.core.lanes", "paidia.core.machine.maths",
    "paidia.core.python.", "paidia.games.gdl.hidden", "paidia.games.gdl.interpreter", "paidia.games.gdl.lanes",
    "paidia.games.key_table", "paidia.games.perft", "paidia.games.vgdl.engine.position",
    "paidia.search.evaluation.knowledge_2014", "paidia.search.planners", "paidia.search.playout.fast",
    "paidia.search.playout.last_good_reply",
    "paidia.search.playout.past", "paidia.search.playout.pool_rave", "paidia.testing",
)  # fmt: skip
SHOWN = tuple(f"paidia.control.tuners.{name}" for name in ("fixed", "lsi", "ntbea"))  # what the demo needs of them

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
    "freethreading_compatible": False,
    "auto_pickle": False,  # states and searches hold pointers: they could never be pickled, the code for it only costs
}
Options.emit_code_comments = False

# What all kernels need of Cython itself (memory views above all) is compiled once, not into each of them.
SHARED = Extension("paidia._cyutility", ["src/paidia/_cyutility.c"], extra_compile_args=[*FLAGS, *COLD], extra_link_args=LINK)


def kernel(path: Path) -> Extension:
    """The extension module for one `.pyx`, named by its place in the package."""
    name = ".".join(path.relative_to("src").with_suffix("").parts)
    return Extension(name, [str(path)], extra_compile_args=FLAGS, extra_link_args=LINK, include_dirs=["src"])


def gather(folder: Path) -> None:
    """Write `all.pxi`, which includes every other `.pxi` of a folder: a new unit there needs no entry anywhere either."""
    units = sorted(unit.name for unit in folder.glob("*.pxi") if unit.name != "all.pxi")
    text = "".join(f'include "{name}"\n' for name in units)
    everything = folder / "all.pxi"
    if not everything.exists() or everything.read_text() != text:
        everything.write_text(text)


def translate(extension: Extension) -> None:
    """Give the extension C instead of Cython sources."""
    translated = cythonize(
        [extension],
        force=True,
        quiet=True,
        build_dir=str(TRANSLATED),
        include_path=["src"],
        compiler_directives=dict(DIRECTIVES),
        shared_utility_qualified_name=SHARED.name,
    )[0]
    extension.sources, extension.language = translated.sources, translated.language
    quicken(Path(translated.sources[0]))
    own = [flag for flag in translated.extra_compile_args if flag not in FLAGS and not (WINDOWS and flag.startswith("-"))]
    extension.extra_compile_args = [*FLAGS, *USUAL, *own]  # the last one counts


# The last two thirds of a generated file run once, when the module is imported, or are Cython's own helpers for Python objects.
# Optimising them would take gcc as long as our code does; clang does not know the pragma and takes no harm from its absence.
SECTIONS = {"module_exttypes": "O0", "utility_code_def": "O1"}


def quicken(generated: Path) -> None:
    """Ask gcc not to spend its time on what is not ours."""
    text = generated.read_text(encoding="utf-8")
    for section, level in SECTIONS.items():
        mark = f"/* #### Code section: {section} ### */\n"
        pragma = f'#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC optimize ("{level}")\n#endif\n'
        text = text.replace(mark, mark + pragma, 1)
    generated.write_text(text, encoding="utf-8")


class Contents:
    """What every kernel is made of, as one number for each.

    Files are found by the lines that name them (Cython's own search takes ten times as long): `from paidia.x cimport`,
    `include`, and `extern from` for our C headers.
    """

    def __init__(self) -> None:
        self.recipe = json.dumps(
            [Cython.__version__, FLAGS, USUAL, LINK, DIRECTIVES, SECTIONS, os.environ.get("CC"), os.environ.get("CFLAGS")]
        )

    def of(self, extension: Extension) -> str:
        """Changes when, and only when, the kernel has to be built again."""
        files = set() if extension is SHARED else self.files(extension)
        parts = [self.recipe, *(f"{file.as_posix()} {self.digest(file)}" for file in sorted(files))]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def files(self, extension: Extension) -> set[Path]:
        """All files of ours that a kernel is made of."""
        found: set[Path] = set()
        todo = [Path(extension.sources[0])]
        while todo:
            file = todo.pop()
            if file not in found:
                found.add(file)
                todo += self.named(file)
        return found

    def first(self, extensions: list[Extension]) -> list[Extension]:
        """All but those of the rooms in LATER that no other kernel is compiled against."""
        chosen = [one for one in extensions if one.name in SHOWN or not one.name.startswith(LATER)]
        files = {file for one in chosen if one is not SHARED for file in self.files(one)}
        needed = {file.with_suffix(".pyx") for file in files if file.suffix == ".pxd" and self.declares(file)}
        return [one for one in extensions if one in chosen or Path(one.sources[0]) in needed]

    @staticmethod
    def declares(file: Path) -> bool:
        """Whether declarations are those of a kernel, and not of C alone or of what is copied into every kernel."""
        own = r"^(cdef class|cp?def (?!extern|inline|enum|struct|packed))"
        return re.search(own, file.read_text(encoding="utf-8"), re.MULTILINE) is not None

    @staticmethod
    @cache
    def named(file: Path) -> list[Path]:
        """The files that a file names, and the declarations that belong to it."""
        text = file.read_text(encoding="utf-8")
        modules = re.findall(r"^ *(?:from +(paidia[\w.]*) +cimport|cimport +(paidia[\w.]*))", text, re.MULTILINE)
        packages = re.findall(r"^ *from +(paidia[\w.]*) +cimport +\(?([\w, \n]+)", text, re.MULTILINE)
        modules += [
            (f"{package}.{name.split()[0]}", "") for package, names in packages for name in names.split(",") if name.split()
        ]
        found = [Path("src", *(one or other).split(".")).with_suffix(".pxd") for one, other in modules]
        found += [one.with_suffix("") / "__init__.pxd" for one in found]
        found += [file.parent / name for name in re.findall(r'^ *include +"([^"]+)"', text, re.MULTILINE)]
        found += [Path("src", name) for name in re.findall(r'extern from "(paidia/[^"]+)"', text)]
        return [one for one in [*found, file.with_suffix(".pxd")] if one != file and one.is_file()]

    @staticmethod
    @cache
    def digest(file: Path) -> str:
        return hashlib.sha256(file.read_bytes()).hexdigest()


class BuildKernels(build_ext):
    """Translate and compile what changed, both at the same time."""

    def run(self) -> None:
        """Build where the kernels belong: setuptools would build elsewhere and copy, and `pip install -e` all of it once more."""
        super(build_ext, self).run()

    def build_extensions(self) -> None:
        """Find what changed and build it; the first error ends everything."""
        which = os.environ.get("PAIDIA_KERNELS")
        if which == "later":
            return
        self.force = True  # what is out of date is known here, not to setuptools
        self.record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
        self.remove_lost_kernels()
        contents = Contents()
        wanted = {extension.name: {"contents": contents.of(extension), "optimise": OPTIMISE} for extension in self.extensions}
        todo = contents.first(self.extensions) if which == "first" else self.extensions
        todo = [extension for extension in todo if not self.is_current(extension, wanted[extension.name])]
        todo = [extension for extension in todo if not self.copied(extension, wanted[extension.name])]
        if not todo:
            return
        start, before = time.perf_counter(), sum(os.times()[:4])
        self.writing = Lock()
        jobs = JOBS or self.parallel or 1
        print(f"compiling {len(todo)} of {len(self.extensions)} kernels, {jobs} at a time", flush=True)
        gc.disable()  # a third of Cython's time; its trees of all kernels together take less than a gigabyte
        with ThreadPoolExecutor(jobs) as pool:
            running = []
            try:
                for extension in todo:
                    translate(extension)
                    running.append(pool.submit(self.compile, extension, wanted[extension.name]))
                    if failed := next((job for job in running if job.done() and job.exception()), None):
                        failed.result()
                for job in as_completed(running):
                    job.result()
            except BaseException:
                pool.shutdown(cancel_futures=True)  # the first error is reported at once
                raise
        gc.enable()
        spent = sum(os.times()[:4]) - before
        print(f"compiled in {time.perf_counter() - start:.0f} s ({spent:.0f} s of processor time)", flush=True)

    def compile(self, extension: Extension, made_of: dict[str, object]) -> None:
        """Compile and link the C of one kernel, then remember what it was made of."""
        if OPTIMISE < 3 and not WINDOWS:
            extension.extra_compile_args = [*extension.extra_compile_args, f"-O{OPTIMISE}"]
        self.build_extension(extension)
        with self.writing:
            self.record[self.place(extension.name)] = made_of
            RECORD.write_text(json.dumps(self.record, indent=0, sort_keys=True))
            if sys.stdout.isatty():
                print(f"\r{extension.name:60}", end="\r", flush=True)

    def place(self, name: str) -> str:
        """Where the finished kernel is, seen from the project's folder."""
        return Path(os.path.relpath(self.get_ext_fullpath(name))).as_posix()

    def is_current(self, extension: Extension, wanted: dict[str, object]) -> bool:
        """Whether the kernel there is made of the same, and optimised at least as much."""
        return self.fits(self.place(extension.name), wanted)

    def fits(self, place: str, wanted: dict[str, object]) -> bool:
        there = self.record.get(place)
        return bool(
            there and there["contents"] == wanted["contents"] and there["optimise"] >= wanted["optimise"] and Path(place).exists()
        )

    def copied(self, extension: Extension, wanted: dict[str, object]) -> bool:
        """A package takes the kernel that was compiled in place, if that is made of the same."""
        built = Path("src", self.get_ext_filename(extension.name)).as_posix()
        place = self.place(extension.name)
        if place == built or not self.fits(built, wanted):
            return False
        self.mkpath(str(Path(place).parent))
        self.copy_file(built, place)
        return True

    def remove_lost_kernels(self) -> None:
        """A kernel whose `.pyx` is gone must not be importable any more."""
        for home in {Path("src"), Path(self.build_lib)}:  # a folder of builds is used again, too
            modules = {Path(home, *extension.name.split(".")) for extension in self.extensions}
            for suffix in (".so", ".pyd"):
                for path in Path(home, "paidia").rglob(f"*{suffix}"):
                    if path.with_name(path.name.split(".")[0]) not in modules:
                        path.unlink()


class BuildPackage(build_py):
    """The papers' plans and numbers are for readers of the repository, at its top; an installed paidia has them inside."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        for file in (file for kind in ("toml", "csv", "md") for file in Path("papers").rglob(f"*.{kind}")):
            place = Path(self.build_lib, "paidia", file)
            self.mkpath(str(place.parent))
            self.copy_file(str(file), str(place))


for folder in {unit.parent for unit in Path("src").rglob("*.pxi")}:
    gather(folder)


def size(path: Path) -> int:
    """Bytes that a kernel is made of, with the units that it includes."""
    units = path.parent.rglob("*.pxi") if re.search(r'^ *include "', path.read_text(encoding="utf-8"), re.MULTILINE) else ()
    return sum(file.stat().st_size for file in (path, *units))


# The largest first, so that no core is left with a long one at the end.
kernels = [kernel(path) for path in sorted(Path("src").rglob("*.pyx"), key=size, reverse=True)]
if __name__ == "__main__":
    setup(
        ext_modules=[SHARED, *kernels],
        cmdclass={"build_ext": BuildKernels, "build_py": BuildPackage},
        options={"build_ext": {"parallel": os.cpu_count() or 1}},
    )
