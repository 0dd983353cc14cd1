"""Where trials come from, how they are drawn, and that nothing tells who answered."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter

import pytest

from voirdire.integrity.plan import AuditPlan
from voirdire.integrity.session import audit_responses
from voirdire.raters.records import RatersError
from voirdire.raters.tasks.base import DrawOptions
from voirdire.raters.tasks.integrity.builder import make

PLAIN = DrawOptions()
SECRETS = ("model-x", "stoic", "be stoic", "trial_", "likert", "judge-a")


def _responses(path, count=6, **more):
    lines = [
        {"id": f"gpt-{n}", "response": f"The mill burnt {n} times.", "facts": ["The mill burnt once."], **more}
        for n in range(count)
    ]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return path


def _trials(path, spreads):
    """Scored trials: of each, three judges' scores lie so far apart."""
    cell = {"judge-a": 0, "judge-b": 1, "judge-c": 2}
    raw = {
        "_schema": "integrity_trials/1",
        "evaluators": list(cell),
        "dims": ["ei"],
        "models": [{"id": "model-x"}],
        "constitutions": [{"id": "stoic", "system_prompt": "be stoic"}],
        "scenarios": [
            {
                "id": f"case-{n}",
                "title": "T",
                "category": "c",
                "description": "A mill.",
                "facts": ["It burnt once.", "It is old."],
                "ambiguous": ["Who knows."],
                "decision_point": "Rebuild it?",
            }
            for n in range(2)
        ],
        "trials": [
            {
                "id": f"trial_{n}",
                "scenario": f"case-{n % 2}",
                "constitution": "stoic",
                "model": "model-x",
                "reasoning": f"It burnt {n} times.",
                "recommendation": "Rebuild.",
                "values": ["age"],
                "tradeoffs": "None.",
                "ei_explanations": {},
                "scores": {"likert": {judge: [50 + spread * place] for judge, place in cell.items()}},
            }
            for n, spread in enumerate(spreads)
        ],
    }
    data = json.dumps(raw).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def test_plain_responses_all_come_once_in_an_order_given_by_the_seed(tmp_path):
    path = _responses(tmp_path / "r.jsonl")
    made = make(path, PLAIN)
    assert sorted(each.source["item"] for each in made.documents) == [f"gpt-{n}" for n in range(6)]
    assert [item.document for item in made.items] == [each.id for each in made.documents]
    assert make(path, PLAIN) == made
    orders = {tuple(each.id for each in make(path, DrawOptions(seed=seed)).documents) for seed in range(5)}
    assert len(orders) > 1
    assert {each.weight for each in made.documents} == {1.0} and {each.stratum for each in made.documents} == {""}


def test_without_judges_a_sample_is_drawn_at_random_and_weighted(tmp_path):
    made = make(_responses(tmp_path / "r.jsonl"), DrawOptions(sample=2))
    assert [each.weight for each in made.documents] == [3.0, 3.0]


def test_a_list_in_one_json_file_is_read_too(tmp_path):
    path = tmp_path / "r.json"
    path.write_text(json.dumps([{"id": "a", "response": "It burnt.", "facts": ["It burnt."]}]), encoding="utf-8")
    assert make(path, PLAIN).documents[0].source == {"item": "a"}


@pytest.mark.parametrize("name", ["t.json", "t.json.gz"])
def test_scored_trials_are_spread_over_thirds_of_the_judges_disagreement(tmp_path, name):
    made = make(_trials(tmp_path / name, range(12)), DrawOptions(sample=6, seed=1))
    assert Counter(each.stratum for each in made.documents) == {
        "low disagreement": 2,
        "middle disagreement": 2,
        "high disagreement": 2,
    }
    assert {each.weight for each in made.documents} == {2.0}
    low = {each.source["item"] for each in made.documents if each.stratum == "low disagreement"}
    assert low <= {f"trial_{n}" for n in range(4)}
    assert {each.group for each in made.documents} <= {"case-0", "case-1"}


