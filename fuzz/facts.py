"""Files of established facts, in each of their forms."""

from fuzz._files import written
from voirdire.integrity.facts import expand, read_facts
from voirdire.integrity.records import IntegrityError

SEEDS = [
    b"facts:\n- {id: A, text: Water is wet., central: true, children: [{text: Ice is not.}]}\n",
    b'[{"text": "Water is wet.", "side": "for"}]',
    b'{"text": "a"}\n{"text": "b"}',
    b"1. Water is wet (quantitative)\n- Ice is 9% lighter, and 0.9 as dense\n",
]


def one(data: bytes) -> None:
    """Read a file, and cut its compound facts."""
    for name in ("a.yaml", "a.txt"):
        try:
            expand(read_facts(written(name, data)))
        except IntegrityError:
            if name == "a.txt":
                raise
