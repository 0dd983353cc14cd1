"""Writers of the result files of other people's tools."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.accuracy.planted.formats import (
    alpaca_eval,
    deepeval,
    every_eval_ever,
    helm,
    inspect,
    lm_eval,
    promptfoo,
    tables,
)
from benchmarks.accuracy.planted.study import Study

Writer = Callable[[Study, Path], None]

WRITERS: dict[str, Writer] = {
    "inspect": inspect.write_json,
    "inspect-eval": inspect.write_zip,
    "lm-eval": lm_eval.write,
    "helm": helm.write,
    "alpaca-eval": alpaca_eval.write,
    "promptfoo": promptfoo.write,
    "deepeval": deepeval.write,
    "every-eval-ever": every_eval_ever.write,
    "csv": tables.write_csv,
    "jsonl": tables.write_jsonl,
    "parquet": tables.write_parquet,
}
