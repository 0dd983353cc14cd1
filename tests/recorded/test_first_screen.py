"""A command leads with its conclusion and few figures; the rest is behind --all."""

import re

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.recorded.commands import AS_JSON, AS_TEXT
from tests.recorded.figures import printed
from tests.support.abbreviations import abbreviations, explained

_BENCH, _INJECTION = (AS_JSON[name][:-1] for name in ("bench", "injection"))
"""Of judges; the first has no more to say with --all."""
ALL = {name: line for name, line in AS_TEXT.items() if "--all" in line and "--texts" not in line} | {
    "jury bench": _BENCH,
    "jury injection": [*_INJECTION, "--all"],
}
_FIGURES = 7
_A_FIGURE = 3
"""Cells: a value, its interval, and n."""
_NUMBER = re.compile(r"(?<=  )[-−+±$]?\d[^ ]*(?: (?:to|%) ?[^ ]+)?")


@pytest.mark.parametrize("name", ALL)
def test_a_result_leads_with_a_sentence_and_few_figures(name, world, monkeypatch):
    monkeypatch.chdir(world)
    first = [word for word in ALL[name] if word != "--all"]
    said = voirdire(*first, check=False, env={"COLUMNS": "100"}).stdout.splitlines()

    opening = " ".join(line for line in said[: said.index("") if "" in said else None] if line[0] not in "╭│╰")
    assert opening.rstrip().endswith((".", "…")) and "─" not in opening
    figures = [len(_NUMBER.findall(row)) for row in _rows(said)]
    assert max(figures, default=0) <= _A_FIGURE or sum(figures) <= _FIGURES, figures
    assert len(said) <= 36, f"{len(said)} lines"
    assert abbreviations("\n".join(said)) <= explained()
    if "--all" in ALL[name]:
        whole = printed(world, *ALL[name])
        assert len(whole.split()) > len(" ".join(said).split())


@pytest.mark.parametrize("run", ["three", "imported"])
def test_validate_leads_with_one_figure_of_each_check_that_fails_or_warns_and_counts_the_others(run, world):
    said = " ".join(voirdire("validate", world / run).stdout.split())
    checks = voirdire_json("validate", world / run)["checks"]
    found = [check["id"] for check in checks if check["status"] in ("fail", "warn")]
    shown = dict(re.findall(r"(\w+) (?:fails|warns): (.*?) · ", said))
    assert sorted(shown) == sorted(found)
    assert all(len(re.findall(r"(?<![\w-])\d[\d.]*(?! of)(?= |$)", each)) <= 1 for each in shown.values()), shown
    passed = sum(check["status"] == "pass" for check in checks)
    assert f" {passed} of {len(checks)} checks pass" in said
    assert not any(check["id"] in said for check in checks if check["status"] == "pass")
    for status in ("undecided", "not measured"):
        ids = [check["id"] for check in checks if check["status"] == status]
        assert all(each in said for each in ids[:3])


def _rows(lines):
    """The rows of tables, without their first cell, which names them."""
    rows, inside = [], False
    for line in lines:
        if line.startswith(" ─"):
            inside = True
        elif not line.strip():
            inside = False
        elif inside:
            rows.append(line.lstrip().partition("  ")[2])
    return rows
