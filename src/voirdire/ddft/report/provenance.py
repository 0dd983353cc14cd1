"""Where the numbers come from: run, rules, who took part, seed, versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

from voirdire.ddft.aliases import names_by_spec
from voirdire.ddft.report.material import Material, ReportRun
from voirdire.ddft.thresholds import PAPER, thresholds_of
from voirdire.text.counting import counted, listed

_SHORT = 10
"""Digits of a hash that are shown."""


def provenance(material: Material) -> tuple[tuple[str, str], ...]:
    """Label and value; the labels name the run where there are several."""
    rows: list[tuple[str, str]] = []
    for place, run in enumerate(material.report_runs, 1):
        prefix = f"Run {place}, " if len(material.report_runs) > 1 else ""
        rows += [(_label(prefix, label), value) for label, value in _of_run(run, material)]
    return (*rows, ("Report made with", f"voirdire {version('voirdire')}"))


def _label(prefix: str, label: str) -> str:
    return f"{prefix}{label[0].lower()}{label[1:]}" if prefix else label


def _of_run(run: ReportRun, material: Material) -> Iterator[tuple[str, str]]:
    manifest, result = run.manifest, run.result
    info: Mapping[str, Any] = manifest.get("info", {})
    of_jury = next(of_jury for of_jury in material.jury_results if of_jury.jury == result.jury)
    yield "Folder", run.path
    yield "Imported" if run.imported else "Held", str(info.get("time", "unknown"))
    yield "Preset", _preset(manifest["preset"])
    thresholds = thresholds_of(manifest["preset"])
    if thresholds != PAPER:
        yield "Thresholds", _hashed(thresholds.own, thresholds.sha256)
    names = names_by_spec(manifest)
    yield "Models", ", ".join(f"{names[spec]} ({spec})" if spec in names else spec for spec in manifest["models"])
    yield "Interviewer", str(manifest["interviewer"])
    yield "Jury", f"{result.jury}: {', '.join(of_jury.panel.judges)}"
    yield "Seed", str(manifest["seed"])
    yield "Concepts", ", ".join(_hashed(name, sha256) for name, sha256 in manifest["concepts"].items())
    if run.imported:
        yield "Imported record, SHA-256", str(manifest["imported_sha256"])
    prompts = manifest.get("prompts", {})
    if prompts:
        yield "Prompts", f"{counted(len(prompts), 'prompt')}, each with its hash in run.json"
    versions = info.get("versions", {})
    if versions:
        yield "Versions", ", ".join(f"{name} {number}" for name, number in versions.items())
    yield "Python and platform", f"{info.get('python', 'unknown')}, {info.get('platform', 'unknown')}"
    git = info.get("git")
    if git:
        yield "Git", f"{git['commit'][:_SHORT]}{', with changes' if git['dirty'] else ''}"


def _preset(preset: Mapping[str, Any]) -> str:
    levels = listed([f"{level:g}" for level in preset["levels"]])
    samples = counted(preset["samples"], "repetition")
    prompts = f", prompts of its own: {listed(sorted(preset['prompts']))}" if preset.get("prompts") else ""
    compression = f"compression {preset['compression'] or 'none'} at {levels}"
    return f"{preset['name']}: {compression}, fabrication {preset['trap']}, {samples}{prompts}"


def _hashed(name: str, sha256: str) -> str:
    return f"{name} {sha256[:_SHORT]}" if sha256 else f"{name} (text not kept)"
