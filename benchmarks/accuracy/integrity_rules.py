"""What do the integrity rules find, and how often do they cry wolf?

    VOIRDIRE_SHARED=… python -m benchmarks.accuracy.integrity_rules

Prints as it is: detection on the guide's own cases (the rules were tuned on these), false alarms on clean sentences
and whole responses about other facts, detection on faulty sentences about those facts, and the speed. The last three
are in `integrity_controls.jsonl`, written for this benchmark; its held-out half was written when the rules were done,
and they were not changed for it.

A case counts as found when every expected type is among the suggestions, or every type of a listed alternative; a case
(or alternative) that expects nothing is right only if nothing is suggested. Imprecision and vagueness are one family,
as they are when auditors are compared; the count with the exact type is printed beside it.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from voirdire.integrity.facts import expand, parse_facts
from voirdire.integrity.rules import Inspection, PreparedFacts, inspect_response

NEEDS = "the guide's cases (VOIRDIRE_SHARED)"
SMALL = ()

CONTROLS = Path(__file__).with_name("integrity_controls.jsonl")
FAMILY = {"vagueness": "imprecision"}
DETECTION = ("sentence", "phrase", "response")


def inspect(row: dict[str, Any], *, omissions: bool) -> Inspection:
    """The rules on one case."""
    facts = expand(parse_facts(row["facts"])) if row["facts"] else []
    return inspect_response(row.get("feed_text") or row["text"], facts, omissions=omissions)


def families(types: Iterable[str]) -> set[str]:
    """Types, those of one family as one."""
    return {FAMILY.get(each, each) for each in types}


def guide(path: Path) -> None:
    """Detection on the guide's cases."""
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    for kinds in (DETECTION, ("pattern",)):
        chosen = [case for case in cases if case["kind"] in kinds]
        exact = found = 0
        missed, extra = [], 0
        for case in chosen:
            got = {each.type for each in inspect(case, omissions=case["kind"] == "response").violations}
            wanted = [{each["type"] for each in case["expected"]}, *map(set, case.get("alternatives", []))]
            exact += any(types <= got if types else not got for types in wanted)
            right = any(families(types) <= families(got) if types else not got for types in wanted)
            found += right
            extra += bool(families(got) - families(set().union(*wanted)))
            missed += [] if right else [case["id"]]
        print(f"guide, {'/'.join(kinds)}: {found}/{len(chosen)} found ({exact} with the exact type);", end=" ")
        print(f"{extra} also get a type that isn't expected; missed: {' '.join(missed) or 'none'}")


def controls(rows: list[dict[str, Any]], half: str) -> None:
    """False alarms on clean texts, detection on faulty ones."""
    print(f"controls, {half}:")
    mine = [row for row in rows if row["half"] == half]
    clean_sentences([row for row in mine if row["kind"] == "clean"])
    clean_responses([row for row in mine if row["kind"] == "clean response"])
    faulty_sentences([row for row in mine if row["kind"] == "violation"])


def clean_sentences(rows: list[dict[str, Any]]) -> None:
    """False alarms, by what the sentence does with the facts."""
    alarmed = [row for row in rows if inspect(row, omissions=False).violations]
    topics, share = len({row["topic"] for row in rows}), len(alarmed) / len(rows)
    names = " ".join(row["id"] for row in alarmed) or "none"
    print(f"  clean sentences: {len(alarmed)}/{len(rows)} false alarms ({share:.1%}), {topics} topics; {names}")
    every, wrong = (Counter(row["why"] for row in part) for part in (rows, alarmed))
    print("    " + ", ".join(f"{why} {wrong[why]}/{count}" for why, count in sorted(every.items())))


def clean_responses(rows: list[dict[str, Any]]) -> None:
    """False suggestions in whole responses, omissions judged."""
    if rows:
        suggested = sum(len(inspect(row, omissions=True).violations) for row in rows)
        print(f"  clean responses: {suggested} false suggestions in {len(rows)} responses, omissions judged")


def faulty_sentences(rows: list[dict[str, Any]]) -> None:
    """Detection of the expected family, by type."""
    found = [
        row
        for row in rows
        if families([row["expected"]]) <= families(each.type for each in inspect(row, omissions=False).violations)
    ]
    missed = " ".join(row["id"] for row in rows if row not in found) or "none"
    print(f"  faulty sentences: {len(found)}/{len(rows)} get the expected type; missed: {missed}")
    total, right = (Counter(row["expected"] for row in part) for part in (rows, found))
    print("    " + ", ".join(f"{kind} {right[kind]}/{count}" for kind, count in sorted(total.items())))


def speed(rows: list[dict[str, Any]], rounds: int = 40) -> None:
    """Milliseconds per response on one core."""
    whole = [row for row in rows if row["kind"] == "clean response"]
    prepared = [PreparedFacts.of(expand(parse_facts(row["facts"]))) for row in whole]
    for given, says in ((prepared, "facts prepared once"), (None, "facts parsed and prepared each time")):
        start = time.process_time()
        for _ in range(rounds):
            for place, row in enumerate(whole):
                facts = given[place] if given else PreparedFacts.of(expand(parse_facts(row["facts"])))
                inspect_response(row["text"], facts)
        each = 1000 * (time.process_time() - start) / (rounds * len(whole))
        print(f"speed, {says}: {each:.1f} ms per response on one core ({each * 10:.0f} s for 10,000)")


if __name__ == "__main__":
    if "VOIRDIRE_SHARED" in os.environ:
        guide(Path(os.environ["VOIRDIRE_SHARED"]) / "data" / "integrity" / "guide_cases.json")
    lines = CONTROLS.read_text(encoding="utf-8").splitlines()
    everything = [json.loads(line) for line in lines]
    controls(everything, "tuning")
    controls(everything, "held_out")
    speed(everything)
