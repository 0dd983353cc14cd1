"""Tables and JSON of others: each reader gives what its types promise, or refuses in one sentence; nothing else."""

import copy
import gzip
import json
import os
import pickle
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.untrusted.readers import ANSWER, READERS, encoded
from tests.untrusted.sound import check
from voirdire.cognibench.formats import iter_entries
from voirdire.cognibench.formats.lines import BadEntriesError
from voirdire.cognibench.records import CognibenchError
from voirdire.data import rows
from voirdire.data.files import FileError, whole_text
from voirdire.data.json_text import MAX_DEPTH, JsonError, parse_json
from voirdire.data.parquet import reader as parquet
from voirdire.data.rows import RowError, parquet_rows, text_lines
from voirdire.data.sheets import read_sheet
from voirdire.text.terminal import inert

NASTY = [
    *(None, True, -1, 0, 1.5, 1e308, 10**25, 10**200, "", "x", "\0", "=1", "\ud800", "../../x"),
    *([], {}, [[]], [None], ["x"], {"a": 1}, {"text": None}),
]
TOKENS = [
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b'"', b"'", b",", b";", b"\t", b"\r", b"\n", b"\r\n", b"\\"),
    *(b"[", b"]", b"{", b"}", b":", b"1e999", b"NaN", b"-Infinity", b"9" * 5000, b"[" * 200, b"\\ud800", b"null", b"="),
]
BAD_TEXT = {
    "no UTF-8": b"\xff\xfb\xf0",
    "UTF-16": "model,x".encode("utf-16"),
    "a zip archive": b"PK\x03\x04" + b"\0" * 30,
    "bzip2": b"BZh91AY",
    "a damaged gzip archive": b"\x1f\x8b\x08\x00" + b"\0" * 9,
    "a pickle": pickle.dumps({"a": 1}),
    "an SQLite database": b"SQLite format 3\0" + b"\0" * 80,
    "nothing": b"",
    "NUL bytes": b"\0" * 100,
    "brackets": b"[" * 100_000,
    "objects in objects": b'{"a":' * 5_000,
    "a quote that is never closed": b'item,model,text,label\n"',
    "a number of many digits": b'{"a": ' + b"9" * 5_000 + b"}",
}


def written(folder, reader, raw=None):
    folder.mkdir()
    for name, value in reader.values.items():
        content = encoded(name, value) if raw is None or name != reader.name else raw
        (folder / name).write_bytes(content)
    return folder


def tried(reader, folder):
    """What is read, or the sentence that refuses it."""
    try:
        found = reader(folder)
    except Exception as error:
        assert type(error).__module__.startswith("voirdire."), repr(error)
        said = str(error)
        assert said.strip() and inert(said) == said, repr(said)
        assert len(said.splitlines()) == 1 or isinstance(error, BadEntriesError), repr(
            said
        )  # which has a line for each
        assert len(said) < 5_000, f"{len(said):,} characters: {said[:200]!r}"
        return said
    check(found)
    return found


@pytest.mark.parametrize("name", READERS)
def test_each_reader_reads_its_valid_file(tmp_path, name):
    found = READERS[name](written(tmp_path / "d", READERS[name]))

    assert found
    check(found)


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_text_or_no_table_is_refused_in_a_sentence(tmp_path, name):
    for number, (kind, raw) in enumerate(BAD_TEXT.items()):
        said = tried(READERS[name], written(tmp_path / str(number), READERS[name], raw))
        assert isinstance(said, str) or not said, f"{kind} was read as {said!r}"
    assert isinstance(tried(READERS[name], tmp_path / "nowhere"), str)


