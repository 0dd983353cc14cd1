"""The evaluations without a defect, by name, each in one format."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.accuracy.planted import generate, texts
from benchmarks.accuracy.planted.formats import WRITERS
from benchmarks.accuracy.planted.study import Study

WEIGHTED = "weighted_alpaca_eval_gpt4_turbo"
COT = "alpaca_eval_cot_gpt4_turbo_fn"
THREE = {"anthropic/claude-3-5-haiku": 2.0, "mistral/mistral-small-2409": 1.0, "qwen/qwen2.5-7b-instruct": 0.1}
TWO = {"meta-llama/Llama-3.1-8B": 1.5, "allenai/OLMo-2-1124-7B": 0.3}
PAIR = {"anthropic/claude-2.1": 0.71, "lmsys/vicuna-13b-v1.5": 0.55}
TRIO = {**PAIR, "wizardlm/wizardlm-13b": 0.42}
GEMINI = "google/gemini-2.0-flash-001"
GPT = "openai/gpt-4.1-mini"
LLAMA = "alpaca_eval_llama3_70b_fn"


@dataclass(frozen=True, slots=True)
class Clean:
    """An evaluation without a defect."""

    name: str
    format: str
    build: Callable[[random.Random], Study]

    def study(self) -> Study:
        """The same every time."""
        return _built(self.name).copy()

    def write(self, folder: Path) -> None:
        WRITERS[self.format](self.study(), folder)


@dataclass(frozen=True, slots=True)
class Real:
    """Somebody's own result files, as they are."""

    name: str
    format: str
    path: str
    """In the folder of the shared data."""
    arguments: tuple[str, ...] = ()
    """What the command line needs to read them."""

    def write(self, folder: Path) -> None:
        source = texts.shared() / self.path
        folder.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, folder / source.name, copy_function=shutil.copyfile)
        else:
            shutil.copyfile(source, folder / source.name)


def _alpaca_made(rng: random.Random) -> Study:
    models = {
        "claude-2.1": ("claude-2.1", 0.72),
        "vicuna-13b-v1.5": ("vicuna-13b-v1.5-togetherai", 0.56),
        "wizardlm-13b": ("wizardlm-13b", 0.42),
    }
    return generate.made_pairs(models, LLAMA, 400, rng)


def _scores(count: int, models: dict[str, float], clusters: int = 0) -> Callable[[random.Random], Study]:
    return lambda rng: generate.scores_only("scores", models, count, rng, clusters=clusters)


