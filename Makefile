# Set-up, tests and measurements. PYTHON picks the interpreter: make test PYTHON=python3.13
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := $(shell find arena bots engine leagues -type f -not -name '*.pyc') pyproject.toml setup.py
# One more than there are cores, because some tests wait rather than compute.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
# Named by a content hash, so that a checkout or a changed page does not trigger a rebuild.
CONTENT := $(shell $(PYTHON) tests/support/compiled_sources.py)
WHEEL := $(VENV)/wheel-$(CONTENT)
COMPILED := $(VENV)/compiled-$(CONTENT)
QUICK := -n $(WORKERS) --engine interpreted -m "not (sandbox or browser or postgres or slow)"

.PHONY: demo quick coverage test lint types interpreted compiled stranger machines properties compile gate accept-instructions bench benchmarks soak ladder train golden catalogue schemas templates docs clean

# Start here: play a tournament of the built-in bots in both games, show and verify its leaderboards.
demo: $(VENV)/installed
	$(BIN)/arena --version
	$(BIN)/arena tournament run random greedy planner flat:ms=5 --game both --players 2-4 --rounds 4 --seed 1 --name demo --db build/demo.db
	$(BIN)/arena tournament verify demo --db build/demo.db
	@echo "results are in build/demo.db; go on with: $(BIN)/arena rank effects --db build/demo.db"

# The tests to run after every change: under a minute, from the sources, no build and no servers.
# Byte code is kept, because every worker would spend seconds on rewriting all tests.
quick: $(VENV)/tools
	env -u PYTHONDONTWRITEBYTECODE PYTHONPATH=. $(BIN)/pytest -q $(QUICK)

# Which lines the quick tests reach.
coverage: $(VENV)/tools
	PYTHONPATH=. $(BIN)/pytest -q $(QUICK) --cov --cov-report=term:skip-covered

# Compiling keeps one core busy for minutes, so what needs only the sources runs in parallel.
test:
	$(MAKE) -j2 --output-sync=target $(if $(wildcard $(COMPILED)),,$(WHEEL)) lint types interpreted
	$(MAKE) $(VENV)/installed
	$(MAKE) -j2 compiled gate

lint: $(VENV)/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(VENV)/tools
	$(BIN)/mypy

# From the sources, interpreted: only what may behave differently when it is compiled.
interpreted: $(VENV)/tools
	PYTHONPATH=. $(BIN)/pytest -n $(WORKERS) --dist worksteal --engine interpreted --durations=25 --rules

# Everything, from the installed wheel, or from the sources if it could not be compiled.
compiled: $(VENV)/tools $(VENV)/installed
	@if $(BIN)/arena --version | grep -q interpreted; then \
	  echo "left out: the compiled engine: needs a C compiler: apt-get install gcc libc6-dev python3-dev"; \
	  PYTHONPATH=. $(BIN)/pytest -n $(WORKERS) --dist worksteal --engine interpreted --durations=25; \
	else $(BIN)/pytest -n $(WORKERS) --dist worksteal --engine compiled --durations=25; fi

# The tests that another user, another Python or a missing tool may break, from the sources;
# tests/machines/stranger.sh runs them so.
stranger: $(VENV)/tools
	$(BIN)/python --version
	PYTHONPATH=. $(BIN)/pytest -n $(WORKERS) --dist worksteal --engine interpreted --durations=25 \
	  tests/docs tests/bots tests/leagues/storage tests/leagues/submissions \
	  tests/arena/cluster tests/arena/playing tests/arena/schemas tests/arena/cli

# The README's two commands on Debian systems that nobody has prepared; needs root and mmdebstrap.
machines: $(VENV)/tools
	$(BIN)/python tests/machines/rig.py $(MACHINES)

# The rules and what learners see of them, on five times as many games; about ten minutes.
properties: $(VENV)/tools $(VENV)/installed
	$(BIN)/pytest -n $(WORKERS) --dist worksteal --engine compiled --games 60 tests/engine tests/arena/adapters

# The wheel, compiled where a C compiler exists, installed into $(VENV).
compile: $(VENV)/installed
	$(BIN)/arena --version

# Fail if the engine takes more instructions than before; needs valgrind.
gate: $(VENV)/installed
	$(BIN)/python tests/benchmarks/instructions.py

# Accept the current instruction counts.
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
	$(BIN)/python tests/benchmarks/replay_speed.py

# Run the same and write docs/benchmarks.md; about ten minutes on an idle machine.
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

# Measure the built-in bots against each other and write docs/ladder.md; about forty minutes on two cores.
DEALS ?= 67
ladder: $(VENV)/installed
	$(BIN)/python tests/benchmarks/ladder.py --write --deals $(DEALS)

# Train the value function of a game, GAME=seven or architects, from scratch or from where it was
# stopped; at most two hours of one core. The best weights are in build/training/GAME/best.txt.
train: $(VENV)/installed
	$(BIN)/python -m bots.house.training $(GAME) $(TRAINING)

# Rewrite the recorded games and leaf counts, after an intended change of the rules.
golden: $(VENV)/tools
	PYTHONPATH=. $(BIN)/python tests/support/golden_games.py

# Update the French catalogue from the sources and compile it; lists what is missing.
catalogue: $(VENV)/tools
	PYTHONPATH=. $(BIN)/python -m tests.support.catalogue

# Write the JSON Schema files of the --json outputs, from their types.
schemas: $(VENV)/tools
	PYTHONPATH=. $(BIN)/python -m tests.support.schemas

# Build and check the bot templates of every language whose tools are installed; not part of test.
templates: $(VENV)/installed
	ARENA_TEMPLATES=1 $(BIN)/pytest -v --engine compiled tests/arena/cli/test_templates.py

# Build the documentation as a website in build/docs; broken links are errors.
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

# Recompiled only if a compiled source, setup.py or pyproject.toml changed; in a clean virtualenv,
# because the compiler sees installed packages that another user may not have.
$(WHEEL): | $(BIN)/python
	@echo "building the wheel of wonders-arena: some five minutes"
	rm -rf build/lib* build/bdist* build/temp* build/wheel $(VENV)/wheel-*
	$(PYTHON) -m venv --clear build/bare
	build/bare/bin/python -m pip --disable-pip-version-check --quiet wheel --no-deps --wheel-dir build/wheel .
	mv build/wheel $@

$(COMPILED): | $(BIN)/python
	$(MAKE) $(WHEEL)
	rm -rf $(VENV)/compiled-*
	$(PIP) install --force-reinstall --no-deps $(WHEEL)/*.whl
	$(PIP) install "$$(echo $(WHEEL)/*.whl)[plots,site]" "setuptools>=77"
	touch $@

# All other files of the wheel are copied over the installed ones.
$(VENV)/installed: $(COMPILED) $(SOURCES)
	rm -rf build/pure
	WONDERS_ARENA_COMPILE=0 $(BIN)/python setup.py --quiet build_py --build-lib build/pure
	$(BIN)/python tests/support/install_sources.py build/pure
	touch $@
