# Sets up .venv with whatever Python 3.10 or newer is here, then runs the project's own commands.
PYTHON ?= python3
BIN := .venv/bin

.venv/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

.PHONY: demo test build bench prove mutants mutation peers attacks

demo: .venv/ready       ## grade a small class of sample submissions of 03_mul
	$(BIN)/autograder demo

test: .venv/ready       ## everything that has to hold before a change lands
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/autograder build --check --prove
	$(BIN)/python -m pytest --numprocesses 2 --dist loadscope $(sort $(wildcard tests/test_*.py tests/browser/test_*.py))

build: .venv/ready      ## source/, release/ and assignments/ from solutions/
	$(BIN)/autograder build

bench: .venv/ready      ## speeds, each beside what it is compared with, in one run
	$(BIN)/python bench/split.py
	$(BIN)/python bench/checks.py
	$(BIN)/python bench/naming.py
	$(BIN)/python bench/nbgrader.py

prove: .venv/ready      ## every hidden suite says the same in 100 fresh processes
	$(BIN)/autograder build --prove --runs 100

mutants: .venv/ready    ## every known mistake is named in 100 fresh processes
	$(BIN)/python bench/mutants.py --processes 100 --table docs/tables/misconceptions.md

mutation: .venv/ready   ## the hidden suites against mutants of every worked solution
	$(BIN)/python bench/mutation.py

peers: .venv/ready      ## published engines, graded as capstones
	$(BIN)/python bench/peers.py

attacks: .venv/ready    ## every attack with each layer off in turn, and 1,000 in a row
	$(BIN)/python bench/attacks.py layers
	$(BIN)/python bench/attacks.py row
