import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.formats.examples import made
from tests.reports.page.sample import HOSTILE, small
from voirdire.reports.formats.markdown import inline, to_markdown


def test_every_part_of_a_report_but_the_texts_to_read_is_there():
    said = to_markdown(made())

    assert said.startswith(
        "# A report\n\nof a run\n\n## Verdict\n\n> **Warning.** Careful.\n\nall is well\n\n- one\n- two\n"
    )
    assert "| figure | value | 95 % interval | what it says |\n| --- | ---: | ---: | --- |\n| ER | 0.61 |" in said
    assert "### By model\n\n| Model | FAR | said |\n| --- | ---: | --- |\n| openai/gpt-5.1 | 0.812 | plain |" in said
    assert "Means over turns.\n\n*FAR*: accuracy" in said
    assert "- FAR: It falls.\n- SAS: It stays." in said
    assert "all dialogues (1). They can be read in the page" in said and "It rained" not in said
    assert said.endswith("## Provenance\n\n|  |  |\n| --- | --- |\n| version | 0.1.0 |\n")


def test_background_and_links_are_lists_under_their_titles():
    said = to_markdown(small())

    assert "### Worst failures\n\n- It took the expert for real.\n" in said
    assert "### How it was held\n\n- The run was held in autumn.\n" in said


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a | b", r"a \| b"),
        ("`rm -rf`", r"\`rm -rf\`"),
        ("<img src=x onerror=alert(1)>", r"\<img src=x onerror=alert(1)>"),
        ("[click](https://evil.example)", r"\[click\](https\://evil.example)"),
        ("see www.evil.example", r"see www\.evil.example"),
        ("**bold** and __bold__", r"\*\*bold\*\* and \_\_bold\_\_"),
        ("danger_zone_pct stays", "danger_zone_pct stays"),
        ("~~gone~~", r"\~~gone\~~"),
        ("R&D &lt; &#60;", r"R&D \&lt; \&#60;"),
        ("$x$ costs $5", r"\$x\$ costs \$5"),
        ("two\nlines\r\nand\tmore", "two lines and more"),
        ("\u202eevil\u2066", "evil"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_what_markdown_would_take_for_markup_is_shown_as_it_stands(text, escaped):
    assert inline(text) == escaped


@pytest.mark.parametrize(
    "opening", ["- item", "+ item", "# heading", "> quoted", "1. item", "2) item", "=== line", "~~~"]
)
def test_a_paragraph_does_not_become_a_list_a_heading_or_a_quotation(opening):
    line = to_markdown(made(text=opening)).split("\n\n")[4]

    assert "\\" in line and line.replace("\\", "") == opening


@given(st.text(max_size=60))
def test_a_cell_never_breaks_its_row(text):
    line = next(line for line in to_markdown(made(cell=text)).splitlines() if "openai/gpt-5.1 | 0.812" in line)

    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 4


def test_hostile_texts_leave_no_tag_and_no_link():
    said = to_markdown(small(lambda text: f"{text} {' '.join(HOSTILE)}"))

    assert not re.search(r"(?<!\\)<", said)
    assert not re.search(r"(?<!\\)://", said) and not re.search(r"(?<!\\)\]\(", said)


def test_the_example_in_the_docstring_holds():
    code = "import doctest, voirdire.reports.formats.markdown as m; raise SystemExit(doctest.testmod(m).failed)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
