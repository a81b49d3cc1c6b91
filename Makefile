# Two commands for a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

# Bytecode is kept: tests and workers start many processes, and each would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install demo test test-fast warm fuzz test-models test-browser test-matrix lint types types-package types-tests coverage docs bench clean

help:                ## list the targets
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(STAMP): pyproject.toml eyes/pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "situ needs Python 3.11 or newer; run make PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ./eyes -e '.[hub,eval,metrics,serve,robots,eyes,dev]'
	touch $(STAMP)

install: $(STAMP)    ## build .venv with everything that needs no GPU

demo: $(STAMP)       ## make small benchmarks, check, audit, answer and draw them
	$(BIN)/situ make demo --out demo

# A file of tests to one of the processes; tests/conftest.py puts the long files first.
PROCESSES ?= 2
PYTEST := $(BIN)/python -m pytest -n $(PROCESSES) --dist loadfile --no-loadscope-reorder --durations 20

test: $(STAMP)       ## lint, types and every test
	$(MAKE) --no-print-directory --jobs 2 warm types-package types-tests lint
	$(PYTEST)

test-fast: $(STAMP)  ## the tests that are not marked slow
	$(PYTEST) -m 'not slow'

# Compiled beside the type checks, which need one processor each, and not by each of the processes that test.
warm: $(STAMP)
	$(BIN)/situ doctor --warm

fuzz: $(STAMP)       ## the properties again, on examples that no run has tried
	HYPOTHESIS_PROFILE=new $(PYTEST) -m hypothesis

# PyTorch comes first and by its exact version, so that a CPU build is taken where the index has one.
MODEL_TESTS := tests/train tests/perception/models tests/evaluation/test_local_model.py \
	tests/cli/test_perception_verbs.py tests/experiments

test-models: $(STAMP)  ## the tests that need PyTorch, which this downloads
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[hub,eval,metrics,train,teach,dev]'
	$(PYTEST) $(MODEL_TESTS)

test-browser: $(STAMP)  ## the tests of the pages, in the Chromium that is installed here
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'playwright>=1.50' axe-playwright-python
	$(BIN)/python -m pytest tests/serve/test_viewer.py tests/serve/test_annotate_pages.py \
	  tests/serve/test_study_page.py tests/serve/test_explore.py

test-matrix: $(STAMP)  ## the numeric tests as on other machines: instruction sets, threads, another OpenCV
	$(BIN)/python tools/test_matrix.py

lint: $(STAMP)
	$(BIN)/ruff check src tests benchmarks examples site
	$(BIN)/ruff format --check src tests benchmarks examples site

types: types-package types-tests

types-package: $(STAMP)
	$(BIN)/mypy

types-tests: $(STAMP)
	$(BIN)/mypy --config-file tests/mypy.ini

coverage: $(STAMP)   ## which lines the tests run; prints a table and writes build/coverage
	$(BIN)/python -m pip install --quiet --disable-pip-version-check pytest-cov
	$(PYTEST) --cov=situ --cov-report=term:skip-covered \
		--cov-report=html:build/coverage

docs: $(STAMP)       ## build the documentation site into site/html
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(BIN)/python site/build.py

bench: $(STAMP)      ## measure speed and memory; prints tables
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
