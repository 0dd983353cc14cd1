"""Tables fit the terminal: no number is cut, no column is lost, and the whole of every name can be read."""

import re

import pytest

from tests.cli.here import voirdire
from tests.cli.test_finite import write_turns
from voirdire.documents.cells import plain_table, text
from voirdire.documents.document import Column, Table, document
from voirdire.reports.formats.terminal import to_terminal

MAVERICK = "openai-api/meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8"
OTHER = MAVERICK.replace("FP8", "FP16")
WIDTHS = (60, 80, 100, 220)
NUMBERS = ("12,345", "229,345,111", "1,222,333", "$1,234.56")


def drawn(width, monkeypatch, *rows, heads=("calls", "tokens in", "tokens out", "USD"), **options):
    monkeypatch.setenv("COLUMNS", str(width))
    return to_terminal(document(plain_table("figures", ("model", *heads), rows, **options)))


@pytest.mark.parametrize("width", (40, *WIDTHS))
def test_a_table_keeps_every_number_every_column_and_every_name(width, monkeypatch):
    said = drawn(width, monkeypatch, (MAVERICK, *NUMBERS), (OTHER, "1", "2", "3", "unknown"))
    together = re.sub(r"\s", "", said)
    assert max(map(len, said.splitlines())) <= width
    assert all(number in said for number in NUMBERS) and "unknown" in said
    assert all(head in re.sub(r"\s+", " ", said) for head in ("calls", "tokens", "USD"))
    assert MAVERICK in together and OTHER in together


def test_names_are_shortened_apart_and_a_legend_has_the_whole_of_each(monkeypatch):
    said = drawn(80, monkeypatch, (f"1 {MAVERICK}", *NUMBERS), (f"2 {OTHER}", *NUMBERS))
    rows = [line for line in said.splitlines() if "229,345,111" in line]
    names = [re.match(r" \d (\S+) ", line)[1] for line in rows]
    assert len(set(names)) == 2 and all("…" in name for name in names)
    legend = re.sub(r"\s+", " ", said[said.index(" =") - len(names[0]) :])
    assert [f"{name} = {whole}" in legend for name, whole in zip(names, (MAVERICK, OTHER), strict=True)] == [True, True]


def test_a_table_without_room_for_its_numbers_becomes_a_block_for_each_row(monkeypatch):
    said = drawn(40, monkeypatch, (MAVERICK, *NUMBERS))
    assert re.search(r"calls +12,345", said) and "tokens out  1,222,333" in said


@pytest.mark.parametrize("width", (60, 80, 100, 220))
def test_two_columns_of_prose_share_the_room_or_become_blocks(width, monkeypatch):
    prose = "one of the facts is nowhere in the response, and no sentence has a figure of it"
    said = drawn(width, monkeypatch, ("denial", "0", "a clause", prose, prose), heads=tuple("nwfy"), numbers=1)
    assert max(map(len, said.splitlines())) <= width
    assert len(said.strip().splitlines()) <= 8


def test_columns_are_closed_up_before_a_row_becomes_a_block(monkeypatch):
    figures = ("0.123", "0.456", "0.789", "0.012", "0.345")
    heads = ("overall", "precision", "recall", "factual", "cognitive")
    wide, tight, blocks = (drawn(width, monkeypatch, ("lexical", *figures), heads=heads) for width in (70, 52, 40))
    assert [len(each.splitlines()) for each in (wide, tight, blocks)] == [3, 3, 6]
    assert "   0.123" in wide and " 0.456 " in tight and "precision  0.456" in blocks


def test_one_column_of_prose_is_wrapped_and_short_texts_with_it_before_a_row_becomes_a_block(monkeypatch):
    prose = "a generative detector that lists all sentences"
    said = drawn(
        60, monkeypatch, ("type:FOLDER, optional", prose, "voirdire[torch]"), heads=("flags", "needs"), numbers=0
    )
    assert said.split()[:3] == ["model", "flags", "needs"] and len(said.splitlines()) == 5


def test_a_table_without_heads_is_rows_alone(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    columns = (Column("count", "", numeric=True), Column("kind", ""))
    rows = tuple({"count": text(number), "kind": text(kind)} for number, kind in (("1", "key"), ("720", "names")))
    assert to_terminal(document(Table("counts", columns, rows, "Left out"))).splitlines() == [
        "Left out",
        "    1  key",
        "  720  names",
    ]


def test_what_fits_is_left_as_it_is(monkeypatch):
    said = drawn(220, monkeypatch, (MAVERICK, *NUMBERS))
    assert MAVERICK in said and " = " not in said
    assert len(said.strip().splitlines()) == 3


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    write_turns(folder / "turns.jsonl", models=(MAVERICK, OTHER), judges=(f"{MAVERICK}-judge", "openai/gpt-5.1"))
    voirdire("ddft", "import", folder / "turns.jsonl", "-o", folder / "run")
    return folder / "run"


@pytest.mark.parametrize(
    "command", ["show", "compare --metric CI_raw", "jury reliability", "plan --all", "validate --all"]
)
def test_commands_show_the_same_figures_at_every_width(study, command):
    name, *options = command.split(" --")
    about = ("-m", MAVERICK, "--base-url", "http://127.0.0.1:1") if name == "plan" else (study,)
    arguments = [*name.split(), *about, *(part for option in options for part in f"--{option}".split())]
    shown = {width: voirdire(*arguments, env={"COLUMNS": str(width)}).stdout for width in WIDTHS}
    figures = {width: set(re.findall(r"(?<![\w.])\d[\d,]*\.\d+(?![\w…])", said)) for width, said in shown.items()}
    for width, said in shown.items():
        assert figures[width] == figures[220], f"at {width}: {figures[width] ^ figures[220]}"
        assert not re.search(r"\d…(?!\w)", said)
        assert max(len(line) for line in said.splitlines() if str(study) not in line) <= width  # a path stays whole
        assert MAVERICK in re.sub(r"\s", "", said)
