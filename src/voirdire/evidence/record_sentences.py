"""Records as plain sentences: JSON objects, tables and lists of keys and values say the same as prose does.

    >>> record_sentences({"name": "Blue Door", "city": "Bath", "hours": {"Monday": "9-17"}, "is_open": False})
    ['The city of Blue Door is Bath.', 'The Monday hours of Blue Door are 9-17.', 'Blue Door is not open.']

What has no value (`null`, "", an empty list) says nothing.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from voirdire.data.json_text import JsonError, parse_json
from voirdire.evidence.legal_forms import ends_with_form
from voirdire.text.sentences import split_sentences
from voirdire.text.units import find_unit

NAMES = ("name", "title", "product", "company", "item", "model", "person", "event", "id")
"""Keys whose value says what a record is about, the best first."""
_WRAPPERS = frozenset("attributes data details fields info information metadata properties record values".split())
"""Keys that say nothing of what they hold."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APART = re.compile(r"(?i)(?<=\bnon|\boff) (?=[a-z])")
"""In "off peak" and "non members", as keys write them."""
_VERBS = {"is": "is", "are": "are", "has": "has", "have": "has", "can": "can", "was": "was", "does": "does"}
_PROSE_WORDS = 12
"""A value of more words is a text of its own."""
_DEEPEST = 12
_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"\s*\|(?:\s*:?-{2,}:?\s*\|)+\s*")
_PAIR = re.compile(r"\s*(?:[-*•]\s+)?\**([A-Za-z][\w ()/%'’-]{0,40}?)\**\s*:\**\s+(\S.*)")
_CODE = re.compile(r"[A-Za-z]{1,4}-?\d{1,5}")
_PARTS = re.compile(r"[,;](?!\d)")
_VALUED = re.compile(r"(\D{2,40}?):?\s([^\s\w]?\d\S*(?:\s\S+)?|free|none|yes|no)")
"""A value behind what it is of: "day ticket £14", "first hour free"."""
_LAYOUT = re.compile(r"""(?P<value>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<mark>[,:])\s*|\s+""")
_BLANK = re.compile(r"(\n\s*\n)")
_JSON_START = re.compile(r"(?m)^[ \t]*(?=\{\s*[\"'}]|\[\s*\{)")
_JSON_END = re.compile(r"[ \t]*(?=\n|$)")
_BRACKET = re.compile(r"""\"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?P<opening>[\[{])|(?P<closing>[\]}])""")
"""A bracket, or a text in quotes, where brackets mean nothing."""
_MARKS = ("\t", ";", ",")
_HEAD = re.compile(r"[^\W\d][\w ()/%€$£.,-]{0,40}")
_QUOTED = re.compile(r"\"[^\"]*\"")
_DAYS = {
    form: f"{day}day"
    for day, forms in {
        "Mon": "mon monday",
        "Tues": "tue tues tuesday",
        "Wednes": "wed wednesday",
        "Thurs": "thu thur thurs thursday",
        "Fri": "fri friday",
        "Satur": "sat saturday",
        "Sun": "sun sunday",
    }.items()
    for form in forms.split()
}
_FEWEST_DAYS = 2
_FEWEST_ROWS = 2
"""Lines below a header that make a table of values with commas."""
_FEWEST_PAIRS = 2
"""Neighbouring lines with a key that make a list: one alone may be a heading and its sentence."""
_LONGEST = 200_000
"""Characters of a record that is written as Python prints it."""


def record_sentences(record: Mapping[str, Any] | Sequence[Any]) -> list[str]:
    """A record, or a list of them, as sentences in the order of its fields.

    Args:
        record: as JSON gives it. Objects deeper than twelve levels are written as JSON.
    """
    if isinstance(record, Mapping):
        return [each.text for each in _object(record, "", 0)]
    return [each.text for each in _entries(record, "", "", 0)]


def without_records(text: str) -> str:
    """A text whose records are sentences: JSON where the text or a paragraph is JSON, its tables and lists of keys.

    An object as Python prints it is read like JSON. Everything else stays as it is, dialogues too.
    """
    return "\n".join(each.text for each in _sentences(text))


def record_quotes(text: str) -> dict[str, str]:
    """Of each sentence that `without_records` makes, the key and the value that it says, as they stand."""
    return {each.text: each.quote for each in _sentences(text) if each.quote}


