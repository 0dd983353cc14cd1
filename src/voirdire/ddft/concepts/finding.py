"""Finding concepts by name: packaged ones, and a user's own files, which are checked against the rules."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from voirdire.data.paths import AnyPath, beside
from voirdire.ddft.concepts.checking import check_text
from voirdire.ddft.concepts.loader import ENDINGS, ConceptError, ConceptFile, read_text
from voirdire.ddft.concepts.packs import packaged_concept, packaged_ids, packaged_paths
from voirdire.text.counting import named_twice

_OTHERWISE = "a file's name must end in .yaml."


def concepts_beside_packs(packed: Sequence[str], names: Sequence[str]) -> list[str]:
    """Those of the concepts named that the packs chosen with them don't bring already.

    Args:
        packed: ids that come with the packs.
        names: ids, names, aliases or files, as for `find_concepts`.
    """
    return [name for name in names if not packed or _id_of(name) not in packed]


def find_concepts(names: Sequence[AnyPath] = (), folder: Path | None = None) -> list[ConceptFile]:
    """The concepts named, in the order given; the core ones, those of the paper, when none is named.

    A name is a concept's id, its name or one of its aliases, in any pack (case does not matter), or the path of a
    YAML file. A file is checked against the rules, as `voirdire concepts check` does; packaged ones were when
    they were made.

    Args:
        names: of the concepts.
        folder: that relative paths go by; `None` for the current one.

    Raises:
        ConceptError: unknown name, a name given twice, or a file that breaks a rule no run can do without.
    """
    files = [_find(os.fspath(name), folder) for name in names or packaged_ids()]
    twice = named_twice(file.concept.id for file in files)
    if twice is not None:
        raise ConceptError(f"The concept {twice!r} is named more than once; name each concept once.")
    return files


@cache
def _ids_by_name() -> Mapping[str, str]:
    """The id behind every name that a packaged concept goes by; the core ones come first and keep theirs."""
    by_name: dict[str, str] = {}
    for concept_id in packaged_paths():
        concept = packaged_concept(concept_id).concept
        for name in (concept.id, concept.name, *concept.aliases):
            by_name.setdefault(name.casefold(), concept_id)
    return by_name


def _find(name: str, folder: Path | None) -> ConceptFile:
    concept_id = _id_of(name)
    if concept_id is not None:
        return packaged_concept(concept_id)
    if name.endswith(ENDINGS):
        return _own(beside(folder, name, ConceptError))
    by_name = _ids_by_name()
    near = difflib.get_close_matches(name.casefold(), by_name, n=1)
    hint = f"did you mean {packaged_concept(by_name[near[0]]).concept.name!r}?" if near else _OTHERWISE
    raise ConceptError(f"There is no concept {name!r}; voirdire concepts list shows those there are; {hint}")


def _id_of(name: str) -> str | None:
    """The id of the packaged concept that goes by a name; `None` for a file, and for what is unknown."""
    folded = name.casefold()
    if folded in packaged_paths():
        return folded
    # This reads every file: only where an id alone does not do.
    return None if name.endswith(ENDINGS) else _ids_by_name().get(folded)


def _own(path: Path) -> ConceptFile:
    """A user's own concept, unless it has an error."""
    name = str(path)
    checked = check_text(read_text(path), name, stem=path.stem)
    if checked.concept is not None and not checked.errors:
        return ConceptFile(checked.concept, checked.text)
    first, count = checked.errors[0], len(checked.errors)
    line = checked.lines.line_number(first)
    more = f" (and {count - 1} more)" if count > 1 else ""
    raise ConceptError(
        f"{name}{'' if line is None else f', line {line}'}: {first.message.rstrip('.')}{more}; "
        f"see all of it with: voirdire concepts check {shlex.quote(name)}"
    )