@pytest.mark.parametrize("name", READERS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chance=st.randoms(use_true_random=False))
def test_a_valid_file_with_something_changed_is_read_or_refused_in_a_sentence(tmp_path_factory, name, chance):
    reader = READERS[name]
    value = reader.values[name_of := reader.name]
    raw = encoded(name_of, value)
    if not isinstance(value, str) and chance.random() < 0.6:
        try:
            raw = encoded(name_of, changed(value, chance))
        except (pa.ArrowException, AttributeError, UnicodeError, OverflowError, TypeError, ValueError):
            return  # no Parquet file can hold it
    else:
        raw = spoilt(raw, chance)

    tried(reader, written(tmp_path_factory.mktemp("fuzz") / "d", reader, raw))


JSON = [name for name, reader in READERS.items() if reader.name.endswith((".json", ".jsonl"))]
UNPRINTABLE = ["\ud800x", "a\nb\u2028c", "\x1b[2J\u202e", "x" * 10_000]


@pytest.mark.parametrize("name", JSON)
def test_a_name_or_text_that_no_terminal_can_show_is_never_in_a_message_as_it_is(tmp_path, name):
    reader = READERS[name]
    value = reader.values[reader.name]
    number = 0
    for place in within(value):
        for bad in UNPRINTABLE:
            for broken in with_text(value, place, bad):
                number += 1
                try:
                    raw = encoded(reader.name, broken)
                except (pa.ArrowException, AttributeError, UnicodeError, TypeError, ValueError):
                    continue  # no Parquet file can hold it
                tried(reader, written(tmp_path / str(number), reader, raw))


def with_text(value, place, text):
    """The value with a text at a place: as one more field of the object there, as its name, as what stands there."""
    if isinstance(part(value, place), dict):
        added = copy.deepcopy(value)
        part(added, place)[text] = 1
        yield added
    if not place:
        return
    replaced = copy.deepcopy(value)
    part(replaced, place[:-1])[place[-1]] = text
    yield replaced
    if isinstance(place[-1], str):
        renamed = copy.deepcopy(value)
        holder = part(renamed, place[:-1])
        holder[text] = holder.pop(place[-1])
        yield renamed


def part(value, place):
    for step in place:
        value = value[step]
    return value


def changed(value, chance):
    """The value with one of its parts replaced, or taken away."""
    places = list(within(value))[1:]
    place, new = chance.choice(places), chance.choice([*NASTY, "delete"])
    value = at = copy.deepcopy(value)
    for step in place[:-1]:
        at = at[step]
    if new == "delete":
        del at[place[-1]]
    else:
        at[place[-1]] = new
    return value


def within(value, place=()):
    yield place
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in parts:
        yield from within(each, (*place, step))


def spoilt(raw, chance):
    """The bytes with some of them replaced, doubled or taken away."""
    for _ in range(chance.choice([1, 1, 2, 4])):
        start = chance.randrange(len(raw) + 1)
        end = min(len(raw), start + chance.choice([0, 1, 5, 50]))
        raw = raw[:start] + chance.choice([*TOKENS, b"", raw[start:end] * 2]) + raw[end:]
    return raw


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": 1, "a": 2}', "the key 'a' stands twice"),
        ('{"a": 1e999}', "1e999 is larger than any number"),
        ('{"a": NaN}', "NaN is no number of JSON"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ("9" * 301, "a number has 301 digits; at most 300"),
        ("9" * 5_000, "a number has 5,000 digits"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested too deeply"),
        ('{"a":' * 50_000, "nested too deeply"),
        ('"\\ud800"', "half a character"),
        ('{"\\udfff": 1}', "half a character"),
        ('"\n"', "Invalid control character"),
        ("[1", "Expecting"),
    ],
)
def test_json_that_no_later_step_can_hold_is_refused(text, says):
    with pytest.raises(JsonError, match=says):
        parse_json(text)


def test_json_within_the_limits_is_read():
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH)
    assert float(parse_json("9" * 300)) == 1e300
    assert parse_json('"\\ud83d\\ude00"') == "\U0001f600"
    assert parse_json('["a\\ud800", {"\\ud800": 1}]', halves="replace") == ["a\ufffd", {"\ufffd": 1}]