class _Sentence(NamedTuple):
    """A line of a text, or a sentence made of one value of a record."""

    text: str
    quote: str = ""
    """The value with its key, behind what it is of; empty for a line as it stands."""


def _sentences(text: str) -> Iterator[_Sentence]:
    parsed = _objects(text)
    blocks = _blocks(text) if parsed is None else []
    if parsed is not None:
        yield from _of_objects([parsed])
    elif not any(_json(each) is not None for each in blocks):
        yield from _plain_lines(text.split("\n"))
    else:
        for is_json, group in groupby(blocks, key=lambda each: _json(each) is not None):
            if is_json:
                yield from _of_objects([each for block in group if (each := _json(block)) is not None])
            else:
                yield from _plain_lines("\n\n".join(group).split("\n"))


def _of_objects(parsed: Sequence[Mapping[str, Any] | list[Any]]) -> Iterator[_Sentence]:
    """The sentences of neighbouring pieces of JSON: several objects are told apart as those of one list are."""
    objects = [one for each in parsed for one in (each if isinstance(each, list) else [each])]
    if len(objects) == 1 and isinstance(parsed[0], Mapping):
        yield from _object(parsed[0], "", 0)
    else:
        yield from _entries(objects, "", "", 0)


def paragraphs_without_records(text: str) -> list[str]:
    """The paragraphs of a text, each without its records."""
    return [without_records(block) for block in _blocks(text)]


def in_one_line(text: str) -> str:
    """A text whose JSON has no layout around its values, as `json.dumps` writes it; all else is as it is."""
    blocks = [text] if _json(text) is not None else _BLANK.split(text)
    return "".join(each if _json(each) is None else _LAYOUT.sub(_without_layout, each) for each in blocks)


def json_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the JSON of a text begins and ends that fills lines of its own, blank lines within it or not."""
    place = 0
    while (start := _JSON_START.search(text, place)) is not None:
        end = _closed(text, start.end())
        if end is None:
            return
        ends_line = _JSON_END.match(text, end) is not None
        if ends_line and _json(text[start.end() : end]) is not None:
            yield start.end(), end
        place = end


def _closed(text: str, start: int) -> int | None:
    """Where the bracket closes that opens at a place; `None` for nowhere."""
    depth = 0
    for mark in _BRACKET.finditer(text, start):
        depth += bool(mark["opening"]) - bool(mark["closing"])
        if depth == 0:
            return mark.end()
    return None


def in_marked_cells(text: str) -> str:
    """A text whose tables with commas are Markdown: "Leith,410,600" has two figures, and no 410,600."""
    return "".join(_in_marked_cells(block) if "," in block else block for block in _BLANK.split(text))


def _in_marked_cells(block: str) -> str:
    """A block without a table is as it is."""
    if "\n" not in block:
        return block
    lines: list[str] = []
    for stretch, kind in _stretches(block.split("\n")):
        if kind == "separated" and _mark(stretch[0]) == "," and "|" not in "".join(stretch):
            head, *rows = (f"| {' | '.join(_fields(line))} |" for line in stretch)
            lines += [head, "|" + "---|" * len(_fields(stretch[0])), *rows]
        else:
            lines += stretch
    return "\n".join(lines)


def pairs_apart(text: str) -> Iterator[str]:
    """Each line of a text's lists of keys and values, and what stands between them."""
    if "\n" not in text:
        yield text
        return
    for is_list, group in groupby(_stretches(text.split("\n")), key=lambda each: each[1] == "list"):
        lines = [line for stretch, _ in group for line in stretch]
        yield from lines if is_list else ["\n".join(lines)]


def _without_layout(part: re.Match[str]) -> str:
    return part["value"] or (f"{part['mark']} " if part["mark"] else "")


class Row(NamedTuple):
    """A row of a table, a JSON object or a list of keys and values, and what it is about."""

    name: str
    fields: tuple[tuple[str, str], ...]
    """Each column or key, as words, with its value."""
    text: str
    """To be quoted."""
    key: str = ""
    """The column or key of its name."""


