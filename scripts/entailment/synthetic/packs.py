"""The concept packs' facts beside their references: each as it is, and the wrong form that the pack gives of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import yaml

from examples import Example
from synthetic.maker import Maker, selected
from synthetic.rewriting import introduced, reworded


def packs(maker: Maker) -> Iterator[Example]:
    """Pairs of the packs beside the eight concepts of the published study, which are never trained on."""
    folder = files("voirdire.data").joinpath("packs")
    found = sorted((file.name, file) for part in folder.iterdir() if part.is_dir() for file in part.iterdir())
    concepts = [yaml.safe_load(file.read_text(encoding="utf-8")) for name, file in found if name.endswith(".yaml")]
    concepts = [concept for concept in concepts if isinstance(concept, dict) and "reference" in concept]
    for concept in maker.part(concepts):
        for fact in concept.get("facts", ()):
            for text, label in ((fact["text"], "supported"), (fact.get("wrong"), "contradicted")):
                if text:
                    yield selected(_prose(concept), _said(text, maker), label, "packs")
            others = [each for each in maker.part(concepts) if each is not concept]
            if maker.odds(0.2):
                yield selected(_prose(maker.any(others)), _said(fact["text"], maker), "unsupported", "packs")


def _prose(concept: Mapping[str, Any]) -> str:
    return " ".join(concept["reference"].split())


def _said(text: str, maker: Maker) -> str:
    said = reworded(text, maker) if maker.odds(0.4) else text
    return introduced(said, maker) if maker.odds(0.2) else said