def test_a_file_without_an_end_is_read_up_to_the_limit():
    with pytest.raises(FileError, match="larger than 1,000 bytes"):
        whole_text(rows.Path("/dev/zero"), 1_000)
    with pytest.raises(RowError, match="longer than 1,000 characters"):
        list(text_lines(rows.Path("/dev/zero"), 1_000))


def test_a_gzip_bomb_is_unpacked_up_to_the_limit(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"0" * 3_000_000))

    assert (tmp_path / "a.gz").stat().st_size < 10_000
    with pytest.raises(FileError, match="larger than 1,000,000 bytes"):
        whole_text(tmp_path / "a.gz", 1_000_000, unzip=True)


def test_an_archive_is_called_one(tmp_path):
    with zipfile.ZipFile(tmp_path / "answers.jsonl", "w") as file:
        file.writestr("answers.jsonl", json.dumps(ANSWER))

    with pytest.raises(RowError, match="is a zip archive"):
        list(text_lines(tmp_path / "answers.jsonl", 1_000))


@pytest.mark.parametrize(
    ("name", "head"),
    [("a.csv", "a name,an answer"), ("a.TSV", "id"), ("a.jsonl", "id,context,answer"), ("a", '"id";"the answer"\r')],
)
def test_csv_is_called_csv_by_its_name_or_its_first_line(tmp_path, name, head):
    (tmp_path / name).write_text(f"{head}\n1,2\n")

    with pytest.raises(RowError, match=r"is CSV, which is not read here: .* Parquet \(pandas: df\.to_json\("):
        list(text_lines(tmp_path / name, 1_000))


def test_json_lines_are_read_whatever_their_name_and_what_is_no_csv_is_not_called_csv(tmp_path):
    (tmp_path / "a.csv").write_text('{"a": 1, "b": 2}\n')
    (tmp_path / "a.txt").write_text("Hello, world\n")

    assert list(text_lines(tmp_path / "a.csv", 100)) == [(1, '{"a": 1, "b": 2}\n')]
    assert list(text_lines(tmp_path / "a.txt", 100)) == [(1, "Hello, world\n")]


def test_a_pipe_is_refused_before_anything_of_it_is_read(tmp_path):
    come, go = os.pipe()
    os.write(go, json.dumps(ANSWER).encode())
    os.close(go)

    with pytest.raises(CognibenchError, match="is a pipe, and has to be read more than once: save it"):
        list(iter_entries(rows.Path(f"/dev/fd/{come}")))
    assert os.read(come, 1_000) == json.dumps(ANSWER).encode()
    os.close(come)


def test_lines_are_read_one_at_a_time(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'\xef\xbb\xbf{"a": 1}\n\n{"b": "\xe2\x80\xa8\r"}\n\xff\n')

    found = text_lines(tmp_path / "a.jsonl", 100)

    assert [next(found), next(found)] == [(1, '{"a": 1}\n'), (3, '{"b": "\u2028\r"}\n')]
    with pytest.raises(RowError, match="is no UTF-8 text"):
        next(found)


def test_a_part_of_a_file_begins_where_it_is_told(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n{"b": 2}\n')

    assert list(text_lines(tmp_path / "a.jsonl", 100, rows.FilePart(9, 18, 2))) == [(2, '{"b": 2}\n')]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n1\n", "row 2: cells: 1, columns: 2"),
        ("a,b\n1,2,3\n", "row 2: cells: 3, columns: 2"),
        ("a,a\n1,2\n", "has the column 'a' twice"),
        ('a,b\n"1,2\n', "it is no CSV"),
        ('a,b\n"1"x,2\n', "it is no CSV"),
        ("", "is empty"),
        ("a,b\n1,\0\n", "NUL characters"),
        (",".join(map(str, range(3_000))) + "\n1\n", "3,000 columns; at most 2,000"),
        ("a" * 2_000, "larger than 1,000 bytes"),
    ],
)
def test_a_csv_file_that_is_none_is_refused_with_its_row(tmp_path, text, says):
    (tmp_path / "a.csv").write_text(text)

    with pytest.raises(FileError, match=says):
        read_sheet(tmp_path / "a.csv", 1_000 if text.startswith("aaa") else 100_000)


