"""Fetch the published records that tests/published read, into published-records/ (make published-records).

Two public repositories, each at a commit: the 360 dialogues of the DDFT paper, and CogniBench's release, of whose
labels only those of the development half are kept. What was read is compared by SHA-256 with what the tests were
written for.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
OUT = ROOT / "published-records" / "data"
HALF = ROOT / "tests" / "published" / "cognibench" / "development_half.txt"


class RecordsError(Exception):
    """One sentence for whoever asked."""


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of a public repository, what is made of it, and the SHA-256 of that as canonical JSON."""

    url: str
    commit: str
    folder: str
    read: Callable[[Path], Any]
    write: Callable[[Any, Path], None]
    sha256: str


def read_turns(folder: Path) -> list[dict[str, Any]]:
    """The turns of all dialogues: question, response, and FAR and SAS of judges and consensus."""
    turns = [
        turn for path in sorted(folder.glob("ddft_*.json")) for turn in _turns(json.loads(path.read_text("utf-8")))
    ]
    return sorted(turns, key=lambda turn: (turn["model"], turn["concept"], turn["level"], turn["turn"]))


def _turns(dialogue: dict[str, Any]) -> list[dict[str, Any]]:
    log = dialogue["conversation_log"]
    return [
        {
            "model": dialogue["subject_model"],
            "concept": dialogue["concept"],
            "level": dialogue["compression_level"],
            "turn": number,
            "question": asked["content"],
            "response": said["content"],
            "judges": {judge: _scores(scores) for judge, scores in said["evaluation"]["judges"].items()},
            "consensus": _scores(said["evaluation"]["consensus"]),
        }
        for number, (asked, said) in enumerate(zip(log[::2], log[1::2], strict=True), 1)
    ]


def _scores(scores: dict[str, Any]) -> dict[str, Any]:
    return {"FAR": scores.get("FAR"), "SAS": scores.get("SAS")}


def write_turns(turns: list[dict[str, Any]], out: Path) -> None:
    """As one file of lines."""
    (out / "ddft_published").mkdir(parents=True, exist_ok=True)
    with gzip.open(out / "ddft_published" / "turns.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(turn, ensure_ascii=False) + "\n" for turn in turns)


def read_half(folder: Path) -> dict[str, Any]:
    """All dialogues, and the labels of the development half: the others are for nobody to look at."""
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    half = HALF.read_text("utf-8").split()
    return {
        "dialogues": json.loads((folder / "dialogues.json").read_text("utf-8")),
        "labels": {name: labels[name] for name in labels if name in set(half)},
    }


def write_half(found: dict[str, Any], out: Path) -> None:
    """In the release's two files."""
    (out / "cognibench_dev").mkdir(parents=True, exist_ok=True)
    for name, value in found.items():
        text = json.dumps(value, ensure_ascii=False, indent=1)
        (out / "cognibench_dev" / f"{name}.json").write_text(text, encoding="utf-8")


SOURCES = (
    Source(
        url="https://github.com/rb125/cgae",
        commit="6cddc756adf0a6d15212d4836041a2d2edc184fc",
        folder="ddft_framework/results",
        read=read_turns,
        write=write_turns,
        sha256="9baa0f8e9b4376d1e97737d83ef27785cbada55562c1489a13aaed6f9714d46a",
    ),
    Source(
        url="https://github.com/FUTUREEEEEE/CogniBench",
        commit="d17b81d4cead72123e88396a2123ebbe3c8ab396",
        folder="data",
        read=read_half,
        write=write_half,
        sha256="7d5f6b9c8887c2bd0285427a00e674895a4228f976f3768eb2103816134e2192",
    ),
)


def digest(value: Any) -> str:
    """SHA-256 of a value as JSON whose keys are sorted."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def fetch(source: Source, into: Path) -> Path:
    """The folder at its commit."""
    for words in (
        ["init", "-q", str(into)],
        ["-C", str(into), "sparse-checkout", "set", "--no-cone", source.folder],
        ["-C", str(into), "fetch", "-q", "--depth", "1", "--filter=blob:none", source.url, source.commit],
        ["-C", str(into), "checkout", "-q", "FETCH_HEAD"],
    ):
        quiet = os.environ | {"GIT_TERMINAL_PROMPT": "0"}
        done = subprocess.run(["git", *words], capture_output=True, text=True, env=quiet)  # noqa: S603, S607 - our words
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise RecordsError(
                f"{source.url} could not be fetched at {source.commit[:12]} (git says: {why}). The tests in "
                "tests/published need it; set VOIRDIRE_SHARED to a folder that has the records, or try again online."
            )
    return into / source.folder


def make(source: Source, out: Path) -> None:
    """Fetch, compare and write."""
    with tempfile.TemporaryDirectory() as folder:
        found = source.read(fetch(source, Path(folder) / "repository"))
    if (got := digest(found)) != source.sha256:
        raise RecordsError(
            f"{source.url} at {source.commit[:12]} does not hold the records that the tests were written for: their "
            f"SHA-256 is {got}, {source.sha256} is expected. Nothing was written."
        )
    source.write(found, out)


def main() -> int:
    """Make all that is not there."""
    try:
        for source in SOURCES:
            make(source, OUT)
    except FileNotFoundError as error:
        print(f"git is needed to fetch the records ({error}).", file=sys.stderr)
        return 1
    except RecordsError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"The published records are in {OUT.parent}; make test-published runs the tests on them.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
