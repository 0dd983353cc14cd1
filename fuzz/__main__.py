"""Run a target for so many seconds, or until it ends in an error that is none of ours."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from pathlib import Path

NAMES = (
    "answers",
    "concepts",
    "facts",
    "gguf",
    "html_text",
    "journal",
    "json_text",
    "label_studio",
    "manifests",
    "presets",
    "sheets",
    "verdicts",
    "yaml_text",
)


def main() -> None:
    """Parse the command line and hand over to atheris, which ends the process itself."""
    parser = argparse.ArgumentParser(prog="python -m fuzz")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--corpus", type=Path, help="a folder that keeps what was found to lead further")
    parser.add_argument("--input", type=Path, help="one input, to see again what it does")
    given = parser.parse_args()
    import atheris

    with atheris.instrument_imports(include=["voirdire", "yaml"], enable_loader_override=False):
        target = importlib.import_module(f"fuzz.{given.name}")
    corpus = given.corpus or Path(tempfile.mkdtemp(prefix="fuzz-"))
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.SEEDS):
        (corpus / f"seed-{number}").write_bytes(seed)
    told = [str(given.input)] if given.input else [str(corpus), f"-max_total_time={given.seconds}", "-timeout=10"]
    told.append(f"-artifact_prefix={corpus}/")
    atheris.Setup([sys.argv[0], *told, "-print_final_stats=1", "-verbosity=0", "-max_len=20000"], allowing(target.one))
    atheris.Fuzz()


def allowing(one):
    """The target, with voirdire's own errors allowed: sentences for the user."""

    def tried(data: bytes) -> None:
        try:
            one(data)
        except Exception as error:
            if not type(error).__module__.startswith("voirdire."):
                raise
            if not str(error) or "\n" in str(error):
                raise AssertionError(f"no sentence: {error!r}") from error

    return tried


if __name__ == "__main__":
    main()
