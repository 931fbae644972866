# Everything a developer or CI runs. `make demo` and `make test` need nothing but Python 3.11 or newer and GNU make.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# Where bytecode is not to be written, each command that a test starts compiles the program anew: a quarter of its start.
export PYTHONDONTWRITEBYTECODE :=

PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11 python; do \
	if "$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then command -v "$$name"; break; fi; done)
VENV := .venv
BIN := $(VENV)/bin
DEMO_STORE := .demo/store
# one more than there are cores: a fifth of the time a test waits for a process, a server or the disk
JOBS ?= $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))
# `make UV=/path/to/uv` installs with uv, as CI does: pip takes twice the time of a processor, most of a minute of the test extra.
UV ?=
PIP := $(if $(UV),"$(UV)" pip install --quiet --python $(BIN)/python --constraint "$(CURDIR)/constraints.txt",PIP_CONSTRAINT="$(CURDIR)/constraints.txt" PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install --quiet)

.PHONY: help demo test lint format types layers content unit unit-as-it-runs test-integration fetch servers readme readme-check man test-long test-lowest bench train constraints release wheel clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

# --- environments ----------------------------------------------------------------------------------------------------

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then echo "accelkg needs Python 3.11 or newer; give one with: make PYTHON=/path/to/python3.11" >&2; exit 1; fi
	@echo "making $(VENV) with $$("$(PYTHON)" --version)" >&2
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); echo "the venv module is missing; on Debian: apt-get install python3-venv" >&2; exit 1; }

$(VENV)/.base: pyproject.toml constraints.txt kg/__about__.py | $(BIN)/python
	@echo "installing accelkg" >&2
	@$(PIP) --editable .
	@rm -rf $(VENV)/lib/python*/site-packages/kg # an editable install copies the content too; the checkout's is used
	@touch $@

$(VENV)/.test: $(VENV)/.base
	@echo "installing the test extra" >&2
	@$(PIP) --editable '.[test]'
	@rm -rf $(VENV)/lib/python*/site-packages/kg
	@touch $@

# --- the two commands ------------------------------------------------------------------------------------------------

demo: export KG_STORE := $(CURDIR)/$(DEMO_STORE)
demo: $(VENV)/.base ## Install, build the embedded store, show where 72,428 comes from and what a sixth report disputes
	@$(BIN)/kg build
	@$(BIN)/kg trace 72428
	@$(BIN)/kg conflicts --source 006 --limit 4

test: $(VENV)/.test ## Install the test extra and pass every check that needs no other program
	@$(MAKE) --jobs=3 $(WHOLE_OUTPUT) unit-as-it-runs types readme-check
	@echo "all checks passed" >&2

# mypy keeps one core busy and the other idle; beside the tests it keeps none. What each says stays together, but for the
# tests, whose progress is shown at once. The make of macOS (3.81) cannot do that, and mixes what they say.
# The tests come first: what they wait for begins first.
WHOLE_OUTPUT = $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

unit-as-it-runs: $(VENV)/.compiled lint layers content
	@$(MAKE) $(WHOLE_OUTPUT:target=none) unit

# In a fresh environment no bytecode is written yet, and each process of the tests would compile the same 2,800 files that all
# of them import: half a minute each. One does it beside the checks that use one core. What cannot be read, `unit` says.
$(VENV)/.compiled: $(VENV)/.test
	@$(BIN)/python -m pytest --collect-only -q -p no:cacheprovider >/dev/null 2>&1 || true
	@touch $@

# --- the parts of `make test` ----------------------------------------------------------------------------------------

lint: $(VENV)/.test ## Rules and format of the code
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "run: make format" >&2; exit 1; }

format: $(VENV)/.test ## Rewrite code and content in the one format
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format --quiet .
	@$(BIN)/kg content format
	@$(BIN)/python docs/make_pages.py
	@$(BIN)/python docs/make_architecture.py
	@$(BIN)/python docs/make_recorded.py

types: $(VENV)/.test ## mypy, strict
	@$(BIN)/mypy

layers: $(VENV)/.test ## Who may import whom
	@$(BIN)/lint-imports

content: export KG_STORE := $(CURDIR)/$(DEMO_STORE)
content: $(VENV)/.base ## Ontology, queries, seeds: every mistake with its place
	@$(BIN)/kg content check

PYTEST = $(BIN)/python -m pytest -n $(JOBS) --durations 40 --durations-min 5

