"""Texts without what is private in them: secrets, servers, folders of this machine, and whatever the user names.

The same text becomes the same text everywhere, and two that differ stay two: what is taken out is numbered, so that a
run's parts go on to fit together, and a reader sees where the same server or person is meant.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from voirdire.data.json_text import JsonError, parse_json
from voirdire.errors import InputError
from voirdire.models.secrets import LOOK_ALIKES, MASK, forms_of, is_secret, known_secrets

KINDS = {
    "hidden": "texts named with --hide and --hide-text",
    "secret": "keys, passwords and what looks like one",
    "server": "addresses of servers of your own",
    "path": "folders on this machine",
    "fence": "marks of fences",
}
"""What is taken out of texts, by kind."""

_FENCE = re.compile(r"(<<<(?:BEGIN|END) [^\n<>]{1,200}? )[0-9a-f]{24}(?=:)")
_HOMES = re.compile(
    r"(?<![\w.])(?:(?:/home|/Users|/var/home)/[^\s/\"'<>|:;,)\]}]+|/root|[A-Za-z]:\\Users\\[^\s\\\"'<>|]+)"
    r"(?:[\\/][^\s\"'<>|:;,)\]}]*)?(?![\w.-])"
)
_PUBLIC = (
    *("openai.com", "anthropic.com", "googleapis.com", "mistral.ai", "cohere.com", "cohere.ai", "deepseek.com"),
    *("groq.com", "cerebras.ai", "openrouter.ai", "together.xyz", "fireworks.ai", "x.ai", "huggingface.co"),
    *("moonshot.ai", "z.ai", "sambanova.ai", "aliyuncs.com"),
)
"""Domains of providers that serve everybody: their address says nothing of who asked."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1", "0.0.0.0")  # noqa: S104 - looked for in texts, bound to nowhere
_SPACE = r"(?:\s|\\[nrt])+"
"""Between two words: spaces, breaks of lines, and how JSON writes them."""
_REMEMBERED = 20_000
_FEW = 2
"""Letters of a text to be hidden that stands within words everywhere."""
_FIELD = re.compile(r"[a-z_][a-z0-9_]*|[A-Z]{1,4}[0-9_]*")
"""The name of a field, in the manner of our own; a word with a capital may be the name of a person."""
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_APOSTROPHES = frozenset("'\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4`\uff07\ua78c")
_SHORT = 200
"""Characters: names come again and again, longer texts seldom."""


class RedactError(InputError):
    """A copy that can't be made as asked: one sentence says what was given and what is expected."""


class Rule(NamedTuple):
    """What is looked for, and what takes its place."""

    kind: str
    pattern: re.Pattern[str]
    replacement: Callable[[re.Match[str]], str]
    folded: bool = False
    """Whether it is looked for in the folded text (see `_folded`)."""

    def spans(self, text: str) -> list[tuple[tuple[int, int], str]]:
        """Where it stands in a text, with what takes its place."""
        if not self.folded:
            matches = [(each, self.replacement(each)) for each in self.pattern.finditer(text)]
            return [(each.span(), new) for each, new in matches if new != each[0]]
        folded, places = _folded(text)
        return [
            ((places[each.start()], _whole_letter(text, places[each.end() - 1])), self.replacement(each))
            for each in self.pattern.finditer(folded)
        ]


