# `make report` writes report.html and `make test` runs the tests; both install what they need into .venv first.

PYTHON ?= python3
# Only torchmetrics needs torch; without it (`make test TORCH=`) its tests are skipped, and say so. A torch that is in
# .venv already serves. On Linux the package index gives the CUDA build, which is large: PIP_EXTRA_INDEX_URL or
# PIP_FIND_LINKS can name a place that has the CPU build.
TORCH ?= torch==2.13.0

BIN := .venv/bin
# What is installed is marked with the checksum of pyproject.toml: a second `make` installs nothing, an edit does.
INSTALLED := .venv/.installed-$(shell cksum < pyproject.toml | cut -d ' ' -f 1)
export PIP_NO_INPUT := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: report test test-all bench lint torch clean

report: $(INSTALLED)-compare
	$(BIN)/metrologue report --out report.html

test: $(INSTALLED)-test torch
	$(BIN)/python -m pytest

test-all: $(INSTALLED)-test torch
	METROLOGUE_EXAMPLES=300 $(BIN)/python -m pytest -m ""

bench: $(INSTALLED)-test
	$(BIN)/python -m benchmarks

lint: $(INSTALLED)-test $(INSTALLED)-lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

clean:
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist metrologue.egg-info report.html

torch: $(INSTALLED)-test
	@test -z "$(TORCH)" \
	|| $(BIN)/python -c 'from importlib.metadata import version as v; v("torch"), v("torchmetrics")' 2> /dev/null \
	|| $(BIN)/python -m pip install --quiet "$(TORCH)" --editable '.[torch]'

$(INSTALLED)-%: | $(BIN)/python
	@echo "Installing metrologue[$*] into .venv; the first time, this takes some minutes."
	@$(BIN)/python -m pip install --quiet --editable '.[$*]'
	@touch $@

$(BIN)/python:
	$(PYTHON) -m venv .venv