unit: $(VENV)/.test ## All tests but the long ones and those of integration
	@mkdir -p .build
	@$(PYTEST) --dist worksteal -m "not long and not integration" --junitxml=.build/junit.xml

test-integration: servers ## Tests with real servers, a browser, and checkers of others
	@mkdir -p .build
	@$(PYTEST) --dist loadgroup --no-loadscope-reorder --integration -m "integration and not long" --junitxml=.build/junit-integration.xml tests

# Needs the base dependencies alone, so that `make --jobs` waits for all these downloads and for the test extra at once.
FETCHES := $(addprefix fetch-,tests.servers.artifacts tests.browser.axe tests.servers.npm_programs tests.outside.crate_validator)

fetch: $(VENV)/.test $(FETCHES)

servers: fetch ## Fetch what the tests of servers and pages need: Neo4j, Fuseki, axe-core, Comunica, checkers of MCP and RO-Crate
	@$(BIN)/python -m tests.servers.prepare

.PHONY: $(FETCHES)
$(FETCHES): fetch-%: $(VENV)/.base
	@$(BIN)/python -m $*

test-long: $(VENV)/.test ## Tests that take minutes: random kills of a large build
	@mkdir -p .build
	@$(PIP) --editable '.[test,spark]'
	@rm -rf $(VENV)/lib/python*/site-packages/kg
	@$(BIN)/python -m pytest -m long --timeout 7200 --junitxml=.build/junit-long.xml

LOWEST := .build/lowest
LOWEST_TESTS ?= kg tests/model tests/ask tests/stores tests/export tests/ingest tests/render tests/content tests/ledger tests/web \
	tests/mcp_tools tests/reading/test_readers.py tests/reading/test_propose.py tests/build/test_build.py tests/cli/test_commands.py

test-lowest: ## The core of the tests with the lowest version that pyproject.toml allows of each dependency
	@mkdir -p .build
	@"$(PYTHON)" deploy/lowest.py > $(LOWEST).txt
	@"$(PYTHON)" -m venv --clear $(LOWEST)
	@PIP_CONSTRAINT="$(CURDIR)/$(LOWEST).txt" $(LOWEST)/bin/python -m pip install --quiet --editable '.[test]'
	@rm -rf $(LOWEST)/lib/python*/site-packages/kg
	@$(LOWEST)/bin/python deploy/lowest.py --check
	@$(LOWEST)/bin/python -m pytest -q -n $(JOBS) $(LOWEST_TESTS)

man: $(VENV)/.base ## Manual pages of the commands, in build/man
	@$(BIN)/python docs/make_man.py build/man

readme: export KG_STORE := $(CURDIR)/$(DEMO_STORE)
readme: $(VENV)/.base ## Run the commands shown in README.md again
	@$(BIN)/python docs/make_readme.py

readme-check: export KG_STORE := $(CURDIR)/$(DEMO_STORE)
readme-check: $(VENV)/.base content # both open the one store
	@$(BIN)/python docs/make_readme.py --check

# --- now and then ----------------------------------------------------------------------------------------------------

train: $(VENV)/.test ## Learn the ranker of reports from the curated claims: make train DOCUMENTS=folder with the documents
	@$(BIN)/python -m benchmarks.reading.train --documents "$(DOCUMENTS)"

bench: $(VENV)/.test ## Speed beside named peers, in one run; choose with BENCH="--sizes 10k --parts build,lookup"
	@mkdir -p .build
	@$(BIN)/python -m benchmarks --json .build/bench.json --picture .build/bench.svg $(BENCH)

wheel: $(VENV)/.test ## Build dist/*.whl and dist/*.tar.gz
	@rm -rf dist
	@$(BIN)/python -m hatchling build

release: $(VENV)/.test ## Everything of a release in dist/: built twice and equal, SBOM, licences, data set (BEFORE=earlier data set)
	@$(BIN)/python deploy/release.py $(if $(BEFORE),--before $(BEFORE))

constraints: ## Renew constraints.txt from a fresh environment with the newest versions
	@if [ -z "$(PYTHON)" ]; then echo "accelkg needs Python 3.11 or newer" >&2; exit 1; fi
	@"$(PYTHON)" docs/make_constraints.py

clean: ## Remove everything that was made here
	@rm -rf $(VENV) .demo .build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -not -path './.git/*' -exec rm -rf {} +
