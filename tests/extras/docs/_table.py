"""What the documentation leaves open, and what can't be run here: all of it said by name."""

from __future__ import annotations

PLACEHOLDERS: dict[str, str] = {
    "RUN": "runs/study",
    "DATA": "labelled.jsonl",
    "PROJECT": "turns.voirdire",
    "SPEC": "openai/gpt-5.1",
    "CSV": "models.csv",
}
"""Words in capitals, or nearly, that a reader fills in."""

ON_PAGE: dict[tuple[str, str], str] = {
    ("docs/contradictions.md", "DATA"): "cognibench_dev",  # its benchmark reads the release alone
    ("docs/index.md", "local/smollm2-135m"): "simulated/fading",  # steady stands beside it
    ("docs/cognibench-generate.md", "local/smollm2-135m"): "openai/gpt-4.1",  # simulated models know concepts alone
}
"""The same, where a page means something else by the word."""

MODELS: dict[str, str] = {
    "local/smollm2-135m": "simulated/steady",  # 98 MB, seconds an answer: tests/e2e/test_real_model.py examines it
    "local/qwen2.5-coder-1.5b": "openai/gpt-5.1",  # 1.1 GB, seconds to minutes a call
}
"""Models that stand in for those whose weights take minutes. Hosted ones are answered by a server on this machine."""

ADDRESSES = ("http://127.0.0.1:8000/v1", "http://127.0.0.1:11434/v1", "http://localhost:8000/v1")
"""Addresses at which the documentation has a reader's own server."""

SMALLER: dict[str, str] = {
    "--cases wrong,partly,trap": "--cases wrong,partly,trap --limit 6",
    "--without-defence --limit 40": "--without-defence --limit 4",
    "--runs 200": "--runs 1",
    "--studies 2000": "--studies 4",
    "--studies 1000": "--studies 4",
    "--runs 1000": "--runs 2",
    "--pilots 100": "--pilots 1",
    "--draws 300": "--draws 20",
    "--draws 600": "--draws 2",
    "--draws 1000": "--draws 2",
    "--limit 20": "--limit 2",
    "--pack all --samples 2 --stop-when": "--pack core --levels 0,1 --stop-when",
    "-T preset=quick": "-T preset=quick -T concepts=recursion -T levels=0,1",
}
"""Simulations of minutes to hours, run as they stand but for how often."""

CONSTANTS: dict[str, dict[str, object]] = {
    "benchmarks.statistics.interval_coverage": {"POPULATION": 200},
    "benchmarks.statistics.power_check": {"LARGE": 12},
    "benchmarks.statistics.raters_anchor": {"_POPULATION": 4_000},
    "benchmarks.statistics.simulated_coverage": {"REJECTION": (0.2, 0.9)},
}
"""And what they hold to be large, by the benchmark's module."""

_TORCH = "needs torch; tests/extras/torch opens, uses and trains each of them on tiny models"
_HUB = "needs torch, weights of a hub and a large GPU; tests/extras/torch does the same with tiny models"

FEW = "--concepts recursion,phoneme,derivative --levels 0,0.5,1"
"""Added to runs, which else ask some 600 times a model …"""
CHOSEN = ("--concepts", "--pack", "--levels", "--preset quick", "--preset mine.yaml")
"""… but not to those that choose themselves, or are small …"""
WHOLE = ("README.md", "docs/ci.md")
"""… nor on pages that hold the figures of their run against limits."""

