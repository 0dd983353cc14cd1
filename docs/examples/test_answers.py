"""Are more sentences flagged than in a version of the bot that you know to be good? (docs/ci.md)"""

import json
from pathlib import Path

import voirdire
from voirdire.detectors import open_detector

ANSWERS = Path("answers.jsonl")  # the same questions each time
MOST = 26  # flags of the good version: set it by what voirdire detect says of its answers
LEAST = 80  # sentences checked: fewer would have fewer flags


def test_no_more_sentences_are_flagged_than_in_a_good_version():
    detector = open_detector("entailment")
    answers = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").splitlines()]
    contexts = [each["context"] if "context" in each else each["contexts"] for each in answers]  # text or list
    found = [
        voirdire.detect(context, each["answer"], detector=detector)
        for context, each in zip(contexts, answers, strict=True)
    ]
    flagged = [f"{each['id']}: {bad.text}" for each, one in zip(answers, found, strict=True) for bad in one.flagged]
    assert sum(sentence.score is not None for one in found for sentence in one.sentences) >= LEAST
    assert len(flagged) <= MOST, "\n".join([f"{len(flagged)} sentences are flagged:", *flagged])
