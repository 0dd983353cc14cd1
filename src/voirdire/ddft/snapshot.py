"""What a run keeps of what it was asked on: its concepts' texts, and its preset."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from voirdire.ddft.concepts import ConceptFile, packaged_concept, parse_concept, read_text
from voirdire.ddft.concepts.packs import packaged_paths
from voirdire.ddft.presets import Preset, preset_of
from voirdire.ddft.study import StudyError
from voirdire.records import Concept
from voirdire.runs import RunFolder
from voirdire.runs.untrusted import is_sha256


def save_concepts(folder: RunFolder, concepts: Sequence[ConceptFile]) -> None:
    """Keep the concepts' texts with the run, so that it can be judged again when a user's files have changed."""
    for file in concepts:
        folder.write_text(f"concepts/{file.sha256}.yaml", file.text)


def saved_concepts(folder: RunFolder) -> dict[str, Concept]:
    """The run's concepts by id, as far as their texts are kept with it: a published record may name others."""
    paths = {name: saved_concept_path(folder, sha256) for name, sha256 in folder.manifest["concepts"].items()}
    return {
        name: _concept_of(name, saved_text(path), str(path))
        for name, path in paths.items()
        if path is not None and path.is_file()
    }


def saved_text(path: Path) -> str:
    """The text of a concept that a run keeps, as it was when the run was made.

    Raises:
        UnreadableConcept: it can't be read.
        StudyError: it is another text by now.
    """
    text = read_text(path)
    if hashlib.sha256(text.encode()).hexdigest() != path.stem:
        raise StudyError(f"The concept {path} was changed since the run was held: take it from a copy of the run.")
    return text


def saved_concept_path(folder: RunFolder, sha256: object) -> Path | None:
    """Where the text with this hash lies; `None` for what is no hash: a manifest may have come from anybody."""
    return folder.path / "concepts" / f"{sha256}.yaml" if is_sha256(sha256) else None


def _concept_of(name: str, text: str, where: str) -> Concept:
    """A packaged concept has been read already, unless the package's text is another by now."""
    packaged = packaged_concept(name) if name in packaged_paths() else None
    return packaged.concept if packaged and packaged.text == text else parse_concept(text, where).concept


def all_concepts(folder: RunFolder) -> dict[str, Concept]:
    """Every concept of a run by id.

    Raises:
        StudyError: the text of one is not kept with it.
    """
    concepts = saved_concepts(folder)
    for name, sha256 in folder.manifest["concepts"].items():
        if name not in concepts:
            raise StudyError(f"{folder.path} lacks the text of the concept {name!r} ({sha256}.yaml).")
    return concepts


def saved_preset(folder: RunFolder) -> Preset:
    """The preset of a run.

    Raises:
        StudyError: what run.json has of it can't be read.
    """
    try:
        return preset_of(folder.manifest["preset"])
    except (TypeError, ValueError) as error:
        raise StudyError(f"The preset in {folder.path / 'run.json'} can't be read: {error}") from None