def rows_and_prose(text: str) -> tuple[list[Row], list[str]]:
    """The rows of a text that say what they are about, and the paragraphs of the rest.

    A row is about its first column, an object about its name, one of several alike about its key. So is a list of keys
    and values; where several begin with one key ("Station: Ghent"), they are about its value. Lines that give several
    values each ("North: first hour £2, day £14") are about what stands before the colon.
    """
    rows: list[Row] = []
    listed: list[dict[str, str]] = []
    objects: list[Any] = []
    prose = []
    for block in _nested_blocks(text):
        parsed = _objects(block)
        if parsed is not None:
            objects += [parsed] if isinstance(parsed, Mapping) else parsed
            continue
        rest: list[str] = []
        for lines, kind in _stretches(block.split("\n")):
            if kind == "table":
                rows += _rows_of_table([lines[0], *lines[2:]], _cells)
            elif kind == "separated":
                rows += _rows_of_table(lines, _fields)
            elif kind == "list" and (priced := _rows_of_lines(lines)):
                rows += priced
            elif kind == "list":
                listed += _lists(lines)
            else:
                rest += lines
        prose.append("\n".join(rest))
    rows += _rows_of_json(objects, "")
    firsts = Counter(next(iter(each)) for each in listed)
    rows += (row for each in listed if (row := _row_of_list(each, firsts)) is not None)
    return rows, prose