def test_a_cell_may_be_longer_than_the_module_csv_allows(tmp_path):
    (tmp_path / "a.csv").write_text("a\n" + "x" * 200_000 + "\n")

    assert len(read_sheet(tmp_path / "a.csv").rows[0][1][0]) == 200_000


def parquet_file(folder, table, **options):
    pq.write_table(table, folder / "a.parquet", **options)
    return folder / "a.parquet"


def test_a_parquet_bomb_is_refused_by_what_it_claims(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "FREE_BYTES", 1_000)
    path = parquet_file(tmp_path, pa.table({"a": ["x" * 2_000_000]}), compression="zstd")

    assert path.stat().st_size < 2_000
    with pytest.raises(RowError, match="bytes unpack to 2,000,"):
        next(parquet_rows(path))


def test_a_small_parquet_file_of_very_many_rows_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "FREE_ROWS", 1_000)
    monkeypatch.setattr(parquet, "MAX_RATIO", 10)

    with pytest.raises(RowError, match=r"claims 200,000 rows in .* bytes"):
        next(parquet_rows(parquet_file(tmp_path, pa.table({"a": pa.array([0] * 200_000, pa.int8())}))))


def test_rows_that_share_one_large_text_are_decoded_a_few_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_IN_MEMORY", 100_000)
    path = parquet_file(tmp_path, pa.table({"a": ["x" * 30_000] * 50}))
    with parquet.open_parquet(path) as file:
        assert file.rows_at_once() == 3
    assert sum(1 for _ in parquet_rows(path)) == 50


@pytest.mark.parametrize("levels", [30, 200])
def test_deeply_nested_columns_are_refused(tmp_path, levels):
    kind = pa.string()
    for _ in range(levels):
        kind = pa.list_(kind)

    with pytest.raises(RowError, match="deep"):
        next(parquet_rows(parquet_file(tmp_path, pa.table({"a": pa.array([None], kind)}))))


def test_very_many_columns_are_refused(tmp_path):
    with pytest.raises(RowError, match="more than 2,000 columns"):
        next(parquet_rows(parquet_file(tmp_path, pa.table({str(number): [1] for number in range(2_001)}))))


class Payload:
    """What runs a command when it is unpickled."""

    ran = False

    def __reduce__(self):
        return (setattr, (Payload, "ran", True))


def test_nothing_in_a_parquet_file_is_unpickled(tmp_path):
    pickled = pickle.dumps(Payload())
    extension = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": pickled}
    schema = pa.schema([pa.field("context", pa.binary(), metadata=extension)], metadata={b"pandas": pickled})
    path = parquet_file(tmp_path, pa.Table.from_arrays([pa.array([pickled])], schema=schema))

    assert list(parquet_rows(path)) == [(1, {"context": pickled})]
    assert not Payload.ran
    pickle.loads(pickled)  # what would have happened
    assert Payload.ran


@pytest.mark.parametrize("name", ["../../escape", "/etc/passwd", "C:\\x", "a\0b", ""])
def test_ids_that_look_like_paths_are_names_and_nothing_else(tmp_path, name):
    reader = READERS["tasks, Label Studio"]
    task = {"id": 1, "data": {"document": name, "context": "C.", "answer": "It opened.", "image": "/etc/passwd"}}
    folder = written(tmp_path / "d", reader, json.dumps([task]).encode())

    (document,) = reader(folder)
    assert document.id == name
    assert "passwd" not in str(document.body)
    assert [path.name for path in tmp_path.rglob("*")] == ["d", "tasks.json"]
