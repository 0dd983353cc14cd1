"""Which secrets this process knows of, and how they are taken out of texts.

A secret is hidden in the forms that libraries and servers give it: as it is, percent-encoded, escaped for JSON or HTML,
and in base64, as Basic authorization has it. What is shorter than eight characters, or nothing but a word, is no
secret: hiding it would spoil texts.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from voirdire.models.specs import HOSTED

T = TypeVar("T")

MASK = "[secret]"
_SHORTEST = 8
_SHORTEST_NUMBER = 12
_SECRET_NAME = re.compile(
    r"(?i)(?:^|_)(?:api_?|access_?)?(?:keys?|token|secret|password|passwd|passphrase|credentials?|pat|auth)(?:_?\d+)?$"
)
_SECRET_PARAMETER = re.compile(r"(?i)key|token|secret|sig|code|auth|pass|pwd|credential")
_WORD = re.compile(r"[A-Za-z]?[a-z]{1,19}|[A-Z]{1,20}")


def _parameter(match: re.Match[str]) -> str:
    return f"{match[1]}{MASK}" if _SECRET_PARAMETER.search(match[2]) else match[0]


URL_PARTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(?i)(\b[a-z][a-z0-9+.-]{1,20}://)(?!\[secret\]@)[^/\s\"'<>]+@"), lambda match: f"{match[1]}{MASK}@"),
    (re.compile(r"([?&;]([^=&\s#\"'<>]{1,60})=)(?!\[secret)[^&\s#\"'<>]+"), _parameter),
)
"""Where an address has its credentials, and what is put in their place."""

_NOT_YET = r"(?!\[secret)"


class LookAlike(NamedTuple):
    """What looks like a secret wherever it stands, and what is put in its place."""

    pattern: re.Pattern[str]
    replacement: Callable[[re.Match[str]], str]


def _mask_after(pattern: str) -> LookAlike:
    """Whatever follows the pattern's one group is hidden."""
    return LookAlike(re.compile(pattern), lambda match: f"{match[1]}{MASK}")


def _mask_all(pattern: str) -> LookAlike:
    return LookAlike(re.compile(pattern), lambda _: MASK)


LOOK_ALIKES: tuple[LookAlike, ...] = (
    *(LookAlike(*each) for each in URL_PARTS),
    _mask_after(
        rf"""(?ix) ( (?:(?:proxy-)?authorization | [a-z-]{{0,20}}api[-_]?key) ["']? \s* [:=] \s* ["']?)
        (?: (?:bearer|basic|token) \s+ )?+ {_NOT_YET} [^\s"',;&}}\]]+"""
    ),
    _mask_after(rf"(?i)(\b(?:bearer|basic)\s+){_NOT_YET}[A-Za-z0-9._~+/=-]{{8,}}"),
    _mask_all(r"\b(?:sk|pk|xai|gsk|r8)-[A-Za-z0-9_*.-]{6,}"),
    _mask_all(r"\bhf_[A-Za-z0-9]{20,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bAKIA[A-Z0-9]{12,}"),
    _mask_all(r"\bAIza[A-Za-z0-9_-]{10,}"),
    _mask_all(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),  # a JSON web token
)


_known: dict[str, None] = {}
"""Secrets of the models that were opened in this process, in order."""


