# `make run` and `make test` need nothing but Python 3.11 or newer. `make help` lists the rest.

PYTHON ?= python3
JOBS ?= 2

VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
# modules that are never imported are not compiled to bytecode, which halves the time of an installation
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
INSTALL := $(PIP) install --no-compile
# all tests of a file run in one worker, so that its simulations and kernels are made once
PYTEST := $(BIN)/python -m pytest -q -n $(JOBS) --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help run studio test lint format compile test-modes test-numba docs bench clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.run ## simulate the fall from 4 m, print the result and list the files
	@$(BIN)/vitruvian run fall-4m

studio: $(VENV)/.studio ## open the studio: change scenarios by sliders and watch them in the browser
	@$(BIN)/vitruvian studio

test: lint ## format, lint, types, layers and the whole test suite
	$(PYTEST)

lint: $(VENV)/.test ## format, lint, types and layers only
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy --no-error-summary
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.test ## format the sources
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

compile: $(VENV)/.test ## compile the kernels for the tests, as they are and with bounds checks, both at once
	@$(BIN)/vitruvian warmup & NUMBA_BOUNDSCHECK=1 $(BIN)/vitruvian warmup & wait

test-modes: $(VENV)/.test ## unit tests of the kernels as plain Python, then compiled with bounds checks
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/unit/kernels
	NUMBA_BOUNDSCHECK=1 $(PYTEST) tests/unit/kernels tests/verification/test_verify.py -k "not flex"

NUMBA_OLDEST := 0.60.0
NUMBA_NEWEST := 0.68.1
test-numba: ## tests of the kernels on the oldest and the newest Numba, with plain Numba and with our compiler
	$(call numba_tests,$(NUMBA_OLDEST),plain)
	$(call numba_tests,$(NUMBA_NEWEST),plain)
	$(call numba_tests,$(NUMBA_NEWEST),)

# $(1) version of Numba, $(2) VITRUVIAN_COMPILER
define numba_tests
	@test -d build/numba-$(1) || { "$(PYTHON)" -m venv build/numba-$(1) \
		&& build/numba-$(1)/bin/python -m pip -qq install --no-compile --editable . numba==$(1) pytest hypothesis; }
	@echo "Numba $(1), compiler $(or $(2),ours)"
	VITRUVIAN_COMPILER=$(2) build/numba-$(1)/bin/python -m pytest -q tests/unit/test_jit.py tests/unit/kernels tests/verification/test_compilers.py
endef

docs: $(VENV)/.docs ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "The documentation is in site/index.html"

bench: $(VENV)/.test ## measure the speed, compared with MuJoCo and Pinocchio
	@$(BIN)/vitruvian bench --peers

clean: ## remove everything that make and the tests created
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --- set-up: repeated when pyproject.toml changes -------------------------------------------------------------------

NEEDS := Vitruvian needs Python 3.11 or newer
NAME_IT := Install one, or name it: make PYTHON=/path/to/python3

$(VENV)/.made:
	@command -v "$(PYTHON)" >/dev/null 2>&1 \
		|| { echo '$(NEEDS); "$(PYTHON)" was not found. $(NAME_IT)' >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo '$(NEEDS); "$(PYTHON)" is' "$$("$(PYTHON)" --version 2>&1)." '$(NAME_IT)' >&2; exit 1; }
	@echo "Making the virtual environment $(VENV) ..."
	@"$(PYTHON)" -m venv $(VENV) \
		|| { echo 'The virtual environment could not be made. On Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }
	@touch $@

$(VENV)/.run: $(VENV)/.made pyproject.toml
	@echo "Installing Vitruvian ..."
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.studio: $(VENV)/.run
	@echo "Installing the studio ..."
	@$(INSTALL) --editable '.[studio]'
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml
	@echo "Installing Vitruvian and its test tools ..."
	@$(INSTALL) --editable '.[test]'
	@$(INSTALL) --no-deps pyisomme==1.1.0
	@touch $@ $(VENV)/.run

$(VENV)/.docs: $(VENV)/.made pyproject.toml
	@echo "Installing the documentation tools ..."
	@$(INSTALL) --editable '.[docs]'
	@touch $@
