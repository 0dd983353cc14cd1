"""Which rows stand, once undone ones are taken away."""

import pytest

from voirdire.raters.records import Row
from voirdire.raters.undo import last_of, standing


def rows(*told):
    """Rows by number: "say", or "undo 2" of the second."""
    return [
        Row(
            seq=seq,
            token="",
            at="",
            rater="r1",
            item="i",
            kind=each.split()[0],
            body={},
            replaces=int(each.split()[1]) if " " in each else None,
        )
        for seq, each in enumerate(told, start=1)
    ]


@pytest.mark.parametrize(
    ("told", "stand", "last"),
    [
        ([], [], 0),
        (["say", "say"], [1, 2], 2),
        (["say", "say", "undo 2"], [1], 3),
        (["say", "say", "undo 2", "undo 1"], [], 4),
        (["say", "undo 1", "say"], [3], 3),
        (["say", "question", "reply 2"], [1], 1),
        (["assign", "say 1"], [2], 2),
    ],
)
def test_what_stands(told, stand, last):
    found = rows(*told)
    assert [row.seq for row in standing(found)] == stand
    assert last_of(found) == last
