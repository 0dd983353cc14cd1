"""What is missing of an audit, and whether asking again would bring it."""

import asyncio

import pytest

from voirdire.integrity.auditing import Audit
from voirdire.integrity.results import audit_body, audit_kind
from voirdire.integrity.status import unfinished
from voirdire.jury.structured_replies import Missing, failed, join_missing
from voirdire.records import CallFailure
from voirdire.runs import Journal

REFUSED, UNUSABLE = Missing("the auditor refused"), Missing("no usable audit after 2 repairs: the reply is empty")
FAILED = failed(CallFailure("server", "503", attempts=3))


@pytest.fixture
def standing(tmp_path):
    """How far an audit of five responses has come, by why each of the first ones is missing."""

    def of(*missing):
        with Journal.open(tmp_path / "journal.sqlite") as journal:
            for number, each in enumerate(missing):
                audit = Audit("one") if each is None else Audit("one", missing=each.why, call_failed=each.call_failed)
                asyncio.run(journal.note(f"r{number}", 0, audit_kind("one"), audit_body(audit)))
            return unfinished(journal, ["one"], 5)

    return of


def test_nothing_is_missing_of_a_whole_audit(standing):
    assert standing(*[None] * 5) is None


def test_what_was_not_asked_or_failed_is_asked_by_the_same_command(standing):
    assert standing(None, FAILED) == "one gave no audit of 4 responses (the same command asks again)."


def test_a_refusal_and_replies_that_can_not_be_used_stand(standing):
    said = standing(None, None, None, REFUSED, UNUSABLE)
    assert said.startswith(
        "one gave no audit of 2 responses, and no further call brings one: it refused, or wrote none"
    )
    assert "asks again" not in said


def test_a_response_of_which_one_part_failed_and_one_was_refused_is_asked_again(standing):
    assert standing(None, None, None, None, join_missing([REFUSED, FAILED])).startswith(
        "one gave no audit of 1 response (the same"
    )
