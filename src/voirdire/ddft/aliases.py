"""Names that a run shows in place of its models' specs. Calls, their keys and the names of dialogues keep the specs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

FIELD = "aliases"
"""Of run.json, and the kind of the journal's note: spec by alias."""


def names_by_spec(record: Mapping[str, Any]) -> dict[str, str]:
    """The alias of each spec that has one, from run.json."""
    return {spec: alias for alias, spec in record.get(FIELD, {}).items()}


def shown_models(manifest: Mapping[str, Any]) -> list[str]:
    """A run's models as tables and reports name them."""
    return shown(manifest["models"], names_by_spec(manifest))


def shown(specs: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Aliases where there are any."""
    return [names.get(spec, spec) for spec in specs]
