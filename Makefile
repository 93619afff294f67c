# Set-up, tests and measurements. PYTHON picks the interpreter: make test PYTHON=python3.13
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := $(shell find arena bots engine leagues -type f -not -name '*.pyc') pyproject.toml setup.py
# One more than cores: some tests wait rather than compute.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
# Named by content, so that neither a checkout nor a changed page compiles again.
COMPILED := $(VENV)/compiled-$(shell $(PYTHON) tests/support/compiled_sources.py)
QUICK := -n $(WORKERS) --engine interpreted -m "not (sandbox or browser or postgres or slow)"

.PHONY: demo quick coverage test checks lint types interpreted compiled compile gate accept-instructions bench benchmarks soak ladder train golden catalogue schemas templates docs clean

# The main job: a tournament of the house bots at both games, its leaderboards, and its check.
demo: $(VENV)/installed
	$(BIN)/arena --version
	$(BIN)/arena tournament run random greedy planner flat:ms=5 --game both --players 2-4 --rounds 4 --seed 1 --name demo --db build/demo.db
	$(BIN)/arena tournament verify demo --db build/demo.db
	@echo "results are in build/demo.db; go on with: $(BIN)/arena rank effects --db build/demo.db"

# The tests to run after every change: under a minute, from the sources, nothing built or started.
quick: $(VENV)/tools
	PYTHONPATH=. $(BIN)/pytest -q $(QUICK)

# Which lines the quick tests reach.
coverage: $(VENV)/tools
	PYTHONPATH=. $(BIN)/pytest -q $(QUICK) --cov --cov-report=term:skip-covered

# One core compiles while the other checks.
test: $(VENV)/tools
	$(MAKE) -j2 --output-sync=target checks $(VENV)/installed
	$(MAKE) interpreted compiled gate

checks: lint types

lint: $(VENV)/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/tools
	$(BIN)/mypy

# From the work tree, where only sources are; the rules alone if the rest is tested compiled.
interpreted: $(VENV)/tools $(VENV)/installed
	@if $(BIN)/arena --version | grep -q interpreted; then part=; else part=--rules; fi; \
	  PYTHONPATH=. $(BIN)/pytest -n $(WORKERS) --engine interpreted --durations=25 $$part

# From the installed wheel; where it could not be compiled the tests above have said it all.
compiled: $(VENV)/tools $(VENV)/installed
	@if $(BIN)/arena --version | grep -q interpreted; then \
	  echo "no C compiler: the engine was tested interpreted only"; \
	else $(BIN)/pytest -n $(WORKERS) --engine compiled --durations=25; fi

# The wheel, compiled where a C compiler exists, installed into $(VENV).
compile: $(VENV)/installed
	$(BIN)/arena --version

# Does the engine take more instructions than it did? Where there is valgrind to count them.
gate: $(VENV)/installed
	$(BIN)/python tests/benchmarks/instructions.py

# More instructions that are meant, or fewer that are to stay.
accept-instructions: $(VENV)/installed
	$(BIN)/python tests/benchmarks/instructions.py --accept

bench: $(VENV)/installed
	$(BIN)/python tests/benchmarks/engine_speed.py
	$(BIN)/python tests/benchmarks/search_speed.py
	$(BIN)/python tests/benchmarks/match_speed.py
	$(BIN)/python tests/benchmarks/match_parts.py
	$(BIN)/python tests/benchmarks/seat_cost.py
	$(BIN)/python tests/benchmarks/sandbox_speed.py
	$(BIN)/python tests/benchmarks/start_speed.py
	$(BIN)/python tests/benchmarks/tournament_speed.py
	$(BIN)/python tests/benchmarks/schedule_speed.py
	$(BIN)/python tests/benchmarks/storage_speed.py
	$(BIN)/python tests/benchmarks/rating_speed.py
	$(BIN)/python tests/benchmarks/leaderboard_speed.py

