# Everything here sets itself up: the first target that needs it makes .venv and installs Conche into it.
# Needs Python 3.11 or newer, git and make. Another Python: `make distclean`, then `make PYTHON=python3.12`.

PYTHON  ?= python3
WORKERS ?= 2
ARGS    ?=

VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.conche-installed
TYPED := $(wildcard compiler runtime generated)

.DEFAULT_GOAL := help
.PHONY: help setup play test test-all lint check bench docs generated format clean distclean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:[^#]*## */|/' | awk -F'|' '{ printf "make %-10s %s\n", $$1, $$2 }'

setup: $(STAMP)  ## make .venv and install Conche and its tools into it

$(STAMP): pyproject.toml hatch_build.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Conche needs Python 3.11 or newer; say which with: make PYTHON=python3.12" >&2; exit 1; }
	@echo 'setting up .venv with Conche and its tools (once, a minute or two) …'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

play: $(STAMP)  ## watch four random bots play a whole game of Cacao
	@$(BIN)/conche play cacao --players 4 --seed 1 --bots random $(ARGS)

test: $(STAMP)  ## the whole test suite
	@$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

test-all: $(STAMP)  ## the whole test suite, over all combinations of modules (long)
	@CONCHE_TEST_ALL=1 $(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

lint: $(STAMP)  ## style, formatting and types
	@$(BIN)/python -m ruff check --quiet .
	@$(BIN)/python -m ruff format --quiet --check .
	@$(BIN)/python -m mypy --strict $(TYPED)

check: lint  ## lint, then the fast tests
	@$(BIN)/python -m pytest -n $(WORKERS) -m "not slow" $(ARGS)

bench: $(STAMP)  ## measure games per second
	@$(BIN)/python tests/bench/run.py $(ARGS)

docs: $(STAMP)  ## build the documentation as a site: build/docs/html/index.html
	@$(BIN)/python docs/site/assemble.py build/docs/pages
	@$(BIN)/python -m sphinx -W --keep-going -q -c docs/site -d build/docs/doctrees -b html \
	  build/docs/pages build/docs/html $(ARGS)
	@echo 'the documentation is in build/docs/html/index.html'

generated: $(STAMP)  ## rebuild the committed engines from the rules
	@$(BIN)/conche build cacao -o generated $(ARGS)
	@$(BIN)/conche build schoko -o generated $(ARGS)

format: $(STAMP)  ## tidy the Python code
	@$(BIN)/python -m ruff check --quiet --fix-only .
	@$(BIN)/python -m ruff format --quiet .

clean:  ## remove caches and built packages
	@rm -rf build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find compiler runtime generated tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

distclean: clean  ## remove .venv too
	@rm -rf $(VENV)
