# Needs make and one supported Python with its venv module; everything else is set up in .venv.
# `make` says what there is.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test check docs fix pythons clean
.DELETE_ON_ERROR:

help: ## say what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/test.stamp ## grade the tests of a small sample change; ARGS="--keep DIR" keeps it
	$(BIN)/redhanded demo $(ARGS)

test: $(VENV)/test.stamp ## run the test-suite on the first Python found; ARGS go to pytest
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/dev.stamp ## lint, types, import contracts, news fragments, documents
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/towncrier build --draft --version unreleased
	$(BIN)/python scripts/docs.py --check

docs: $(VENV)/dev.stamp ## render the generated parts of the documents
	$(BIN)/python scripts/docs.py --write

fix: $(VENV)/dev.stamp ## let ruff mend and format what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pythons: ## list the supported Pythons on this machine
	@scripts/pythons

clean: ## remove what the other targets made
	rm -rf $(VENV) .nox .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# Asked for another Python than the one that .venv was made with: make it again.
ifneq ($(PYTHON),)
ifneq ($(PYTHON),$(shell cat $(VENV)/made-with 2>/dev/null))
$(VENV)/test.stamp: again
again:
	@rm -f $(VENV)/made-with
.PHONY: again
endif
endif

# --group needs pip 25.1, and an interpreter may bring an older one.
$(VENV)/test.stamp: pyproject.toml
	@set -e; \
	if [ ! -f $(VENV)/made-with ] || ! $(BIN)/python -c '' 2>/dev/null; then \
	    python=$$(PYTHON='$(PYTHON)' scripts/pythons); \
	    python=$$(printf '%s\n' "$$python" | head -n 1); \
	    echo "setting up $(VENV) with $$python"; \
	    "$$python" -m venv --clear $(VENV); \
	    printf '%s\n' '$(PYTHON)' >$(VENV)/made-with; \
	fi
	$(PIP) --upgrade 'pip>=25.1'
	$(PIP) --editable . --group test
	@touch $@

$(VENV)/dev.stamp: $(VENV)/test.stamp
	$(PIP) --group dev
	@touch $@