class Cleaner:
    """Cleans texts, and counts what it takes out. Remembers which number stands for what."""

    def __init__(
        self,
        *,
        patterns: Sequence[str] = (),
        texts: Sequence[str] = (),
        servers: Iterable[str] = (),
        folders: Iterable[str] = (),
        categories: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """Get ready.

        Args:
            patterns: regular expressions of the user.
            texts: to be hidden wherever they stand, in any case.
            servers: addresses that calls went to; those of public providers stay.
            folders: of this machine, as far as they are known to stand in the run.
            categories: by field, words of ours that stay in it, whatever is to be hidden.

        Raises:
            RedactError: a pattern can't be read, or matches everything.
        """
        self.counts: Counter[str] = Counter()
        self._categories = categories or {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._next: Counter[str] = Counter()
        self._known: dict[str, tuple[str, Counter[str]]] = {}
        self._rules = [
            *(Rule("hidden", _compiled(pattern), self._numbered("hidden")) for pattern in patterns),
            *self._named(texts),
            *self._fixed("secret", forms_of(filter(is_secret, known_secrets()))),
            *self._literal("server", _addresses(servers)),
            *self._literal("path", _directories(folders)),
            *(Rule("secret", *each) for each in LOOK_ALIKES),
            Rule("path", _HOMES, self._numbered("path")),
            Rule("fence", _FENCE, lambda match: f"{match[1]}[mark]"),
        ]
        self._unnamed = [rule for rule in self._rules if rule.kind != "hidden"]

    def text(self, text: str) -> str:
        """The text without what is private; a text that is a hash stays: files are checked by it."""
        if _HASH.fullmatch(text):
            return text
        known = self._known.get(text)
        if known is None:
            known = self._cleaned(text, ())[:2]
            if len(text) <= _SHORT:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[text] = known
        cleaned, counts = known
        self.counts.update(counts)
        return cleaned

    def with_places(self, text: str, places: Sequence[int]) -> tuple[str, list[int]]:
        """The same, and where in it places of the text have gone."""
        cleaned, counts, moved = self._cleaned(text, places)
        self.counts.update(counts)
        return cleaned, moved

    def value(self, value: Any, field: str = "") -> Any:
        """Plain data with every text in it cleaned.

        The name of a field and its category stay, whatever the user hides: without them the data could not be read.
        What is no such name (the key of a mapping with a space or a sign in it) is cleaned like any text.
        """
        if isinstance(value, str):
            return value if value in self._categories.get(field, ()) else self.text(value)
        if isinstance(value, dict):
            return {self._name(name): self.value(each, name) for name, each in value.items()}
        return [self.value(each, field) for each in value] if isinstance(value, (list, tuple)) else value

    def document(self, text: str) -> str:
        """A text that may be JSON, as judges reply: then its values are cleaned and the names of its fields stay."""
        if text.lstrip()[:1] not in ("{", "["):
            return self.text(text)
        try:
            value = parse_json(text)
        except JsonError:
            return self.text(text)
        cleaned = self.value(value)
        return text if cleaned == value else json.dumps(cleaned, ensure_ascii=False)

    def _name(self, name: Any) -> Any:
        if not isinstance(name, str) or not _FIELD.fullmatch(name):
            return self.value(name)
        cleaned, counts, _ = self._cleaned(name, (), self._unnamed)
        self.counts.update(counts)
        return cleaned

    def _cleaned(
        self, text: str, places: Sequence[int], rules: Sequence[Rule] | None = None
    ) -> tuple[str, Counter[str], list[int]]:
        rules = self._rules if rules is None else rules
        counts: Counter[str] = Counter()
        moved = list(places)
        for rule in rules:
            spans = rule.spans(text)
            if spans:
                counts[rule.kind] += len(spans)
                moved = [_shifted_place(place, spans) for place in moved]
                text = _replace_spans(text, spans)
        return text, counts, moved

    def _numbered(self, kind: str) -> Callable[[re.Match[str]], str]:
        def replacement(match: re.Match[str]) -> str:
            if not match[0]:
                return ""
            what = match[0].lower().replace(f"{MASK}@", "")  # one server, with and without its credentials
            number = self._numbers.setdefault((kind, what), self._next[kind] + 1)
            self._next[kind] = max(number, self._next[kind])
            return f"[{kind} {number}]"

        return replacement

    def _named(self, texts: Iterable[str]) -> list[Rule]:
        """What the user names, found however it is written (see `_folded`), and where a line is broken within it.

        One or two letters or digits are found as a word of their own only.
        """
        forms = {_folded(form)[0] for form in _escaped(texts)} - {""}
        if not forms:
            return []
        ordered = sorted(forms, key=lambda form: (-len(form), form))
        spaced = [re.sub(r"(?:\\\s)+", lambda _: _SPACE, re.escape(form)) for form in ordered]
        alone = [
            rf"(?<!\w){each}(?!\w)" if len(form) <= _FEW else each for form, each in zip(ordered, spaced, strict=True)
        ]
        return [Rule("hidden", re.compile("|".join(alone)), self._numbered("hidden"), folded=True)]

    def _literal(self, kind: str, values: Iterable[str], flags: int = 0) -> list[Rule]:
        pattern = _alternatives(values, flags)
        return [] if pattern is None else [Rule(kind, pattern, self._numbered(kind))]

    def _fixed(self, kind: str, values: Iterable[str]) -> list[Rule]:
        pattern = _alternatives(values, 0)
        return [] if pattern is None else [Rule(kind, pattern, lambda _: MASK)]


def _folded(text: str) -> tuple[str, Sequence[int]]:
    """A text as it is compared, and where each of its characters stood.

    NFKD, case folded, with one kind of apostrophe and of hyphen, without characters that nobody sees.
    """
    if text.isascii():
        return text.lower(), range(len(text))
    pieces = [(_folded_character(character), place) for place, character in enumerate(text)]
    return "".join(piece for piece, _ in pieces), [place for piece, place in pieces for _ in piece]


@lru_cache(maxsize=4096)
def _folded_character(character: str) -> str:
    if character in _APOSTROPHES:
        return "'"
    if unicodedata.category(character) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "-" if unicodedata.category(character) == "Pd" else plain


def _whole_letter(text: str, last: int) -> int:
    """The end of the letter at a place, its accents included."""
    end = last + 1
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end


def _alternatives(values: Iterable[str], flags: int) -> re.Pattern[str] | None:
    ordered = sorted(set(values) - {""}, key=lambda value: (-len(value), value))
    return re.compile("|".join(map(re.escape, ordered)), flags) if ordered else None


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise RedactError(f"--hide {pattern!r} is no regular expression: {error}.") from None
    if compiled.fullmatch(""):
        raise RedactError(f"--hide {pattern!r} matches nothing at all as well; give one that needs at least a letter.")
    return compiled


def _escaped(texts: Iterable[str]) -> list[str]:
    """Texts, also as they stand within JSON, which judges reply in."""
    given = list(texts)
    if "" in given:
        raise RedactError("--hide-text was given nothing; give the text that is to be hidden.")
    return [
        form for text in given for form in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    ]


def _addresses(servers: Iterable[str]) -> list[str]:
    """Every way to write the servers that are not public: whole, by host and port, by host."""
    addresses: list[str] = []
    for address in servers:
        try:
            parts = urlsplit(address.replace(f"{MASK}@", ""))
            host, port = parts.hostname or "", parts.port
        except ValueError:
            continue
        if not host or any(host == domain or host.endswith(f".{domain}") for domain in _PUBLIC):
            continue
        netloc = parts.netloc.rpartition("@")[2]
        addresses += [
            address.rstrip("/"),
            f"{parts.scheme}://{netloc}{parts.path.rstrip('/')}",
            f"{parts.scheme}://{netloc}",
        ]
        addresses += [netloc] if port else []
        addresses += [host] if host not in _LOOPBACK and "." in host else []
    return addresses


def _directories(folders: Iterable[str]) -> list[str]:
    """Folders with and without the slash at their end; the root and single letters are none."""
    return [form for folder in folders if len(folder.strip("/")) > 2 for form in (folder, folder.rstrip("/"))]


def _replace_spans(text: str, spans: Sequence[tuple[tuple[int, int], str]]) -> str:
    pieces, last = [], 0
    for (start, end), new in spans:
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])


def _shifted_place(place: int, spans: Sequence[tuple[tuple[int, int], str]]) -> int:
    """Where a place has gone; one within what was replaced goes to its end."""
    shift = 0
    for (start, end), new in spans:
        if place <= start:
            break
        if place < end:
            return start + shift + len(new)
        shift += len(new) - (end - start)
    return place + shift