def test_a_sample_smaller_than_the_strata_is_drawn_without_them(tmp_path):
    made = make(_trials(tmp_path / "t.json", range(12)), DrawOptions(sample=2))
    assert [(each.stratum, each.weight) for each in made.documents] == [("", 6.0), ("", 6.0)]


def test_nothing_that_raters_see_tells_who_answered(tmp_path):
    made = make(_trials(tmp_path / "t.json", range(12)), PLAIN)
    for document, item in zip(made.documents, made.items, strict=True):
        shown = json.dumps([document.id, item.id, document.body])
        assert not any(secret in shown for secret in SECRETS)
        assert set(document.body) == {"context", "facts", "response", "sentences"}
    assert len({each.id for each in made.documents}) == 12


def test_scores_and_violations_that_responses_bring_are_not_shown(tmp_path):
    extra = {"holistic": 37.5, "violations": [{"type": "fact_denial", "sentence": 0, "reason": "SECRET"}]}
    shown = json.dumps([each.body for each in make(_responses(tmp_path / "r.jsonl", **extra), PLAIN).documents])
    assert "37.5" not in shown and "SECRET" not in shown and "fact_denial" not in shown


def test_sentences_are_cut_as_the_audit_cuts_them(tmp_path):
    path = tmp_path / "r.jsonl"
    text = "# Heading\n- One point\n- Another. It burnt."
    path.write_text(json.dumps({"id": "a", "response": text, "facts": ["It burnt."]}), encoding="utf-8")
    sentences = make(path, PLAIN).documents[0].body["sentences"]
    assert len(sentences) == 4
    assert all(text[each["start"] : each["end"]] == each["text"] for each in sentences)


def test_a_run_of_audits_gives_the_responses_it_has_audited(tmp_path):
    path, run = _responses(tmp_path / "r.jsonl", 3), tmp_path / "run"
    asyncio.run(audit_responses(AuditPlan(path, facts=None), run))
    made = make(run, PLAIN)
    assert sorted(each.source["item"] for each in made.documents) == ["gpt-0", "gpt-1", "gpt-2"]
    assert len({each.group for each in made.documents}) == 1
    assert made.documents[0].stratum == ""  # one auditor: no disagreement to spread by


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"id": "a", "facts": ["It burnt."]}', "holds no responses"),
        ('{"id": "a", "response": "It burnt."}', "'a' brings no facts"),
        (
            '{"id": "a", "response": "x", "facts": ["y"]}\n{"id": "a", "response": "z", "facts": ["y"]}',
            "appears twice",
        ),
        ("", "holds no responses"),
        ("nonsense", "line 1"),
    ],
)
def test_what_cannot_be_rated_is_told_in_one_sentence(tmp_path, content, says):
    path = tmp_path / "r.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(RatersError, match=says):
        make(path, PLAIN)


def test_empty_responses_are_left_out_and_the_organiser_is_told(tmp_path):
    path = tmp_path / "r.jsonl"
    entries = [{"id": name, "response": said, "facts": ["It burnt."]} for name, said in (("a", "Yes."), ("b", " "))]
    path.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    made = make(path, PLAIN)

    assert [each.source["item"] for each in made.documents] == ["a"]
    assert [str(each) for each in made.left_out] == ["1 row without an answer (b)"]


def test_a_missing_file_a_foreign_folder_a_jury_and_too_large_a_sample_are_refused(tmp_path):
    for path in (tmp_path / "none.jsonl", tmp_path / "none.json", tmp_path, tmp_path / "none.gz"):
        with pytest.raises(RatersError):
            make(path, PLAIN)
    path = _responses(tmp_path / "r.jsonl")
    with pytest.raises(RatersError, match="no juries"):
        make(path, DrawOptions(jury="abc"))
    with pytest.raises(RatersError, match="A sample of 7 was asked for, of 6 responses"):
        make(path, DrawOptions(sample=7))
