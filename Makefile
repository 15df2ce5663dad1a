# Everything below sets itself up: only Python 3.11+ and a C compiler are needed.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PY     := $(BIN)/python
# Bytecode is made when a module is first imported: most of what is installed never is.
PIP    := $(PY) -m pip install -q --disable-pip-version-check --no-compile
# Tests of one file stay in one process as far as both have work: what they share is made once.
PYTEST := $(PY) -m pytest -n auto --dist worksteal
SOURCES := $(shell find src -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h' 2>/dev/null)

# Packages are installed while kernels are compiled.
MAKEFLAGS += -j2

.PHONY: help build tools demo test check format docs bench complete sanitize fuzz ci clean
.DEFAULT_GOAL := help

help:      ## this list
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 12
	@echo "PAIDIA_OPT=1 make build compiles quickly what you changed; the next plain make makes it fast code again"

# A virtual environment with what compiles kernels; made anew only when pyproject.toml changes.
$(VENV)/.ready: pyproject.toml tools/dependencies.py
	@echo "making $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(PY) tools/dependencies.py build | xargs $(PIP)
	@touch $@

# Kernels are compiled in place, only where something changed (see setup.py). Quick code is never the last word.
$(VENV)/.built: $(VENV)/.ready setup.py $(SOURCES)
	@$(PY) setup.py -q build_ext --inplace
	@test -n "$(PAIDIA_OPT)" || touch $@

# A first look does not wait for the rooms that it does not enter (LATER in setup.py).
$(VENV)/.first: $(VENV)/.ready setup.py $(SOURCES)
	@PAIDIA_KERNELS=first $(PY) setup.py -q build_ext --inplace
	@touch $@

# The `paidia` of the virtual environment is the one of this folder.
$(VENV)/.installed: $(VENV)/.ready
	@PAIDIA_KERNELS=later $(PIP) --no-build-isolation -e '.[web]'
	@touch $@

# What only tests, checks and comparisons need.
$(VENV)/.tools: $(VENV)/.installed
	@echo "installing the tools of developers"
	@$(PY) tools/dependencies.py dev report openspiel rl tune cluster analysis | xargs $(PIP)
	@touch $@

build: $(VENV)/.built $(VENV)/.installed    ## compile what changed

tools: build $(VENV)/.tools

demo: $(VENV)/.first $(VENV)/.installed    ## watch agents play boards, rule sheets and video games
	@$(BIN)/paidia demo
	@test -f $(VENV)/.built || echo "make build compiles the rest: planners, most tuners, the interpreter of large rule sheets, lanes, games in Python"
	@echo "play, watch and look inside in the browser: $(BIN)/paidia web --open"

test: check    ## all checks, then all tests
	@command -v chromium chromium-browser google-chrome >/dev/null || echo "no Chromium: tests of the page in a browser are skipped (apt-get install chromium)"
	$(PYTEST)

complete: tools    ## the long forms of tests, and those for which a package is missing elsewhere
	$(PY) tools/dependencies.py docs | xargs $(PIP)
	PAIDIA_COMPLETE=1 $(PYTEST) -m "slow or longer"

check: tools    ## style, layers, types and stubs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH=$(abspath $(BIN)):$$PATH cython-lint src
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(PY) tools/check_stubs.py

format: tools    ## put all Python files into the one form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: tools    ## the pages that follow from code and results, and the site (build/site)
	$(PY) tools/write_results.py
	$(PY) tools/write_coverage.py
	$(PY) tools/write_reference.py
	$(PY) tools/dependencies.py docs | xargs $(PIP)
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build -q --strict

bench: tools    ## rates of games and searches, beside OpenSpiel's
	$(BIN)/paidia bench breakthrough connect4 domineering --peers

sanitize: tools    ## kernels with address and undefined-behaviour sanitizers, and their tests
	PYTHON=$(PY) tools/sanitize.sh

fuzz: tools    ## every door for text of others, for MINUTES=5: finds go to build/fuzz
	PYTHONPATH=src $(PY) tools/fuzz.py --minutes $(or $(MINUTES),5)

ci:    ## what the continuous integration runs
	.ci/run

clean:    ## remove what was compiled
	rm -rf build $(VENV)/.built
	find src \( -name '*.so' -o -name '*.pyd' -o -name '*.c' -o -name '*.cpp' \) -delete
