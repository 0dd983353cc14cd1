# Two commands do all the set-up: `make profile` and `make test`. Either can be run again; what is there is reused.
PYTHON ?= python3
VENV ?= .venv
MODEL ?= smollm2-135m
RUN ?= runs/quick
BIN := $(VENV)/bin

TORCH_VENV ?= .venv-torch
TORCH ?= torch==2.13.0
TORCH_BIN := $(TORCH_VENV)/bin

RAY_VENV ?= .venv-ray
RAY_BIN := $(RAY_VENV)/bin

BENCH_VENV ?= .venv-bench
BENCH ?= efficiency overhead
BENCH_OUT ?= runs/benchmarks.md
BENCH_BIN := $(BENCH_VENV)/bin

# Packages are installed uncompiled, which takes half a minute less: Python compiles what is used, once. Not where it is
# told to keep nothing, as in many containers: there every process would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: profile test test-torch test-ray test-doors bench docs check weights clean

profile: weights
	$(BIN)/voirdire ddft run --preset quick --model local/$(MODEL) -o $(RUN)

test: weights
	$(BIN)/python -m pytest -n auto

test-torch: $(TORCH_VENV)/.installed
	$(TORCH_BIN)/python -m pytest tests/extras/torch

# One local cluster of two CPUs for all of them.
test-ray: $(RAY_VENV)/.installed
	$(RAY_BIN)/python -m pytest tests/extras/ray

# Reports and the raters' app in a real browser (Debian's chromium), its server, Inspect, the documentation.
# One after another: a browser that is open keeps its event loop running, and Inspect wants one of its own.
test-doors: weights $(VENV)/.doors-installed
	$(BIN)/python -m pytest -n auto tests/extras/browser
	$(BIN)/python -m pytest -n 4 tests/extras/raters/browser
	$(BIN)/python -m pytest -n auto tests/extras/raters --ignore tests/extras/raters/browser
	$(BIN)/python -m pytest -n auto tests/extras/inspect
	$(BIN)/python -m pytest -n auto --dist worksteal tests/extras/docs

# Beside the tools that they are compared with: make bench BENCH="all --small" for a quick look at everything.
bench: $(BENCH_VENV)/.installed
	$(BENCH_BIN)/python -m benchmarks $(BENCH) -o $(BENCH_OUT)

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

$(BENCH_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev,bench]'
	touch $@

# Ray alone is new in it: all else is that of the usual environment, which it looks into.
$(RAY_VENV)/.installed: $(VENV)/.installed
	$(PYTHON) -m venv $(RAY_VENV)
	$(BIN)/python -c "import sysconfig; print(f'import site; site.addsitedir({sysconfig.get_path(\"purelib\")!r})')" \
		> "$$($(RAY_BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/usual.pth"
	$(RAY_BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile 'ray[data]>=2.55'
	touch $@

clean:
	rm -rf $(VENV) $(TORCH_VENV) $(RAY_VENV) $(BENCH_VENV)
