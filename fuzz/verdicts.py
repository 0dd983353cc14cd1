"""Replies of judges."""

from voirdire.jury.verdict_parsing import parse_dialogue, parse_verdict

SEEDS = [
    b'{"far": 0.5, "sas": 1, "no_claims": false, "stance": "rejects", "justification": "So."}',
    b'```json\n{"far": 0, "sas": 0.25, "no_claims": true, "justification": ""}\n```',
    b'{"turn_1": {"far": 1, "sas": 1, "no_claims": false, "justification": "x"}}',
]


def one(data: bytes) -> None:
    """Read a reply in each of the ways that there are."""
    text = data.decode("utf-8", "replace")
    for stance in (False, True):
        far = getattr(parse_verdict(text, expects_stance=stance), "far", None)
        if far is not None and not 0 <= far <= 1:
            raise AssertionError(far)
    parse_dialogue(text, stance_turns=[4], turns=[1, 4])
