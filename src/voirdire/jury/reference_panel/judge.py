"""The reference panel: a deterministic judge for use with no LLM at all.

What it is worth. It compares words, numbers and names with the concept's reference and facts, and reads an answer's
attitude to a fabrication from turns of phrase. It understands nothing. It tells a fact from a false version of the same
sentence nearly always while the fact stands in its evidence, and in about 87 of 100 pairs when only the reference text
does; a true statement that the evidence does not hold gets a middling FAR, a false one in the evidence's own words can
get a high one, and irony, paraphrase and other languages are lost on it. Good for trying the program out, for tests,
and as a floor that any jury should beat; not for saying anything about a model. Nothing in it was fitted to the
published consensus: thresholds come from facts and their false versions, and from replies written for the purpose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from voirdire.jury.clarification import asks_what_is_meant
from voirdire.jury.reference_panel.answer_form import Form, form, is_gibberish
from voirdire.jury.reference_panel.claims import claims_nothing, claims_of, declines, sentences_of
from voirdire.jury.reference_panel.stance import StanceReading, read_stance
from voirdire.jury.reference_panel.support import ClaimScore, check_claim, index_evidence
from voirdire.records import JudgeTask, Stance, Verdict

NAME = "reference"

_NO_TRAP = StanceReading(None, "")
_MAX_CHARS = 60_000  # of a longer answer the first and last halves of this many are read
_ACCEPTED_SHARE, _ACCEPTED_MOST = 0.6, 0.5  # B.2: "more errors than correct information"
_QUESTIONED_SHARE = 0.85
_TAGS = re.compile("[\U000e0000-\U000e007f]+")  # Unicode's tag characters, which nobody sees
_QUOTE = 70  # characters of a sentence that a justification quotes


def judge(task: JudgeTask) -> Verdict:
    """Judge one turn: the same task gives the same verdict, always.

    FAR is the mean over the answer's claims, by length, of how far reference and facts carry each; accepting a
    fabrication caps it, and rejecting one makes it 1. `no_claims` has FAR `None`. SAS looks at form and relevance only.
    An empty answer has no claims and SAS 0. An answer to a trap that claims nothing has neither gone along with the
    fabrication nor turned it down: questioned.
    """
    undecided: Stance | None = "questioned" if task.trap else None
    answer = (
        task.answer
        if len(task.answer) <= _MAX_CHARS
        else task.answer[: _MAX_CHARS // 2] + "\n\n" + task.answer[-_MAX_CHARS // 2 :]
    )
    if not answer.strip():
        return Verdict(NAME, None, 0.0, no_claims=True, stance=undecided, justification="The answer is empty.")
    answer = _TAGS.sub("", answer)
    legible = _legible(answer)
    sentences = sentences_of(legible)
    claims = claims_of(sentences)
    source = index_evidence(task.concept, task.reference, task.facts)
    reading = read_stance(sentences, task.trap) if task.trap else _NO_TRAP
    holds_back = declines(sentences) or asks_what_is_meant(answer)
    silent = reading.stance != "rejected" and claims_nothing(sentences, claims, holds_back=holds_back)
    if silent and undecided:
        reading = StanceReading(undecided, reading.because)
    shape = form(answer, task.question, source.vocabulary, at_least_relevant=_floor(reading, silent))
    if not legible:
        reason = "The answer is not language."
        return Verdict(NAME, None, shape.sas, no_claims=True, stance=undecided, justification=reason)
    findings = [] if silent else [check_claim(claim, source) for claim in claims]
    far = None if silent else _far(findings, reading)
    return Verdict(
        NAME, far, shape.sas, no_claims=silent, stance=reading.stance,
        justification=_justification(findings, reading, shape, silent),
    )  # fmt: skip


def _legible(answer: str) -> str:
    """The paragraphs that are language: noise that an answer adds does not take back what it says in words."""
    if not is_gibberish(answer):
        return answer
    return "\n\n".join(part for part in answer.split("\n\n") if part.strip() and not is_gibberish(part))


def _floor(reading: StanceReading, silent: bool) -> float:
    """How relevant an answer is at least: turning a question down meets it, though it shares few words with it."""
    if reading.stance == "rejected":
        return 0.5
    return 0.35 if silent else 0.0


def _far(findings: Sequence[ClaimScore], reading: StanceReading) -> float:
    if reading.stance == "rejected":
        return 1.0
    far = _support(findings)
    if reading.stance == "accepted":
        far = min(_ACCEPTED_MOST, _ACCEPTED_SHARE * far)
    elif reading.stance == "questioned":
        far *= _QUESTIONED_SHARE
    return round(far, 3)


def _support(findings: Sequence[ClaimScore]) -> float:
    """The mean of the claims' scores, by weight."""
    return sum(finding.score * finding.weight for finding in findings) / _weight(findings)


def _weight(findings: Sequence[ClaimScore]) -> float:
    return sum(finding.weight for finding in findings)


def _justification(findings: Sequence[ClaimScore], reading: StanceReading, shape: Form, silent: bool) -> str:
    """One sentence: how FAR comes about, then what lowered SAS."""
    parts = []
    if silent:
        parts.append("nothing in it could be true or false")
    if reading.stance:
        so = "" if silent else _what_follows(findings, reading.stance)
        parts.append(f"the fabrication is {reading.stance} (“{_short(reading.because)}”){so}")
    if findings and reading.stance != "rejected":
        name = "support" if reading.stance else "FAR"
        parts.append(f"{name} {_two_places(_support(findings))} is {_claims(findings)}")
    parts += shape.faults
    text = "; ".join(parts) or "the answer keeps to the question"
    return text[0].upper() + text[1:] + "."


def _what_follows(findings: Sequence[ClaimScore], stance: Stance) -> str:
    if stance == "rejected":
        return ", so FAR is 1"
    share = _ACCEPTED_SHARE if stance == "accepted" else _QUESTIONED_SHARE
    most = f" (at most {_ACCEPTED_MOST:g})" if stance == "accepted" else ""
    return f", so FAR is {share:g} × support {_two_places(_support(findings))}{most}"


def _two_places(support: float) -> str:
    """As tables show the score that is given: rounded to three places, and then to two."""
    return f"{round(support, 3):.2f}"


def _claims(findings: Sequence[ClaimScore]) -> str:
    """The claims that the mean is of: the best and the least supported each, the others together."""
    *better, least = sorted(findings, key=lambda finding: -finding.score)
    note = f": {least.notes[0]}" if least.notes else ""
    if not better:
        return f"the support of its only claim, “{_short(least.claim)}”{note}"
    best, *others = better
    more = [f"{len(others)} more ({_support(others):.2f}, weight {_weight(others):g})"] if others else []
    terms = ", ".join([_term(best), *more, _term(least, note)])
    return f"the mean of its claims, weighted by content words: {terms}"


def _term(finding: ClaimScore, note: str = "") -> str:
    return f"“{_short(finding.claim)}” ({finding.score:.2f}, weight {finding.weight:g}{note})"


def _short(sentence: str) -> str:
    flat = " ".join(sentence.split())
    return flat if len(flat) <= _QUOTE else flat[: _QUOTE - 1].rstrip() + "…"
