"""Agreement on marked words: by hand, and beside the reference implementation of alpha."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.here import voirdire
from tests.raters.tasks.guided.examples import answer, made, rated, written
from voirdire.raters.agreement import agree
from voirdire.raters.agreement.spans import alpha_of, coincidences

ANSWERS = [{"id": f"a{n}", "context": f"Context {n}.", "question": "?", "answer": "0123456789" * 2} for n in range(8)]


def spans(*places, label="unsupported"):
    return [{"start": start, "end": end, "label": label} for start, end in places]


@pytest.fixture
def path(tmp_path):
    return made(tmp_path, "spans", written(tmp_path / "a.jsonl", ANSWERS))


def test_characters_in_common_are_counted_by_hand(path):
    marked = {"Ann": spans((0, 10)), "Ben": spans((5, 10))}
    project = rated(path, lambda document, rater: answer("done", spans=marked[rater]))
    found = agree(project).live.spans
    assert found.f1.value == pytest.approx(2 * 5 / (10 + 5))
    # 8 × 20 characters: both 40, neither 80, one of them 40
    assert found.alpha.value == pytest.approx(
        krippendorff.alpha([[1] * 80 + [0] * 80, [1] * 40 + [0] * 120], level_of_measurement="nominal")
    )
    assert [(pair.items, round(pair.f1, 3)) for pair in found.pairs] == [(8, 0.667)]
    said = voirdire("rate", "agreement", path, "--all").stdout
    assert "alike (F1, over 8 items)" in " ".join(said.split())
    assert "another marks 67 %" in said.replace("\n", " ") and "Marked words" in said


def test_alpha_of_a_project_is_krippendorffs_of_its_answers_one_after_the_other(tmp_path):
    rows = [{**each, "answer": "0123456789" * (n + 1)} for n, each in enumerate(ANSWERS)]
    path = made(tmp_path, "spans", written(tmp_path / "b.jsonl", rows), guide="labels: [wrong, vague]")
    labels = ["none", "wrong", "vague"]

    def mark(n, rater):
        """Ben leaves out answer 5, and calls every other one vague; of every third answer nobody marks anything."""
        if rater == "Ben" and n == 5:
            return None
        start, label = (0, "wrong") if rater == "Ann" else (4, labels[1 + n % 2])
        return (start, start + 6, label) if n % 3 else (0, 0, label)

    def value(document, rater):
        found = mark(int(document.source["item"][1:]), rater)
        if found is None:
            return {**answer(None), "status": "skipped", "spans": []}
        return answer("done", spans=spans(found[:2], label=found[2]) if found[1] else [])

    table = []
    for rater in ("Ann", "Ben"):
        codes = []
        for n, row in enumerate(rows):
            start, end, label = mark(n, rater) or (0, 0, None)
            others = 0 if label else np.nan
            codes += [labels.index(label) if start <= at < end else others for at in range(len(row["answer"]))]
        table.append(codes)
    found = agree(rated(path, value)).live.spans
    assert found.alpha.value == pytest.approx(krippendorff.alpha(table, level_of_measurement="nominal"))


def test_where_nothing_is_marked_or_all_is_left_out_there_is_a_reason_instead(tmp_path, path):
    project = rated(path, lambda document, rater: answer("done", spans=[]))
    found = agree(project)
    assert found.live.spans.f1.value is None and "nothing can be said" in found.interpretation[0]
    other = made(tmp_path, "spans", tmp_path / "a.jsonl", name="q.voirdire")
    project = rated(other, lambda document, rater: {**answer(None), "status": "skipped", "spans": []})
    assert agree(project).live.spans.alpha.value is None


def test_intervals_are_clustered_by_context(path):
    def value(document, rater):
        number = int(document.source["item"][1:])
        return answer("done", spans=spans((0, 10 if rater == "Ann" else 1 + number)))

    found = agree(rated(path, value)).live.spans
    assert found.f1.low < found.f1.value < found.f1.high
    assert found.alpha.low < found.alpha.value < found.alpha.high


@given(
    values=st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 2), min_size=12, max_size=12), min_size=n, max_size=n)
    )
)
def test_alpha_is_krippendorffs(values):
    found = alpha_of(coincidences(np.array(values), [0, 1, 2]))
    if len({each for row in values for each in row}) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(krippendorff.alpha(values, level_of_measurement="nominal"))