class Secret(str):
    """A text that no traceback shows the value of; everywhere else it is the text that it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(MASK)


def remember(secrets: Iterable[str]) -> None:
    """Hide these from now on, wherever this process hides secrets."""
    _known.update(dict.fromkeys(str(each) for each in secrets if is_secret(each)))


def known_secrets(names: Iterable[str] = (), environment: Mapping[str, str] | None = None) -> list[str]:
    """Every secret there is: those in use, and what else the environment holds.

    Args:
        names: environment variables that hold keys, beside all whose name says so (`…_API_KEY`, `…_TOKEN` …).
        environment: where to look them up; the process's own by default.
    """
    variables = os.environ if environment is None else environment
    values = [value for name, value in variables.items() if _SECRET_NAME.search(name) and not value.startswith("/")]
    return list(dict.fromkeys([*secrets_in_use(names, environment), *values]))


def secrets_in_use(names: Iterable[str] = (), environment: Mapping[str, str] | None = None) -> list[str]:
    """Secrets that some server may have been sent, and may repeat.

    Args:
        names: environment variables that hold keys, beside those that providers' keys are looked for in, and those
            whose value is an address with credentials, such as a proxy's.
        environment: where to look them up; the process's own by default, with what models were opened with.
    """
    variables = os.environ if environment is None else environment
    own = list(_known) if environment is None else []
    usual = [name for provider in HOSTED.values() for name in provider.key_env]
    values = [variables[name] for name in (*names, *usual) if variables.get(name)]
    addressed = [secret for value in variables.values() if "://" in value for secret in url_secrets(value)]
    return list(dict.fromkeys([*own, *values, *addressed]))


def is_secret(value: str) -> bool:
    """Whether a value is long enough, and unlike a word or a count, so that hiding it spoils no text."""
    least = _SHORTEST_NUMBER if value.isdigit() else _SHORTEST
    return len(value) >= least and not _WORD.fullmatch(value)


def forms_of(secrets: Iterable[str], *, encoded: bool = True) -> list[str]:
    """The forms that these secrets take in a text, the longest first: one may begin with another.

    Args:
        secrets: the values; what is shorter than a secret is left out.
        encoded: also in base64, whatever stands before it there ("user:KEY").
    """
    forms: set[str] = set()
    for secret in {str(each) for each in secrets if len(each) >= _SHORTEST}:
        forms |= {
            secret,
            quote(secret, errors="replace"),
            quote(secret, "", errors="replace"),
            json.dumps(secret)[1:-1],
            html.escape(secret),
        }
        if encoded:
            forms |= {form for form in _in_base64(secret.encode("utf-8", "replace")) if len(form) >= _SHORTEST}
    return sorted(forms, key=lambda form: (-len(form), form))


def _in_base64(data: bytes) -> Iterator[str]:
    """Base64 of it, and what base64 of a longer text has of it: its first place there decides, the ends are mixed."""
    yield base64.b64encode(data).decode().rstrip("=")
    for before in range(3):
        encoded = base64.b64encode(b"\0" * before + data).decode()
        yield encoded[(0, 2, 3)[before] : 4 * ((before + len(data)) // 3)]


def hide(text: str, forms: Iterable[str], mask: str = MASK) -> str:
    """The text without these forms of secrets (`forms_of`); everything else stays as it is."""
    for form in forms:
        if form in text:
            text = text.replace(form, mask)
    return text


def look_alikes(text: str) -> str:
    """The text without what looks like a key or an address's credentials."""
    for pattern, replacement in LOOK_ALIKES:
        text = pattern.sub(replacement, text)
    return text


def without_known_secrets(value: T) -> T:
    """What is to be shown or written, without the secrets that this process knows.

    A mask is as long as what it hides, so that places in texts stay right. Hide secrets before a text is cut, wrapped
    or escaped: afterwards a part of one may stand there, and is not found.

    Args:
        value: a text, or lists, tuples, mappings and dataclasses that hold texts; whatever else they hold stays.
    """
    return masked(value, known_masks())


def known_masks() -> Mapping[str, str]:
    """What `without_known_secrets` puts in the place of each form of the secrets that this process knows."""
    return _masks(tuple(_known), tuple(os.environ.items()))


@lru_cache(maxsize=1)
def _masks(in_use: tuple[str, ...], environment: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """By secrets in use and environment: thousands of lines are printed while neither changes."""
    secrets = filter(is_secret, [*in_use, *known_secrets(environment=dict(environment))])
    return {form: f"{MASK[:-1]}{'*' * (len(form) - len(MASK))}]" for form in forms_of(secrets)}


def masked(value: T, masks: Mapping[str, str]) -> T:
    """A value as `without_known_secrets` gives it, with masks that were looked up before."""
    cleaned: T = _masked(value, masks) if masks else value
    return cleaned


def _masked(value: Any, masks: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        if len(value) >= _SHORTEST:  # of the names of fields, most are shorter
            for form, mask in masks.items():
                if form in value:
                    value = value.replace(form, mask)
        return value
    if isinstance(value, Mapping):
        return {_masked(name, masks): _masked(each, masks) for name, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{each.name: _masked(getattr(value, each.name), masks) for each in fields(value)})
    if isinstance(value, list | tuple):
        items = [_masked(each, masks) for each in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def url_secrets(url: str) -> list[str]:
    """What is secret in an address: a password, a user's name without one, and values of parameters named like keys."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return []
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    secrets = [password or user]
    if password:
        secrets.append(f"{unquote(user)}:{unquote(password)}")  # as Basic authorization has them, in base64
    secrets += [value for name, value in parse_qsl(parts.query) if _SECRET_PARAMETER.search(name)]
    return [each for raw in secrets for each in dict.fromkeys((raw, unquote(raw))) if each]


def masked_url(text: str) -> str:
    """The text with the credentials of every address in it hidden: `https://[secret]@host/v1?key=[secret]`."""
    for pattern, replacement in URL_PARTS:
        text = pattern.sub(replacement, text)
    return text


def is_masked(url: str) -> bool:
    """Whether the credentials of an address have been taken out: it can't be used as it is."""
    return MASK in url


def bare_url(url: str) -> str:
    """The address without what may be secret in it: credentials, parameters, fragment."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def url_login(url: str) -> tuple[str, str] | None:
    """User and password of an address, or `None`."""
    given, at, _ = urlsplit(url).netloc.rpartition("@")
    user, _, password = given.partition(":")
    return (unquote(user), unquote(password)) if at else None
