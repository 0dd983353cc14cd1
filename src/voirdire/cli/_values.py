"""What an option or argument accepts: finite numbers within bounds, paths a system can hold, text, addresses."""

from __future__ import annotations

import errno
import inspect
import math
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints
from urllib.parse import urlsplit

import typer
from typer.models import ParameterInfo

from voirdire.data.bounds import MAX_COUNT, MAX_NUMBER, as_people_write, bounds_text, in_bounds, share_of
from voirdire.errors import shown

_LONGEST_NAME = 255


def check_values(command: Callable[..., Any]) -> None:
    """Give each parameter of a command the parser and the placeholder of its type.

    An option may state its bounds (`min`, `max`) or a parser of its own; nothing is left unbounded.
    """
    hints = get_type_hints(command)
    for name, parameter in inspect.signature(command).parameters.items():
        if isinstance(parameter.default, ParameterInfo):
            _fit(parameter.default, _element_of(hints[name]))


def whole_number(least: int, most: int) -> Callable[[Any], int]:
    """A parser of whole numbers from `least` to `most`."""

    def parse(value: Any) -> int:
        try:
            number = int(as_people_write(value))
        except ValueError:
            number = None
        if number is None or not in_bounds(number, least, most, whole=True):
            raise typer.BadParameter(f"{shown(value)} is not {bounds_text(least, most, whole=True)}.")
        return number

    return parse


def finite_number(least: float, most: float) -> Callable[[Any], float]:
    """A parser of finite numbers from `least` to `most`."""

    def parse(value: Any) -> float:
        try:
            number = float(as_people_write(value))
        except ValueError:
            number = math.nan
        if not in_bounds(number, least, most):
            raise typer.BadParameter(f"{shown(value)} is not {bounds_text(least, most, whole=False)}.")
        return number

    return parse


def share(value: Any) -> float:
    """A parser of shares: "5%", "5 %" or 0.05."""
    try:
        return share_of(value)
    except ValueError as error:
        raise typer.BadParameter(f"A share such as 5% or 0.05 is expected: {error}") from None


def text(value: Any) -> str:
    """A text that is not empty, and that can be written anywhere."""
    if not value:
        raise typer.BadParameter("The value is empty. Give one, or leave the option out.")
    return text_or_nothing(value)


def text_or_nothing(value: Any) -> str:
    """A text that can be written anywhere, or an empty one."""
    given = str(value)
    if not given.isascii() and _is_broken(given):
        raise typer.BadParameter(f"{shown(given)} is not valid UTF-8.")
    return given


def path(value: Any) -> Path:
    """A path that a system can hold; whether there is anything is for the command to see."""
    given = str(value)
    if not given:
        raise typer.BadParameter("The path is empty. Name a file or a folder.")
    if _is_broken(given):
        raise typer.BadParameter(f"The name {shown(given)} is not valid UTF-8. Rename the file or folder.")
    try:
        Path(given).stat()
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise typer.BadParameter(
                f"{shown(given)} is too long. Most systems allow {_LONGEST_NAME} bytes in a name, and 4,095 in a path."
            ) from None
        if error.errno == errno.ELOOP:
            raise typer.BadParameter(f"{shown(given)} is a symbolic link that leads back to itself.") from None
    return Path(given)


def url(value: Any) -> str:
    """An address of a server: http:// or https://, a host, and a port that exists."""
    given = text(value)
    try:
        parts = urlsplit(given)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or any(letter.isspace() or not letter.isprintable() for letter in given):
        raise typer.BadParameter("The address must look like http://HOST:PORT/v1 or https://HOST/v1.")
    return given


def one_of(choices: Mapping[str, Any]) -> Callable[[Any], Any]:
    """A parser of a word that stands for one of these."""

    def parse(value: Any) -> Any:
        if str(value) not in choices:
            raise typer.BadParameter(f"{shown(value)} is not one of {', '.join(map(repr, choices))}.")
        return choices[str(value)]

    return parse


