"""Concept files checked against the rules, one by one and beside each other."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from voirdire.data import packaged_files
from voirdire.data.json_values import as_object
from voirdire.ddft.concepts.checking.facts import fact_findings
from voirdire.ddft.concepts.checking.findings import HOUSE, OWN, BrokenRule, Limits, Lines
from voirdire.ddft.concepts.checking.rules import (
    instance_findings,
    key_findings,
    kind_findings,
    name_findings,
    real_findings,
    reference_findings,
    scholar_findings,
    topic_findings,
    trap_findings,
)
from voirdire.ddft.concepts.loader import (
    ENDINGS,
    MAX_SHOWN,
    ConceptFormError,
    UnreadableConcept,
    concept_of,
    load_mapping,
    read_text,
)
from voirdire.ddft.concepts.packs import packaged_paths
from voirdire.records import Concept
from voirdire.text.counting import counted


@dataclass(frozen=True, slots=True)
class Checked:
    """A concept file and what is wrong with it."""

    where: str
    text: str
    concept: Concept | None
    """`None` where the file lacks what makes a concept."""
    findings: tuple[BrokenRule, ...]
    lines: Lines

    @property
    def errors(self) -> list[BrokenRule]:
        """What must be mended."""
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def warnings(self) -> list[BrokenRule]:
        """What makes the test weak."""
        return [finding for finding in self.findings if finding.severity == "warning"]

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        concept = self.concept
        return {
            "file": self.where,
            "id": concept.id if concept else None,
            "name": concept.name if concept else None,
            "kind": concept.kind if concept else None,
            "errors": len(self.errors),
            "warnings": len(self.warnings),
            "findings": [as_object(finding) | {"line": self.lines.line_number(finding)} for finding in self.findings],
        }


class CheckedFiles(NamedTuple):
    """What came of concept files."""

    checked: list[Checked]
    unreadable: list[UnreadableConcept]
    """Why others can't be read at all."""


def check_concept(concept: Concept, limits: Limits = OWN, *, today: date | None = None) -> list[BrokenRule]:
    """What is wrong with a concept, errors first.

    Args:
        concept: as read.
        limits: `OWN` for a user's own, `HOUSE` for packaged ones.
        today: as_of may not lie after it; the present day by default.
    """
    findings = [
        *reference_findings(concept, limits),
        *fact_findings(concept, limits),
        *instance_findings(concept, limits),
        *scholar_findings(concept, limits),
        *topic_findings(concept, limits),
        *real_findings(concept, limits),
        *kind_findings(concept, limits, today),
        *trap_findings(concept),
    ]
    return sorted(findings, key=lambda finding: finding.severity)


def check_files(paths: Sequence[Path], *, strict: bool = False) -> CheckedFiles:
    """Hold files, and all files of folders, to the rules; one that can't be read keeps none of the others back.

    Args:
        paths: YAML files, folders with some, or ids of packaged concepts.
        strict: hold them to the rules of packaged concepts; those that stand in the package are, in any case.
    """
    checked: list[Checked] = []
    unreadable: list[UnreadableConcept] = []
    for path in paths:
        try:
            files = _files(path)
        except UnreadableConcept as fault:
            unreadable.append(fault)
            continue
        for file in files:
            try:
                checked.append(_check_file(file, strict))
            except UnreadableConcept as fault:
                unreadable.append(fault)
    shared = _shared_names(checked)
    results = [replace(file, findings=(*shared.get(file.where, ()), *file.findings)) for file in checked]
    return CheckedFiles(results, unreadable)


def check_text(
    text: str, where: str, limits: Limits = OWN, *, stem: str | None = None, packaged: bool = False
) -> Checked:
    """Hold one concept, given as YAML text, to the rules.

    Args:
        text: of the file.
        where: names it.
        limits: `OWN` for a user's own, `HOUSE` for packaged ones.
        stem: the file's name without its ending, which is to be the id.
        packaged: it comes with the package.

    Raises:
        UnreadableConcept: not YAML.
    """
    raw = load_mapping(text, where, packaged=packaged)
    lines = Lines(text)
    try:
        concept = concept_of(raw, where)
    except ConceptFormError as error:
        return Checked(where, text, None, tuple(_form_findings(error)), lines)
    findings = (*key_findings(raw, limits), *name_findings(concept, stem, limits))
    return Checked(where, text, concept, (*findings, *check_concept(concept, limits)), lines)


def _form_findings(error: ConceptFormError) -> Iterator[BrokenRule]:
    for fault in error.faults[:MAX_SHOWN]:
        message = str(fault)
        yield BrokenRule("error", "form", fault.field, message[:1].upper() + message[1:])
    more = len(error.faults) - MAX_SHOWN
    if more > 0:
        yield BrokenRule(
            "error",
            "form",
            "",
            f"{counted(more, 'more fault')} of this kind {'is' if more == 1 else 'are'} not listed: mend these and "
            "check again.",
        )


def _check_file(path: Path, strict: bool) -> Checked:
    if path.name in packaged_paths() and not path.exists():
        text = packaged_files.read_text(packaged_paths()[path.name])
        return check_text(text, f"the packaged {path.name}", HOUSE, stem=path.name, packaged=True)
    packaged = Path(packaged_files.__file__).parent in path.resolve().parents
    limits = HOUSE if strict or packaged else OWN
    return check_text(read_text(path), str(path), limits, stem=path.stem, packaged=packaged)


def _files(path: Path) -> list[Path]:
    if not path.exists() and path.suffix not in ENDINGS and path.name not in packaged_paths():
        near = difflib.get_close_matches(path.name.casefold(), packaged_paths(), n=1)
        hint = f"did you mean {near[0]}?" if near else "voirdire concepts list shows the packaged ones."
        raise UnreadableConcept(f"{path} is neither a file nor a packaged concept; {hint}")
    if not path.is_dir():
        return [path]
    # Not deeper, as a pack lies below a folder of packs: whoever names / or a home is not kept waiting.
    inside = sorted(file for each in ("*", "*/*") for file in path.glob(each) if file.suffix in ENDINGS)
    if not inside:
        raise UnreadableConcept(f"{path} holds no concept file; give one whose name ends in .yaml, or its folder.")
    return inside


def _shared_names(checked: Sequence[Checked]) -> Mapping[str, list[BrokenRule]]:
    """Names that several of the files go by."""
    owners: dict[str, str] = {}
    findings: dict[str, list[BrokenRule]] = {}
    for file in checked:
        if file.concept is None:
            continue
        for name in {file.concept.id, *(other.casefold() for other in (file.concept.name, *file.concept.aliases))}:
            earlier = owners.setdefault(name, file.where)
            if earlier != file.where:
                message = f"{name!r} is also a name of {earlier}: change it in one of the two."
                findings.setdefault(file.where, []).append(BrokenRule("error", "names", "id", message))
    return findings