ELSEWHERE: dict[str, str] = {
    "voirdire jury injection --judge local/qwen2.5-coder-1.5b --without-defence --cases wrong --concept recursion"
    " -o runs/stand-qwen": "an hour with a model of 1.1 GB; tests/jury/injection has its parts",
    "pip install -e .": "installs; make does",
    "make profile": "minutes with a real model; tests/e2e/test_real_model.py examines it",
    "python -m benchmarks.statistics.judge_worth --frank frank.csv": (
        "needs FRANK's table; tests/published/judge_pairs measures two of its metrics"
    ),
    "make test": "these are tests; .ci/run",
    "make test-published": "these are tests; .ci/run",
    "make published-records": "needs the network; tests/support/test_published_records.py has its parts",
    "make fuzz": "minutes, and other examples each time",
    "make check": "minutes; .ci/run",
    "python3 -m venv .venv": "sets up; make does",
    ".venv/bin/pip install -e .": "sets up; make does",
    ".venv/bin/jupyter execute --inplace docs/notebooks/from-a-run-to-a-judgement.ipynb": (
        "writes into the repository; tests/extras/docs/test_notebooks.py runs them"
    ),
    "OTEL_TRACES_EXPORTER=console OTEL_SERVICE_NAME=voirdire opentelemetry-instrument voirdire run"
    " -m simulated/steady --preset quick --jury simulated/judge -o runs/traced": (
        "needs opentelemetry-distro; tests/runs/test_tracing.py has the spans"
    ),
    "voirdire score runs/gpt --jury openai/gpt-5.1,anthropic/claude-opus-4-1 --batch": (
        "needs keys, and hours; tests/cli/test_batch.py has a server with batches"
    ),
    "voirdire models check local/smollm2-135m --time-exact": (
        "half a minute with a real model; tests/privacy/test_exact.py has its parts"
    ),
    "voirdire view runs --open": "serves until it is stopped; tests/extras/view opens it in a browser",
    "voirdire verify RUN --head DIGEST": "needs a head that was published; tests/cli/test_verify.py takes one back",
    **dict.fromkeys(
        ("pip install atheris", "python -m fuzz concepts --seconds 60"),
        "atheris is in no environment of ours; tests/untrusted draws inputs for the same readers",
    ),
    "make test-ray": "another environment; .ci/run",
    "pip install -e '.[ray]'": "installs; make test-ray does",
    **dict.fromkeys(
        (
            "voirdire detect answers.parquet --engine ray -o flagged/",
            "voirdire detect /shared/answers.parquet --engine ray --address auto -o /shared/flagged",
            "voirdire label answers.parquet --labeller openai/gpt-5.1 --votes 5 --engine ray --address auto"
            " --connections 200 --max-cost 500 -o labels/",
            "voirdire integrity audit --responses answers.parquet --facts facts.txt --auditor rules --engine ray"
            " --address auto -o audits/",
        ),
        "needs Ray, and a cluster; tests/extras/ray has one of two CPUs",
    ),
    "python -m benchmarks scale -- --statements 1002000 --workers 2 --ray 50000": (
        "half an hour; tests/support/test_benchmarks.py has the list"
    ),
    "make test-torch": "another environment; .ci/run",
    "make test-doors": "these are its tests; .ci/run",
    "make test-faults": "these are tests; .ci/run",
    "make audit": "another environment, and the package index; scripts/audit.py code is part of make check",
    "make lock": "needs uv and the package index; tests/support/test_locks.py holds what it writes",
    "make docs": "tests/extras/docs/test_site.py builds the site",
    "make bench": "half an hour, and another environment; tests/support/test_benchmarks.py has its parts",
    "python -m tests.support.fake_openai --port 8000 --latency 0.5 --requests-per-minute 3000 --error-rate 0.02 "
    "--plan 429:30,500,reset,half,hang": "a server that does not end; tests/support/test_fake_openai.py has it answer",
    "python -m benchmarks list": "tests/support/test_benchmarks.py has the list",
    "python -m benchmarks sequential": "minutes; tests/support/test_sequential.py has its parts",
    "python -m benchmarks efficiency --small": "measures time; tests/support/test_benchmarks.py has its parts",
    "pip install -e '.[train]'": "installs; make test-torch does",
    "pip install -e '.[local]'": "installs; make does",
    "pip install -e '.[entailment]'": "installs; make does",
    "pip install -e '.[openai]'": "installs; make does",
    "make entailment": "an hour, and pairs that are not in the repository",
    "pip install -e '.[web]'": "installs; make test-doors does",
    "voirdire rate serve answers.voirdire": "serves until it is stopped; tests/extras/raters does, and stops it",
    "voirdire rate serve turns.voirdire": "serves until it is stopped; tests/extras/raters does, and stops it",
    "voirdire cognibench bench DATA --detector lexical --detector nli:MODEL --device cuda": _TORCH,
    "voirdire cognibench bench DATA --detector minicheck:lytang/MiniCheck-RoBERTa-Large --device cuda": _TORCH,
    "voirdire detect answers.jsonl --detector nli:tasksource/deberta-base-long-nli": _TORCH,
    "voirdire detectors train encoder --data labelled.jsonl --base answerdotai/ModernBERT-base"
    " -o detectors/encoder": _HUB,
    "voirdire detectors train cognidet --data labelled.jsonl -o detectors/cognidet": _HUB,
    "voirdire detectors train cognidet --data labelled.jsonl -o detectors/cognidet --dry-run": _HUB,
    "voirdire detectors train cognidet --data labelled.jsonl -o detectors/cognidet --method lora --merge": _HUB,
    "torchrun --nproc_per_node 8 --no-python voirdire detectors train cognidet --data labelled.jsonl"
    " -o detectors/cognidet": _HUB,
    "vllm serve detectors/cognidet --served-model-name cognidet": "a server of one's own, on a GPU; nowhere",
    "vllm serve meta-llama/Meta-Llama-3-8B-Instruct --enable-lora --lora-modules cognidet=detectors/cognidet": (
        "a server of one's own, on a GPU; nowhere"
    ),
    "voirdire jury bench turns.jsonl.gz --judge local/qwen2.5-coder-1.5b --draw 200"
    " --labels tests/jury/clarification_labels.csv -o runs/bench-qwen": (
        "an hour with a model of 1.1 GB; tests/jury/test_local_judge.py has its parts"
    ),
}
"""Commands that are not run by these tests: why not; and where they, or their parts, are."""

_CONTEXT = "The tower opened in 1889. It is 300 m high."
GIVEN: dict[str, dict[str, object]] = {
    "docs/contradictions.md": {"context": _CONTEXT},
}
"""What the Python of a page takes as known."""

SNIPPETS_ELSEWHERE: dict[tuple[str, str], str] = {
    ("docs/detectors.md", "selfcheck-nli:"): "needs torch and a model of a hub; tests/extras/torch",
}
"""Python that is not run, by its page and words that it holds: why not; and where its parts are."""