def _fit(info: ParameterInfo, kind: Any) -> None:
    """Set the parser and the placeholder of a parameter, where it has none of its own."""
    choices = _choices_of(kind)
    if kind is bool:
        return
    info.metavar = info.metavar or ("|".join(choices) if choices else _PLACEHOLDERS[kind])
    if info.parser:
        return
    info.parser = one_of(choices) if choices else _parser_of(info, kind)
    info.min = info.max = None  # the parser's, from here on: its message names both


def _parser_of(info: ParameterInfo, kind: Any) -> Callable[[Any], Any]:
    if kind is int:
        return whole_number(0 if info.min is None else int(info.min), MAX_COUNT if info.max is None else int(info.max))
    if kind is float:
        return finite_number(0.0 if info.min is None else info.min, MAX_NUMBER if info.max is None else info.max)
    if kind is Path:
        return path
    return text_or_nothing if info.default == "" else text


_PLACEHOLDERS: dict[Any, str] = {int: "N", float: "X", Path: "PATH", str: "TEXT"}


def _element_of(hint: Any) -> Any:
    """The type of one value: of `list[Path] | None`, Path."""
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    if get_origin(hint) is list or NoneType in get_args(hint):
        return _element_of(kinds[0])
    return hint


def _choices_of(kind: Any) -> dict[str, Any]:
    """What a value may be, by the word for it."""
    if get_origin(kind) is Literal:
        return {str(choice): choice for choice in get_args(kind)}
    return {str(choice.value): choice for choice in kind} if isinstance(kind, type) and issubclass(kind, Enum) else {}


def _is_broken(given: str) -> bool:
    """Whether a text holds halves of surrogate pairs, as a name that is not UTF-8 does."""
    return any("\ud800" <= letter <= "\udfff" for letter in given)


ANSWERS = (
    "JSON Lines, CSV, Parquet, CogniBench's or RAGTruth's folder, an export --to huggingface, a run, a .voirdire "
    "project."
)
"""The forms of answers that every command reads, for its help."""
JURY_OF_RUN: Any = typer.Option(
    None, "--jury", help="Jury that judged: its judges' names or its id; without it, the run's own.", metavar="JUDGE,…"
)
MAP: Any = typer.Option(
    None,
    "--map",
    help="What the file calls its fields: of results item=…,model=…,score=…; also judge, cluster, epoch, attempts, "
    "prompt, output, reference; of pairs model_a, model_b, winner, output_a, output_b; and better=lower or "
    "better=higher. judge=@file, model=@file: each file is named after its judge, or its model. 'score=score_*': each "
    "judge has a column.",
    metavar="OURS=THEIRS,…",
)
MAP_OF_SOURCE: Any = typer.Option(
    None,
    "--map",
    help="What the file calls its fields: as for rate new, item=nr,output=reply,score=verdict; also model, group, "
    "judge, epoch.",
    metavar="OURS=THEIRS,…",
)
METRIC: Any = typer.Option(
    None, help="Metric: of a run FAR, V_K, hallucinated …; of a log, an evaluation or a scorer.", metavar="NAME"
)
SCORE_COLUMN: Any = typer.Option([], help="Column of verdicts; each one given is a judge.", metavar="COLUMN")
ITEM_COLUMN: Any = typer.Option(None, help="Column that names what was judged.", metavar="COLUMN")
MODEL_COLUMN: Any = typer.Option(None, help="Column that names whose output it is.", metavar="COLUMN")
CLUSTER_COLUMN: Any = typer.Option(
    None, help="Column of what belongs together, such as a document; items without it.", metavar="COLUMN"
)
GOOD_VERDICT: Any = typer.Option(
    [],
    "--good-verdict",
    help="Which verdicts are good: a label, 'not LABEL', or of numbers low, high or the good end; repeatable. Without "
    "it, usual words are read, and high numbers are good.",
    metavar="WHICH",
)
GOOD_RATING: Any = typer.Option(
    [],
    "--good-rating",
    help="Which ratings of people are good, said in the same way; a label also as its page shows it.",
    metavar="WHICH",
)
ALL: Any = typer.Option(False, "--all", help="Print all: every figure, not only the conclusion.")
ONLY_MODEL: Any = typer.Option([], "--only-model", help="Only this model; may be repeated.", metavar="NAME")
BASE_URL: Any = typer.Option(None, "--base-url", help="Server of openai-api/ models.", metavar="URL", parser=url)
