# Set-up, tests and measurements. PYTHON picks the interpreter: make test PYTHON=python3.13
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := $(shell find arena bots engine leagues -type f -not -name '*.pyc') pyproject.toml setup.py
WORKERS ?= auto

.PHONY: demo test lint types interpreted compiled compile bench ladder golden clean

# The main job: games between the house bots, recorded and checked against the rules.
demo: $(VENV)/installed
	$(BIN)/arena --version
	$(BIN)/arena play architects random greedy planner flat:ms=5 --games 20 --seed 1 --trace build/architects.jsonl
	$(BIN)/arena play seven random greedy planner flat:ms=5 --games 20 --seed 1 --trace build/seven.jsonl
	$(BIN)/arena replay build/architects.jsonl
	$(BIN)/arena replay build/seven.jsonl

test: lint types interpreted compiled

lint: $(VENV)/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/tools
	$(BIN)/mypy

# From the work tree, where only sources are.
interpreted: $(VENV)/tools
	PYTHONPATH=. $(BIN)/pytest -n $(WORKERS) --engine interpreted

# From the installed wheel; where it could not be compiled the tests above have said it all.
compiled: $(VENV)/tools $(VENV)/installed
	@if $(BIN)/arena --version | grep -q interpreted; then \
	  echo "no C compiler: the engine was tested interpreted only"; \
	else $(BIN)/pytest -n $(WORKERS) --engine compiled; fi

# The wheel, compiled where a C compiler exists, installed into $(VENV).
compile: $(VENV)/installed
	$(BIN)/arena --version

bench: $(VENV)/installed
	$(BIN)/python tests/bench/engine_speed.py
	$(BIN)/python tests/bench/search_speed.py
	$(BIN)/python tests/bench/sandbox_speed.py
	$(BIN)/python tests/bench/rating_speed.py

# Is every house bot above the one below? Some twenty minutes; writes docs/ladder.md.
ladder: $(VENV)/installed
	$(BIN)/python tests/bench/ladder.py --write

# Write the recorded games and leaf counts anew, after a change of rules that was meant.
golden: $(VENV)/tools
	PYTHONPATH=. $(BIN)/python tests/golden_games.py

clean:
	rm -rf build dist *.egg-info $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/tools: pyproject.toml | $(BIN)/python
	$(BIN)/python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; print(*p['dependencies'], *p['optional-dependencies']['dev'], sep='\n')" > $(VENV)/tools.txt
	$(PIP) install -r $(VENV)/tools.txt
	touch $@

$(VENV)/installed: $(SOURCES) | $(BIN)/python
	@echo "building and installing wonders-arena into $(VENV): a minute or two"
	rm -rf build/lib* build/bdist* build/temp*
	$(PIP) install .
	mkdir -p build
	touch $@
