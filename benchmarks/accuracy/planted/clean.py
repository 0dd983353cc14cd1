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
from benchmarks.accuracy.planted.formats.tables import mapping
from benchmarks.accuracy.planted.study import Study

WEIGHTED = "weighted_alpaca_eval_gpt4_turbo"
COT = "alpaca_eval_cot_gpt4_turbo_fn"
THREE = {"anthropic/claude-3-5-haiku": 2.0, "mistral/mistral-small-2409": 1.0, "qwen/qwen2.5-7b-instruct": 0.1}
TWO = {"meta-llama/Llama-3.1-8B": 1.5, "allenai/OLMo-2-1124-7B": 0.3}
PAIR = {"anthropic/claude-2.1": 0.71, "lmsys/vicuna-13b-v1.5": 0.55}
TRIO = {**PAIR, "wizardlm/wizardlm-13b": 0.42}
GEMINI = "google/gemini-2.0-flash-001"
GPT = "openai/gpt-4.1-mini"
MISTRAL = "mistral/mistral-large-2411"
RANKING = "mistral-large-2402_ranking"


@dataclass(frozen=True, slots=True)
class Clean:
    """An evaluation without a defect."""

    name: str
    format: str
    build: Callable[[random.Random], Study]

    def study(self) -> Study:
        """The same every time."""
        study = _built(self.name).copy()
        study.extra["format"] = self.format
        return study

    @property
    def arguments(self) -> tuple[str, ...]:
        """What the command line needs to read them."""
        return ("--map", mapping(self.study())) if self.format == "jsonl" else ()

    def write(self, folder: Path) -> None:
        """Write its files into a folder."""
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
        """Copy its files into a folder."""
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
    return generate.made_pairs(models, RANKING, 400, rng)


Build = Callable[[random.Random], Study]


def _scores(models: dict[str, float], count: int, clusters: int = 0) -> Build:
    return lambda rng: generate.scores_only("scores", models, count, rng, clusters=clusters)


def _choice(models: dict[str, float], count: int, epochs: int = 1) -> Build:
    return lambda rng: generate.choice("exam", models, texts.choice_items(count, rng), rng, epochs=epochs)


def _passages(models: dict[str, float], count: int) -> Build:
    return lambda rng: generate.choice("claims", models, texts.passage_items(count, rng), rng)


def _short(models: dict[str, float], count: int, epochs: int = 1) -> Build:
    return lambda rng: generate.short("fill_the_gap", models, texts.short_items(count, rng), rng, epochs=epochs)


def _judged(
    models: dict[str, float], count: int, judges: tuple[str, ...], *, levels: int = 10, clusters: bool = False
) -> Build:
    return lambda rng: generate.judged("open_answers", models, count, judges, rng, levels=levels, clusters=clusters)


def _pairs(models: list[str], judges: list[str]) -> Build:
    return lambda rng: generate.pairs(models, judges, rng)


MADE = (
    Clean("inspect-choice", "inspect", _choice(THREE, 400)),
    Clean("inspect-zip", "inspect-eval", _choice(TWO, 300)),
    Clean("inspect-short", "inspect", _short(THREE, 360)),
    Clean("inspect-judged", "inspect", _judged(PAIR, 260, (GEMINI,), levels=1)),
    Clean("inspect-judges", "inspect", _judged(TRIO, 220, (GEMINI, GPT))),
    Clean("inspect-epochs", "inspect", _short(TWO, 150, 4)),
    Clean("inspect-exam-epochs", "inspect", _choice(TWO, 140, 3)),
    Clean("inspect-passages", "inspect", _passages(THREE, 360)),
    Clean("lm-eval-choice", "lm-eval", _choice(TWO, 600)),
    Clean("lm-eval-short", "lm-eval", _short(TWO, 500)),
    Clean("lm-eval-three", "lm-eval", _choice(THREE, 500)),
    Clean("lm-eval-passages", "lm-eval", _passages(TWO, 420)),
    Clean("helm-choice", "helm", _choice(THREE, 300)),
    Clean("helm-short", "helm", _short(TWO, 240)),
    Clean("promptfoo-short", "promptfoo", _short(TWO, 240)),
    Clean("promptfoo-judged", "promptfoo", _judged(PAIR, 200, (GEMINI, GPT))),
    Clean("promptfoo-repeats", "promptfoo", _short(TWO, 110, 3)),
    Clean("deepeval-judged", "deepeval", _judged(PAIR, 200, (GEMINI,))),
    Clean("deepeval-judges", "deepeval", _judged(TRIO, 180, (GEMINI, GPT))),
    Clean("eee-choice", "every-eval-ever", _choice(THREE, 300)),
    Clean("eee-short", "every-eval-ever", _short(TWO, 260)),
    Clean("eee-judged", "every-eval-ever", _judged(PAIR, 220, (GEMINI,))),
    Clean("eee-passages", "every-eval-ever", _passages(TWO, 330)),
    Clean("eee-epochs", "every-eval-ever", _short(TWO, 120, 3)),
    Clean("csv-judges", "csv", _judged(TRIO, 240, (GEMINI, GPT))),
    Clean("csv-panel", "csv", _judged(PAIR, 200, (GEMINI, GPT, MISTRAL))),
    Clean("csv-families", "csv", _judged(PAIR, 250, (GEMINI,), clusters=True)),
    Clean("csv-choice", "csv", _choice(THREE, 400)),
    Clean("csv-epochs", "csv", _short(TWO, 160, 3)),
    Clean("csv-scores", "csv", _scores({"alpha-70b": 1.6, "beta-34b": 0.8, "gamma-13b": 0.0}, 1500)),
    Clean("csv-documents", "csv", _scores({"alpha-70b": 1.2, "beta-34b": 0.4}, 1600, 8)),
    Clean("jsonl-short", "jsonl", _short(THREE, 320)),
    Clean("jsonl-judged", "jsonl", _judged(TRIO, 210, (GEMINI,))),
    Clean("jsonl-epochs", "jsonl", _choice(TWO, 130, 3)),
    Clean("parquet-scores", "parquet", _scores({"m-large": 1.4, "m-medium": 0.6, "m-small": -0.3}, 1200)),
    Clean("alpaca-made", "alpaca-eval", _alpaca_made),
    Clean("alpaca-real", "alpaca-eval", _pairs(["claude-2.1", "vicuna-13b-v1.5-togetherai"], [WEIGHTED])),
    Clean("alpaca-judges", "alpaca-eval", _pairs(["claude-2.1", "gpt-3.5-turbo-0301"], [WEIGHTED, COT])),
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