def objects_of(text: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Every object of the JSON of a text with the one that holds it, which is empty at the top."""
    for parsed in map(_objects, _blocks(text)):
        yield from _objects_within(parsed, {}, 0)


def lists_of_objects(text: str) -> list[tuple[dict[str, str], list[dict[str, str]]]]:
    """The short values of each object that holds others, and those of each of these; as `scalars_of` gives them."""
    groups: dict[int, tuple[dict[str, str], list[dict[str, str]]]] = {}
    objects = list(objects_of(text))  # so that no two objects have one id
    for record, parent in objects:
        groups.setdefault(id(parent), (scalars_of(parent), []))[1].append(scalars_of(record))
    return list(groups.values())


def _objects_within(
    value: Any, parent: Mapping[str, Any], depth: int
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    if isinstance(value, Mapping):
        yield value, parent
        parent = value
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for each in parts if depth < _DEEPEST else ():
        yield from _objects_within(each, parent, depth + 1)


def name_of_object(record: Mapping[str, Any]) -> str:
    """What an object is about; "" where no key says that."""
    key = _name_key(record)
    return str(record[key]).strip() if key else ""


def scalars_of(record: Mapping[str, Any]) -> dict[str, str]:
    """The keys of an object as words, each with its value, where that is a short text or a figure."""
    return {
        _words(str(key)): str(value)
        for key, value in record.items()
        if isinstance(value, str | int | float)
        and not isinstance(value, bool)
        and len(str(value).split()) <= _PROSE_WORDS
    }


def tables_of(text: str) -> Iterator[list[Row]]:
    """The rows of each table of a text."""
    for block in _nested_blocks(text):
        for lines, kind in _stretches(block.split("\n")) if _objects(block) is None else ():
            if kind == "table":
                yield list(_rows_of_table([lines[0], *lines[2:]], _cells))
            elif kind == "separated":
                yield list(_rows_of_table(lines, _fields))


def unnamed_records(text: str) -> list[Row]:
    """The JSON objects and lists of keys and values of a text that have no name, wherever they stand."""
    records = []
    for block in _nested_blocks(text):
        parsed = _objects(block)
        if isinstance(parsed, Mapping) and not any(_rows_of_json(parsed, "")):
            records.append(tuple(_flat(parsed, "", "")))
        for lines, kind in _stretches(block.strip().split("\n")) if parsed is None else ():
            pairs = _pairs_of_list(lines) if kind == "list" else {}
            records.append(tuple((_words(key), value) for key, value in pairs.items()))
    return [Row("", fields, "; ".join(": ".join(each) for each in fields)) for fields in records if fields]


def _pairs_of_list(lines: Sequence[str]) -> dict[str, str]:
    lists = _lists(lines)
    return lists[0] if len(lists) == 1 else {}


def _blocks(text: str) -> list[str]:
    return [text] if _objects(text) is not None else _BLANK.split(text)[::2]


def _nested_blocks(text: str) -> Iterator[str]:
    """The blocks of a text, and those of the texts of several lines within its JSON, as what a search tool gives."""
    for block in _blocks(text):
        yield block
        for lines in _texts_within(_objects(block), 0):
            yield from _blocks(lines)


def record_edges(text: str) -> tuple[bool, bool]:
    """Whether a text begins with a record or table, and whether it ends with one."""
    blocks = _blocks(text.strip())
    return _is_record(blocks[0], 0), _is_record(blocks[-1], -1)


def _is_record(block: str, place: int) -> bool:
    """Whether a paragraph is JSON, or has a record or table at a place of its stretches."""
    return _objects(block) is not None or bool(list(_stretches(block.split("\n")))[place][1])


def _texts_within(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str) and "\n" in value.strip():
        yield value.strip()
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for each in parts if depth < _DEEPEST else ():
        yield from _texts_within(each, depth + 1)


def _rows_of_json(value: Any, key: str) -> Iterator[Row]:
    """Of all objects with a name, however deep; in a list the first text of each may be its name."""
    if isinstance(value, Mapping):
        name = _name_key(value) or (key if isinstance(value.get(key), str) else "")
        fields = tuple(_flat(value, "", name)) if name else ()
        if fields:
            yield _row_of_object(value, name, fields)
        if key and _is_column(value):
            for own, each in value.items():
                about = _words(str(own))
                yield Row(about, ((_words(key), str(each)),), f"{_words(key)}; {about}: {each}")
        alike = () if name else _keyed_alike(value)
        for own, each in value.items():
            if own in alike:
                about = _words(str(own))
                fields = tuple(_flat(each, "", ""))
                yield Row(about, fields, "; ".join((about, *(": ".join(field) for field in fields))))
            yield from _rows_of_json(each, "" if name else str(own))
    elif isinstance(value, list):
        objects = [each for each in value if isinstance(each, Mapping) and each]
        telling, code = _telling_key(objects), _code_key(objects)
        for each in value:
            yield from _rows_of_json(each, telling)
            if code and code != telling and isinstance(each, Mapping) and code != _name_key(each):
                yield _row_of_object(each, code, tuple(_flat(each, "", code)))


def _row_of_object(record: Mapping[str, Any], key: str, fields: tuple[tuple[str, str], ...]) -> Row:
    """An object, about the value of one key."""
    text = "; ".join(": ".join(each) for each in _flat(record, "", ""))
    return Row(str(record[key]).strip(), fields, text, _words(key))


def _is_column(record: Mapping[str, Any]) -> bool:
    """Whether an object gives one figure each of several things: {"cat": 14.5, "dog": 16}."""
    return len(record) > 1 and all(
        isinstance(each, int | float) and not isinstance(each, bool) and not _names_unit(str(key))
        for key, each in record.items()
    )


def _names_unit(key: str) -> bool:
    *_, last = ["", *_words(key).split()]
    return find_unit(last, 0) is not None


def _telling_key(objects: Sequence[Mapping[str, Any]]) -> str:
    """The first key by whose values objects differ, words before codes; "" where they have no common key."""
    differing = _differing_keys(objects)
    words = [key for key in differing if not any(sign.isdigit() for each in objects for sign in each[key])]
    return next(iter([*words, *differing]), "")


def _code_key(objects: Sequence[Mapping[str, Any]]) -> str:
    """The first key that gives each of several objects a code of its own: "H1", "SK-103"; "" for none."""
    return next((key for key in _differing_keys(objects) if all(_CODE.fullmatch(each[key]) for each in objects)), "")


def _differing_keys(objects: Sequence[Mapping[str, Any]]) -> list[str]:
    """The keys that all of several objects have, each with a short text of its own."""
    common = [
        key for key in (objects[0] if len(objects) > 1 else ()) if all(_is_name(each.get(key)) for each in objects)
    ]
    return [key for key in common if len({each[key] for each in objects}) == len(objects)]


def _keyed_alike(record: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys of several objects without a name that have a key in common: {"North": {"beds": 2}, "South": …}."""
    objects = {key: each for key, each in record.items() if isinstance(each, Mapping) and each and not _name_key(each)}
    common = set.intersection(*map(set, objects.values())) if len(objects) > 1 else ()
    return tuple(objects) if common else ()


def _rows_of_lines(lines: Sequence[str]) -> list[Row]:
    """Neighbouring lines with a key and several values each; [] where not all have them, or none comes again."""
    rows = []
    for line in lines:
        match = _PAIR.fullmatch(line)
        parts = [] if match is None else _PARTS.split(match[2].rstrip("."))
        fields = [(each[1], each[2]) for part in parts if (each := _VALUED.fullmatch(part.strip()))]
        if match is None or len(fields) < max(len(parts), _FEWEST_PAIRS):
            return []
        rows.append(Row(match[1].strip(), tuple(fields), line.strip()))
    keys = Counter(key for row in rows for key, _ in row.fields)
    return rows if len(rows) > 1 and max(keys.values()) > 1 else []


def _name_key(record: Mapping[str, Any]) -> str:
    """The key whose value says what a record is about; "" for none."""
    keys = (each for name in NAMES for each in record if str(each).lower() == name)
    return next((each for each in keys if _is_name(record[each])), "")


def _flat(record: Mapping[str, Any], before: str, without: str) -> Iterator[tuple[str, str]]:
    for key, value in record.items():
        name = f"{before} {_words(str(key))}".strip()
        if isinstance(value, Mapping):
            yield from _flat(value, name, "") if len(name) <= _PROSE_WORDS * _DEEPEST else ()
        elif key != without and isinstance(value, str | int | float) and len(str(value).split()) <= _PROSE_WORDS:
            yield name, json.dumps(value) if isinstance(value, bool) else str(value)


def _stretches(lines: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """Neighbouring lines that are a table, a list of keys and values, or neither."""
    place = 0
    while place < len(lines):
        rows = _while(lines, place, _ROW)
        if len(rows) > 1 and _RULE.fullmatch(rows[1]):
            yield rows, "table"
            place += len(rows)
            continue
        if separated := _separated(lines, place):
            yield separated, "separated"
            place += len(separated)
            continue
        listed = _while(lines, place, _PAIR)
        kind = "list" if listed and all(len(_pairs(each)) >= _FEWEST_PAIRS for each in _parts(listed)) else ""
        stretch = listed or [lines[place]]
        yield stretch, kind
        place += len(stretch)


def _parts(lines: Sequence[str]) -> list[list[str]]:
    """A list of keys and values, cut where its first key comes again."""
    keys = [match[1].strip() for line in lines if (match := _PAIR.fullmatch(line))]
    starts = [place for place, key in enumerate(keys) if key == keys[0]]
    return [list(lines[start:end]) for start, end in pairwise([*starts, len(lines)])]


def _lists(lines: Sequence[str]) -> list[dict[str, str]]:
    return [_pairs(each) for each in _parts(lines)]


def _row_of_list(pairs: Mapping[str, str], firsts: Mapping[str, int]) -> Row | None:
    first = next(iter(pairs))
    key = _name_key(pairs) or (first if firsts[first] > 1 else "")
    if not key:
        return None
    return Row(
        pairs[key],
        tuple((_words(each), value) for each, value in pairs.items() if each != key),
        "; ".join(f"{each}: {value}" for each, value in pairs.items()),
        _words(key),
    )


def _rows_of_table(lines: Sequence[str], cells_of: Callable[[str], list[str]]) -> Iterator[Row]:
    heads, *body = map(cells_of, lines)
    for line, cells in zip(lines[1:], body, strict=True):
        fields = tuple(zip(map(_words, heads[1:]), cells[1:], strict=False))
        yield Row(cells[0], fields, line.strip(), _words(heads[0]))


def _separated(lines: Sequence[str], place: int) -> list[str]:
    """The lines from a place on that are values with commas, semicolons or tabs, below a header; [] for none."""
    mark = _mark(lines[place])
    heads = _fields(lines[place]) if mark else []
    if len(set(heads)) != len(heads) or len(heads) < _FEWEST_PAIRS or not all(map(_HEAD.fullmatch, heads)):
        return []
    end = place + 1
    while end < len(lines) and _mark(lines[end]) == mark and len(_fields(lines[end])) == len(heads):
        end += 1
    return list(lines[place:end]) if end - place > _FEWEST_ROWS else []


def _mark(line: str) -> str:
    """What parts the values of a line; prose has a space after its commas."""
    bare = _QUOTED.sub("", line) if '"' in line else line
    return next((mark for mark in _MARKS if mark in bare and f"{mark} " not in bare), "")


def _fields(line: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=_mark(line) or ","), [])]


