# Everything below sets itself up: only Python 3.11+ and a C compiler are needed.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PY     := $(BIN)/python
SOURCES := $(shell find src -name '*.pyx' -o -name '*.pxd' -o -name '*.h' 2>/dev/null)

.PHONY: build demo test check bench clean

# One virtual environment with all extras; made anew only when pyproject.toml changes.
$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install -q -U pip
	$(PY) -m pip install -q --no-build-isolation setuptools wheel
	$(PY) tools/dependencies.py dev report openspiel rl tune | xargs $(PY) -m pip install -q
	touch $@

# Kernels are compiled in place, in parallel, only where something changed.
$(VENV)/.built: $(VENV)/.ready setup.py $(SOURCES)
	$(PY) setup.py -q build_ext --inplace
	$(PY) -m pip install -q --no-build-isolation --no-deps -e .
	touch $@

build: $(VENV)/.built

demo: build
	$(BIN)/paidia demo

test: build check
	$(PY) -m pytest -n auto

check: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	PATH=$(abspath $(BIN)):$$PATH cython-lint src
	$(BIN)/lint-imports
	$(BIN)/mypy

bench: build
	$(BIN)/paidia bench breakthrough connect4 domineering --peers

clean:
	rm -rf build $(VENV)/.built
	find src \( -name '*.so' -o -name '*.c' \) -delete
