"""Write the synthetic pairs: those to train on, and held-out ones of other templates and words.

python make_synthetic.py TRAIN.jsonl.gz HELD.jsonl.gz PAIRS.jsonl.gz [--held-texts VALIDATION.jsonl.gz]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from examples import Example, licensed, read_examples, split, write_examples
from synthetic.languages import languages
from synthetic.maker import Maker
from synthetic.no_claims import no_claims
from synthetic.numbers import numbers
from synthetic.packs import packs
from synthetic.record_pairs import records
from synthetic.rewriting import extracts, word_order
from synthetic.roles import roles
from synthetic.statements import statements

SEED = 21
SIZES = {
    "order": 12000,
    "extracts": 12000,
    "roles": 9000,
    "records": 12000,
    "numbers": 5000,
    "statements": 6000,
    "no_claims": 3000,
    "languages": 1500,
}
_HELD_SHARE = 10


def synthetic(texts: list[str], maker: Maker, share: int) -> Iterator[Example]:
    """All kinds of pairs; texts are what some of them are made of."""
    sizes = {kind: size // share for kind, size in SIZES.items()}
    makers: list[tuple[str, Iterable[Example]]] = [
        ("order", word_order(texts, maker, sizes["order"])),
        ("extracts", extracts(texts, maker, sizes["extracts"])),
        ("roles", roles(maker, sizes["roles"])),
        ("records", records(maker, sizes["records"])),
        ("numbers", numbers(maker, sizes["numbers"])),
        ("statements", statements(maker, sizes["statements"])),
        ("no_claims", no_claims(texts, maker, sizes["no_claims"])),
        ("languages", languages(maker, sizes["languages"])),
    ]
    for kind, made in makers:
        yield from islice(made, 2 * sizes[kind])
    yield from packs(maker)


def texts_of(examples: Iterable[Example]) -> list[str]:
    """The evidence texts, each once, in the order of their first pair."""
    return list(dict.fromkeys(example.evidence for example in examples))


def main() -> None:
    """Make both files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", type=Path)
    parser.add_argument("held", type=Path)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--held-texts", type=Path, required=True, help="pairs whose evidence is never trained on")
    options = parser.parse_args()
    train_texts = texts_of(split(licensed(options.pairs))[0])
    held_texts = texts_of(read_examples(options.held_texts))
    for file, texts, held in ((options.train, train_texts, False), (options.held, held_texts, True)):
        examples = list(synthetic(texts, Maker(SEED, held=held), _HELD_SHARE if held else 1))
        write_examples(file, examples)
        print(file, Counter((example.source, example.label) for example in examples), flush=True)


if __name__ == "__main__":
    main()