def _objects(text: str) -> Mapping[str, Any] | list[Any] | None:
    """What a text is that is JSON, or JSON Lines."""
    parsed = _json(text)
    lines = list(filter(str.strip, text.split("\n")))
    if parsed is not None or len(lines) < 2 or not all(line.lstrip().startswith("{") for line in lines):
        return parsed
    objects = [_json(line) for line in lines]
    return objects if all(isinstance(each, Mapping) for each in objects) else None


def _json(text: str) -> Mapping[str, Any] | list[Any] | None:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        parsed = parse_json(text, halves="replace")
    except JsonError:
        parsed = _printed_by_python(text)
    if isinstance(parsed, dict) or (isinstance(parsed, list) and any(isinstance(each, dict) for each in parsed)):
        return parsed
    return None


def _printed_by_python(text: str) -> Any:
    try:
        return ast.literal_eval(text.strip()) if len(text) <= _LONGEST else None
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _object(
    record: Mapping[str, Any], subject: str, depth: int, part: str = "", telling: str = ""
) -> Iterator[_Sentence]:
    key = (_name_key(record) or telling).lower()
    own = next((str(value).strip() for each, value in record.items() if str(each).lower() == key), "") if key else ""
    if own and part and subject:
        yield _Sentence(f"One of the {part} of {subject} is {own}.", f"{subject}; {key}: {own}")
    about, fields = own or subject, {each: value for each, value in record.items() if str(each).lower() != key}
    for (key_of_value, value), name in zip(fields.items(), _days_in_full(list(map(str, fields))), strict=True):
        yield from _field(str(key_of_value), name, value, about, depth, "" if own else part)
    if own and not fields and not (part and subject):
        yield _Sentence(f"The {key} is {own}.", f"{key}: {own}")


