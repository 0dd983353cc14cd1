"""What a run keeps of what it was asked on: its concepts' texts, and its preset."""

from __future__ import annotations

from collections.abc import Sequence

from voirdire.ddft.concepts import ConceptFile, packaged_concept, parse_concept
from voirdire.ddft.concepts.packs import packaged_paths
from voirdire.ddft.presets import Preset, preset_of
from voirdire.ddft.study import StudyError
from voirdire.records import Concept
from voirdire.run import RunFolder


def keep_concepts(folder: RunFolder, concepts: Sequence[ConceptFile]) -> None:
    """Keep the concepts' texts with the run, so that it can be judged again when a user's files have changed."""
    kept = folder.path / "concepts"
    kept.mkdir(exist_ok=True)
    for file in concepts:
        (kept / f"{file.sha256}.yaml").write_text(file.text, encoding="utf-8")


def kept_concepts(folder: RunFolder) -> dict[str, Concept]:
    """The run's concepts by id, as far as their texts are kept with it: a published record may name others."""
    paths = {name: folder.path / "concepts" / f"{sha256}.yaml" for name, sha256 in folder.manifest["concepts"].items()}
    return {
        name: _concept_of(name, path.read_text(encoding="utf-8"), str(path))
        for name, path in paths.items()
        if path.is_file()
    }


def _concept_of(name: str, text: str, where: str) -> Concept:
    """A packaged concept has been read already, unless the package's text is another by now."""
    packaged = packaged_concept(name) if name in packaged_paths() else None
    return packaged.concept if packaged and packaged.text == text else parse_concept(text, where).concept


def all_concepts(folder: RunFolder) -> dict[str, Concept]:
    """Every concept of a run by id.

    Raises:
        StudyError: the text of one is not kept with it.
    """
    kept = kept_concepts(folder)
    for name, sha256 in folder.manifest["concepts"].items():
        if name not in kept:
            raise StudyError(f"{folder.path} lacks the text of the concept {name!r} ({sha256}.yaml).")
    return kept


def kept_preset(folder: RunFolder) -> Preset:
    """The preset that a run was held by.

    Raises:
        StudyError: what run.json has of it can't be read.
    """
    try:
        return preset_of(folder.manifest["preset"])
    except (TypeError, ValueError) as error:
        raise StudyError(f"The preset in {folder.path / 'run.json'} can't be read: {error}") from None
