# Two commands do all the set-up: `make profile` and `make test`. Either can be run again; what is there is reused.
PYTHON ?= python3
VENV ?= .venv
MODEL ?= smollm2-135m
RUN ?= runs/quick
BIN := $(VENV)/bin

TORCH_VENV ?= .venv-torch
TORCH ?= torch==2.13.0
TORCH_BIN := $(TORCH_VENV)/bin

# Packages are installed uncompiled, which takes half a minute less: Python compiles what is used, once. Not where it is
# told to keep nothing, as in many containers: there every process would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: profile test test-torch test-doors docs check weights clean

profile: weights
	$(BIN)/voirdire ddft run --preset quick --model local/$(MODEL) -o $(RUN)

test: weights
	$(BIN)/python -m pytest -n auto

test-torch: $(TORCH_VENV)/.installed
	$(TORCH_BIN)/python -m pytest tests/extras/torch

# Reports and the raters' app in a real browser (Debian's chromium), its server, Inspect, the documentation.
# One after another: a browser that is open keeps its event loop running, and Inspect wants one of its own.
test-doors: weights $(VENV)/.doors-installed
	$(BIN)/python -m pytest -n auto tests/extras/browser
	$(BIN)/python -m pytest -n auto tests/extras/raters/browser
	$(BIN)/python -m pytest -n auto tests/extras/raters --ignore tests/extras/raters/browser
	$(BIN)/python -m pytest -n auto tests/extras/inspect
	$(BIN)/python -m pytest -n auto --dist worksteal tests/extras/docs

docs: $(VENV)/.doors-installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

check: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

weights: $(VENV)/.installed
	$(BIN)/voirdire models pull $(MODEL)

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[local,dev]'
	touch $@

# irrCAC alone: it asks for older versions of what is there, and needs none of them.
$(VENV)/.doors-installed: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[local,dev,inspect,docs,raters]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps irrCAC
	touch $@

# torch first and alone: what comes after takes the build that is there.
$(TORCH_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(TORCH_VENV)
	$(TORCH_BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile '$(TORCH)'
	$(TORCH_BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[train,dev]'
	$(TORCH_BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-deps lettucedetect
	touch $@

clean:
	rm -rf $(VENV) $(TORCH_VENV)