def _field(key: str, name: str, value: Any, subject: str, depth: int, part: str) -> Iterator[_Sentence]:
    """The sentences of one key, by its name, which quote it with its value as it stands."""
    written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    quote = "; ".join(filter(None, (subject, f"{key}: {written}")))
    for sentence in _field_sentences(_words(name), value, subject, depth, part):
        yield sentence if sentence.quote else sentence._replace(quote=quote)


def _field_sentences(name: str, value: Any, subject: str, depth: int, part: str) -> Iterator[_Sentence]:
    known = {*_WRAPPERS, *name.lower().split()}
    whole = " ".join((name, *(word for word in part.split() if word.lower() not in known)))
    if value is None or value in ("", [], {}):
        return
    if depth >= _DEEPEST:
        yield _Sentence(_statement(whole, json.dumps(value, ensure_ascii=False, default=str), subject))
    elif isinstance(value, Mapping):
        yield from _object(value, subject, depth + 1, whole)
    elif isinstance(value, list | tuple):
        yield from _entries(value, whole, subject, depth + 1)
    elif isinstance(value, bool):
        yield _Sentence(_boolean(whole, value, subject))
    else:
        yield from map(_Sentence, _scalar(whole, str(value).strip(), subject))


def _entries(values: Sequence[Any], name: str, subject: str, depth: int) -> Iterator[_Sentence]:
    simple = [str(each).strip() for each in values if not isinstance(each, Mapping | list | tuple) and each is not None]
    if simple and name:
        yield _Sentence(_statement(name, _listed(simple), subject))
    elif simple:
        yield _Sentence(f"{_listed(simple)}.", _listed(simple))
    objects = [each for each in values if isinstance(each, Mapping) and each]
    telling = _code_key(objects) or _telling_key(objects)
    for place, each in enumerate((each for each in values if isinstance(each, Mapping | list | tuple)), 1):
        if isinstance(each, Mapping):
            numbered = f"{name} {place}" if name and len(values) > 1 else name
            yield from _object(each, subject, depth + 1, numbered, telling)
        else:
            yield from _entries(each, name, subject, depth + 1)


