"""The package's own errors: each message is a sentence for the user, and can be printed whatever text it quotes."""

from __future__ import annotations

import re

_START, _END = 3_000, 1_000
"""Characters of a longer message that are shown."""
_NAME = 60
ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls of both kinds, all but tab and line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # what turns the direction of the text that follows
    "\u2028\u2029\u180e\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff"  # other ends of lines; what is not seen at all
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"  # halves of characters, and no characters
)
"""What a terminal would act on, or UTF-8 can't hold."""
_ENDS = re.compile("\r\n")
_PICTURES = 0x2400
_DELETE = 0x7F


class SentenceError(BaseException):
    """An error that says all there is to say: a notebook shows its sentence, and no traceback through this package."""

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython prints in place of a traceback."""
        return [f"{type(self).__name__}: {self}"]


class UserError(SentenceError, Exception):
    """A message for the user. It may quote any text: what can't be printed becomes a sign, and it is never long."""

    def __str__(self) -> str:
        return _bounded(inert(super().__str__()))


class InputError(UserError, ValueError):
    """Something that was given can't be used."""


def install(extra: str) -> str:
    """The command that installs an extra of this package."""
    return f"pip install 'voirdire[{extra}]'"


def not_installed(what: str, package: str | None, extra: str) -> str:
    """That something needs a package which is not installed (`None`: not known which), and what installs it."""
    needed = "a package that" if package is None else f"{package}, which"
    return f"{what} needs {needed} is not installed: {install(extra)}."


def a_type(value: object) -> str:
    """The type of a value with its article: "an int"."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def inert(text: str) -> str:
    """The text with all that a terminal would act on made visible: escape as ␛, a carriage return as ␍, others as �.

    Line feeds and tabs stay. Of what is not seen, joiners stay, which letters and emoji need.
    """
    if text.isascii() and text.isprintable():  # nearly all, and much faster
        return text
    return ACTIVE.sub(_picture, _ENDS.sub("\n", text))


def shown(value: object) -> str:
    """A foreign name or value as part of a sentence: in quotes, on one line, short, its invisible signs as codes."""
    text = repr(value[: _NAME + 1] if isinstance(value, str) else value)
    return text if len(text) <= _NAME else f"{text[: _NAME - 1]}…"


def _bounded(text: str) -> str:
    if len(text) <= _START + _END:
        return text
    return f"{text[:_START]} … {text[-_END:]}"  # what is expected usually stands at the end


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < ord(" "):
        return chr(_PICTURES + code)
    return "\u2421" if code == _DELETE else "\ufffd"