# The same in some ten minutes on a quiet machine; writes docs/benchmarks.md.
benchmarks: $(VENV)/installed
	$(BIN)/python tests/benchmarks/page.py

# Ten thousand matches in bad company, a league and a good bot under attack, fifty kills of a
# tournament, fifty faults of a cluster; three hours on two cores.
soak: $(VENV)/installed
	$(BIN)/python tests/benchmarks/soak.py
	$(BIN)/python tests/benchmarks/attacked_league.py
	$(BIN)/python tests/benchmarks/fairness.py
	rm -rf build/kills && mkdir -p build/kills
	$(BIN)/python tests/arena/tournament/kill_soak.py build/kills
	rm -rf build/chaos && $(BIN)/python -P -m tests.arena.cluster.chaos build/chaos

# Is every house bot above the one below? Some forty minutes on two cores; writes docs/ladder.md.
DEALS ?= 67
ladder: $(VENV)/installed
	$(BIN)/python tests/benchmarks/ladder.py --write --deals $(DEALS)

# Train the learned value of a game, GAME=seven or architects, from nothing or from where it was
# stopped; two hours of one core at most. The best weights are in build/training/GAME/best.txt.
train: $(VENV)/installed
	$(BIN)/python -m bots.house.training $(GAME) $(TRAINING)

# Write the recorded games and leaf counts anew, after a change of rules that was meant.
golden: $(VENV)/tools
	PYTHONPATH=. $(BIN)/python tests/support/golden_games.py

# Bring the French catalogue up to date with the source, and compile it; says what is missing.
catalogue: $(VENV)/tools
	PYTHONPATH=. $(BIN)/python -m tests.support.catalogue

# Write the JSON Schema files of what commands print with --json, out of its types.
schemas: $(VENV)/tools
	PYTHONPATH=. $(BIN)/python -m tests.support.schemas

# Build and check the templates of new bots in every language whose tools are here; not part of test.
templates: $(VENV)/installed
	ARENA_TEMPLATES=1 $(BIN)/pytest -v --engine compiled tests/arena/cli/test_templates.py

# The documentation as a site in build/docs; links that lead nowhere are errors.
docs: $(VENV)/tools
	PYTHONPATH=. $(BIN)/python -m tests.support.command_reference
	$(BIN)/python -m mkdocs build --strict

clean:
	rm -rf build dist *.egg-info $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/tools: pyproject.toml | $(BIN)/python
	$(BIN)/python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; print(*p['dependencies'], *p['optional-dependencies']['dev'], sep='\n')" > $(VENV)/tools.txt
	$(PIP) install -r $(VENV)/tools.txt
	# Last on the path, so that "tests" is found everywhere and an installed wheel before the sources.
	pwd > $$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/wonders_arena_tests.pth
	touch $@

# Compiled anew only where a compiled source, setup.py or pyproject.toml changed; in a virtualenv
# where nothing else is, since the compiler sees what is installed beside it and a stranger has that not.
$(COMPILED): | $(BIN)/python
	@echo "building and installing wonders-arena into $(VENV): some five minutes"
	rm -rf build/lib* build/bdist* build/temp* build/wheel $(VENV)/compiled-*
	$(PYTHON) -m venv --clear build/bare
	build/bare/bin/python -m pip --disable-pip-version-check --quiet wheel --no-deps --wheel-dir build/wheel .
	$(PIP) install --force-reinstall --no-deps build/wheel/*.whl
	$(PIP) install "$$(echo build/wheel/*.whl)[plots,site]" "setuptools>=77"
	touch $@

# All other files of the wheel are laid over the installed ones.
$(VENV)/installed: $(COMPILED) $(SOURCES)
	rm -rf build/pure
	WONDERS_ARENA_COMPILE=0 $(BIN)/python setup.py --quiet build_py --build-lib build/pure
	$(BIN)/python tests/support/install_sources.py build/pure
	touch $@
