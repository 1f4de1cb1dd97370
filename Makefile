# Sets up .venv with whatever Python 3.10 or newer is here, then runs the project's own commands.
PYTHON ?= python3
BIN := .venv/bin

.venv/ready: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

.PHONY: demo test lint build bench

demo: .venv/ready            ## grade a small class of sample submissions of 03_mul
	$(BIN)/autograder demo

test: .venv/ready            ## everything that has to hold before a change lands
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/autograder build --check
	$(BIN)/python -m pytest

build: .venv/ready           ## source/, release/ and assignments/ from solutions/
	$(BIN)/autograder build

bench: .venv/ready           ## the table of speeds in docs/tables/speed.md
	$(BIN)/python bench/split.py