def _scalar(name: str, value: str, subject: str) -> Iterator[str]:
    lowered = value.lower()
    if lowered in ("true", "false", "yes", "no"):
        yield _boolean(name, lowered in ("true", "yes"), subject)
    elif "\n" in value:
        yield from (each.text for each in _sentences(value))
    elif len(value.split()) > _PROSE_WORDS:
        yield from (sentence.text for sentence in split_sentences(value))
    elif value:
        yield _statement(name, value, subject)


def _statement(name: str, value: str, subject: str) -> str:
    verb = "are" if _is_plural(name) else "is"
    of = f" of {subject}" if subject else ""
    return f"The {name}{of} {verb} {value.rstrip('.')}."


def _boolean(name: str, value: bool, subject: str) -> str:
    first, _, rest = name.partition(" ")
    who = subject or "It"
    if first.lower() in _VERBS and rest:
        verb = _VERBS[first.lower()]
        return f"{who} {verb} {rest}." if value else f"{who} {verb} {'no' if verb == 'has' else 'not'} {rest}."
    return f"{who} has {name}." if value else f"{who} has no {name}."


def _listed(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"


def _words(name: str) -> str:
    """A key as words: "outdoorSeating" and "outdoor_seating" are "outdoor seating"; "WiFi" and "ISBN" stay."""
    parts = re.split(r"[\s_.-]+", name.strip())
    return _APART.sub("-", " ".join(_spaced(part) for part in parts if part))


def _spaced(part: str) -> str:
    pieces = _CAMEL.split(part)
    if len(pieces) == 1 or all(len(piece.strip("()")) < 3 for piece in pieces):  # "PhD", "(kWh)"
        return part
    return " ".join(piece if piece.isupper() else piece.lower() for piece in pieces)


def _is_plural(name: str) -> bool:
    last = name.rsplit(" ", 1)[-1].lower()
    return last.endswith("s") and not last.endswith(("ss", "us", "is"))


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value.split()) <= _PROSE_WORDS


def _plain_lines(lines: Sequence[str]) -> Iterator[_Sentence]:
    place = 0
    while place < len(lines):
        rows = _while(lines, place, _ROW)
        if len(rows) > 1 and _RULE.fullmatch(rows[1]):
            yield from _table([rows[0], *rows[2:]], _cells)
            place += len(rows)
            continue
        if separated := _separated(lines, place):
            yield from _table(separated, _fields)
            place += len(separated)
            continue
        listed = _while(lines, place, _PAIR) or [lines[place]]
        pairs = _pairs(listed)
        yield from _object(pairs, "", 0) if len(pairs) >= _FEWEST_PAIRS else map(_Sentence, listed)
        place += len(listed)


def _while(lines: Sequence[str], place: int, pattern: re.Pattern[str]) -> list[str]:
    """The neighbouring lines from a place on that have a form."""
    end = place
    while end < len(lines) and pattern.fullmatch(lines[end]):
        end += 1
    return list(lines[place:end])


def _table(rows: Sequence[str], cells_of: Callable[[str], list[str]]) -> Iterator[_Sentence]:
    """A table: each row is about what stands in its first column, unless that is a day of the week beside others."""
    heads, *body = map(cells_of, rows)
    names = _days_in_full(heads)
    first = 0 if names[0] in _DAYS.values() else 1
    for cells in body:
        for head, name, cell in zip(heads[first:], names[first:], cells[first:], strict=False):
            yield from _field(head, name, cell, cells[0] if first else "", 0, "")


def _days_in_full(heads: Sequence[str]) -> list[str]:
    """Columns or keys, those that are days of the week in full: "Sun" is one only beside another."""
    days = [_DAYS.get(each.strip(" .").lower(), "") for each in heads]
    if len(set(days) - {""}) < _FEWEST_DAYS:
        return list(heads)
    return [day or head for day, head in zip(days, heads, strict=True)]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _pairs(lines: Sequence[str]) -> dict[str, str]:
    """Keys and values, a line each; {} where a key comes again or a value ends as a sentence: people may be talking."""
    matches = [match for line in lines if (match := _PAIR.fullmatch(line))]
    pairs = {match[1].strip(): match[2].strip() for match in matches}
    ends = (value.endswith((".", "!", "?")) and not ends_with_form(value) for value in pairs.values())
    talk = len(pairs) < len(matches) or any(ends)
    return {} if talk else pairs
