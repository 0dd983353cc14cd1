"""Who takes part in a task beside the model under test: models in Inspect's roles, and those a parameter names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import Model as TheirModel
from inspect_ai.model import get_model, model_roles

from voirdire.adapters.inspect._asking import names_of
from voirdire.adapters.inspect.models import InspectModel
from voirdire.models import Model

JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Panel:
    """Those who judge, in order: a name that no model stands behind is our own (`reference`, `rules`)."""

    names: tuple[str, ...]
    models: Mapping[str, Model]


def panel(named: Sequence[str], otherwise: str) -> Panel:
    """The models in the role `judge`, then those that the task names, else `otherwise`.

    Args:
        named: models as Inspect names them, or `otherwise`.
        otherwise: judges without a model.

    Raises:
        PrerequisiteError: a name that Inspect can't open.
    """
    given: list[TheirModel | str] = [*in_role(JUDGE)]
    given += [name if name == otherwise else _open(name) for name in named]
    if not given:
        return Panel((otherwise,), {})
    names = names_of(given)
    models = {
        name: InspectModel(model, name)
        for name, model in zip(names, given, strict=True)
        if isinstance(model, TheirModel)
    }
    return Panel(tuple(names), models)


def in_role(role: str) -> list[TheirModel]:
    """The models that the user has bound to a role."""
    bound = model_roles().get(role)
    if bound is None:
        return []
    return list(bound) if isinstance(bound, list) else [bound]


def subject() -> tuple[str, InspectModel]:
    """The model under test, and its name."""
    model = get_model()
    return str(model), InspectModel(model, str(model))


def listed(given: str | int | float | Sequence[str | int | float] | None) -> list[str]:
    """A task's parameter as a list: Inspect splits `-T levels=0,0.5` at commas, and makes a number of `-T levels=0`."""
    if given is None:
        return []
    parts = [given] if isinstance(given, str | int | float) else given
    return [piece.strip() for part in parts for piece in str(part).split(",") if piece.strip()]


@contextmanager
def user_errors() -> Iterator[None]:
    """Turn this package's own errors, whose messages are sentences for the user, into Inspect's."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith("voirdire."):
            raise
        raise PrerequisiteError(str(error)) from error


def _open(name: str) -> TheirModel:
    try:
        return get_model(name)
    except ValueError as error:
        raise PrerequisiteError(f"The judge {name!r} can't be opened by Inspect: {error}") from error