MADE = (
    Clean(
        "inspect-choice", "inspect", lambda r: generate.choice("passage_choice", THREE, texts.choice_items(400, r), r)
    ),
    Clean(
        "inspect-zip", "inspect-eval", lambda r: generate.choice("passage_choice", TWO, texts.choice_items(300, r), r)
    ),
    Clean("inspect-short", "inspect", lambda r: generate.short("fill_the_gap", THREE, texts.short_items(360, r), r)),
    Clean("inspect-judged", "inspect", lambda r: generate.judged("open_answers", PAIR, 260, (GEMINI,), r, levels=1)),
    Clean("inspect-judges", "inspect", lambda r: generate.judged("open_answers", TRIO, 220, (GEMINI, GPT), r)),
    Clean(
        "inspect-epochs",
        "inspect",
        lambda r: generate.short("fill_the_gap", TWO, texts.short_items(150, r), r, epochs=4),
    ),
    Clean("inspect-passages", "inspect", lambda r: generate.choice("claims", THREE, texts.passage_items(360, r), r)),
    Clean("lm-eval-choice", "lm-eval", lambda r: generate.choice("passage_choice", TWO, texts.choice_items(600, r), r)),
    Clean("lm-eval-short", "lm-eval", lambda r: generate.short("fill_the_gap", TWO, texts.short_items(500, r), r)),
    Clean(
        "lm-eval-three", "lm-eval", lambda r: generate.choice("passage_choice", THREE, texts.choice_items(500, r), r)
    ),
    Clean("lm-eval-passages", "lm-eval", lambda r: generate.choice("claims", TWO, texts.passage_items(420, r), r)),
    Clean("helm-choice", "helm", lambda r: generate.choice("passage_choice", THREE, texts.choice_items(300, r), r)),
    Clean("helm-short", "helm", lambda r: generate.short("fill_the_gap", TWO, texts.short_items(240, r), r)),
    Clean("promptfoo-short", "promptfoo", lambda r: generate.short("fill_the_gap", TWO, texts.short_items(240, r), r)),
    Clean("promptfoo-judged", "promptfoo", lambda r: generate.judged("open_answers", PAIR, 200, (GEMINI, GPT), r)),
    Clean("deepeval-judged", "deepeval", lambda r: generate.judged("open_answers", PAIR, 200, (GEMINI,), r)),
    Clean("deepeval-judges", "deepeval", lambda r: generate.judged("open_answers", TRIO, 180, (GEMINI, GPT), r)),
    Clean(
        "eee-choice",
        "every-eval-ever",
        lambda r: generate.choice("passage_choice", THREE, texts.choice_items(300, r), r),
    ),
    Clean("eee-short", "every-eval-ever", lambda r: generate.short("fill_the_gap", TWO, texts.short_items(260, r), r)),
    Clean("csv-judges", "csv", lambda r: generate.judged("panel", TRIO, 240, (GEMINI, GPT), r)),
    Clean("csv-families", "csv", lambda r: generate.judged("panel", PAIR, 250, (GEMINI,), r, clusters=True)),
    Clean("csv-choice", "csv", lambda r: generate.choice("exam", THREE, texts.choice_items(400, r), r)),
    Clean("csv-epochs", "csv", lambda r: generate.short("gaps", TWO, texts.short_items(160, r), r, epochs=3)),
    Clean("csv-scores", "csv", _scores(1500, {"alpha-70b": 1.6, "beta-34b": 0.8, "gamma-13b": 0.0})),
    Clean("csv-documents", "csv", _scores(1600, {"alpha-70b": 1.2, "beta-34b": 0.4}, 8)),
    Clean("jsonl-short", "jsonl", lambda r: generate.short("gaps", THREE, texts.short_items(300, r), r)),
    Clean("jsonl-judged", "jsonl", lambda r: generate.judged("panel", TRIO, 200, (GEMINI,), r)),
    Clean("parquet-scores", "parquet", _scores(1200, {"m-large": 1.4, "m-medium": 0.6, "m-small": -0.3})),
    Clean("alpaca-made", "alpaca-eval", _alpaca_made),
    Clean(
        "alpaca-real",
        "alpaca-eval",
        lambda r: generate.pairs(["claude-2.1", "vicuna-13b-v1.5-togetherai"], [WEIGHTED], r),
    ),
    Clean("alpaca-judges", "alpaca-eval", lambda r: generate.pairs(["claude-2.1", "alpaca-7b"], [WEIGHTED, COT], r)),
)

REAL = (
    Real("real-inspect-arc", "inspect", "evals/inspect/data_arc_sonnet.json"),
    Real("real-inspect-agent", "inspect", "evals/inspect/data_cvebench_empty_choices.json"),
    Real("real-inspect-judged", "inspect", "evals/inspect/data_with_llm_scoring.json"),
    Real("real-helm", "helm", "evals/helm"),
    Real("real-lm-eval", "lm-eval", "evals/lm_eval"),
    Real("real-eee", "every-eval-ever", "evals/every_eval_ever/demo-source"),
    Real(
        "real-frank",
        "csv",
        "judge_pairs/frank/frank.csv",
        ("--map", "item=document,model=model,score=human_factuality,cluster=document"),
    ),
)

CLEAN: dict[str, Clean] = {each.name: each for each in MADE}


@cache
def _built(name: str) -> Study:
    return CLEAN[name].build(random.Random(f"planted/{name}"))
