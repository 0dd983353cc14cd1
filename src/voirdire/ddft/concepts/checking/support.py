"""Facts that the concept's own reference contradicts or does not support, by the words and figures of both.

Of the 748 packaged facts it doubts 13, none as contradicted: the reference lacks details of 12, and supports one. Of
their wrong versions it finds 498.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from voirdire.ddft.concepts.checking.findings import BrokenRule, warning
from voirdire.detectors.lexical import LexicalDetector, novelty_index
from voirdire.evidence import ContextIndex, Contradiction, find_contradictions
from voirdire.records import Concept, Fact

_SEPARATED = re.compile(r"(?<![\d,.])\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?!,?\d|\.\d)")
"""A number with separators between thousands: 9,000 is 9000."""


def support_findings(concept: Concept) -> Iterator[BrokenRule]:
    """A warning for each fact that the reference contradicts or does not support."""
    index = ContextIndex.from_context(concept.reference)
    detector = LexicalDetector(contradiction=False)
    scores = detector.flag(concept.reference, [fact.text for fact in concept.facts])
    for place, (fact, score) in enumerate(zip(concept.facts, scores, strict=True)):
        if math.isnan(score):  # without spaces between words, there is nothing to compare
            continue
        field = f"facts[{place}].text"
        missing = [*_new_opening(fact.text, concept.reference), *missing_details(fact.text, concept.reference)]
        against = None if any(not each.isdigit() for each in missing) else _contradiction(fact.text, index)
        if against is not None:
            message = (
                f"Fact {fact.id} may contradict the reference: correct the one that is wrong, or leave both if they "
                f"agree. It says: “{fact.text}” The reference says: “{against}”"
            )
            yield warning("fact-contradicted", field, message)
            continue
        if not missing and score >= detector.threshold:
            missing = novelty_index(concept.reference).new_words(fact.text)
        if missing:
            message = (
                f"The reference does not support fact {fact.id}: “{fact.text}” It lacks {', '.join(missing)}. Add to "
                "the reference what the fact says, or correct the fact."
            )
            yield warning("fact-unsupported", field, message)


def carried_facts(concept: Concept) -> list[Fact]:
    """The facts whose details, figures and names, stand in the reference."""
    return [fact for fact in concept.facts if not missing_details(fact.text, concept.reference)]


def missing_details(sentence: str, reference: str) -> list[str]:
    """The details of a sentence that a reference has nowhere, in their order."""
    reference = _without_separators(" ".join(reference.split()))
    return [each for each in telling_details(_without_separators(sentence)) if not _is_in(each, reference)]


def _without_separators(text: str) -> str:
    return _SEPARATED.sub(lambda number: re.sub(r"\D", "", number[0]), text)


def telling_details(text: str) -> list[str]:
    """Numbers, and capitalised words other than the first: what makes a statement checkable."""
    names = (word.strip('.,;:?!"“”()').removesuffix("'s") for word in text.split()[1:] if _is_capitalised(word))
    return list(dict.fromkeys([*names, *re.findall(r"\d+", text)]))


def _new_opening(sentence: str, reference: str) -> list[str]:
    """The first word, where the reference has it nowhere: a name, most often, unless it is a plural."""
    opening = (word.strip('"“,') for word in sentence.split()[:1])
    return [word for word in opening if not word.endswith("s") and novelty_index(reference).new_words(word)]


def _is_capitalised(word: str) -> bool:
    return word.strip('"“(')[:1].isupper()


def _is_in(detail: str, reference: str) -> bool:
    """Whether a reference has a name, or a number as a whole: 12 is not in 2012."""
    return bool(re.search(rf"(?<!\d){detail}(?!\d)", reference)) if detail.isdigit() else detail in reference


def _contradiction(fact: str, index: ContextIndex) -> str | None:
    """The sentence of the reference that contradicts a fact, unless it repeats the fact.

    A misplaced name is no sign where the reference has the name: too often it is rightly placed. Nor is a figure that a
    sentence merely lacks.
    """
    sentences = (each.context_sentence for each in find_contradictions(fact, index) if _has_sign(each))
    return next((each for each in sentences if fact.rstrip(".") not in each), None)


def _has_sign(contradiction: Contradiction) -> bool:
    return contradiction.kind != "name" and bool(contradiction.evidence or contradiction.kind not in ("number", "date"))
