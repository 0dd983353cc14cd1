"""Every class of error that speaks to a user: whatever its message quotes, it can be printed and is never long."""

import re
from pathlib import Path

import pytest

import voirdire
from voirdire.errors import InputError, UserError, not_installed, shown
from voirdire.runs import Interrupted


def test_a_message_shows_what_can_t_be_printed_as_a_sign():
    assert str(InputError("\ud800x is\x1b[2J no field\u202e")) == "�x is␛[2J no field�"


def test_a_long_message_keeps_its_beginning_and_what_was_expected():
    said = str(UserError(f"the label {'x' * 100_000} is none of a, b."))

    assert said.startswith("the label xxx")
    assert said.endswith("xxx is none of a, b.")
    assert len(said) < 5_000


@pytest.mark.parametrize(
    ("value", "expected"), [("a\nb", r"'a\nb'"), ("\ud800", r"'\ud800'"), (None, "None"), ("£250", "'£250'")]
)
def test_a_foreign_name_stands_in_a_sentence_on_one_line(value, expected):
    assert shown(value) == expected
    assert len(shown("x" * 100_000)) == 60


def test_every_error_of_the_package_is_one_of_these():
    source = Path(voirdire.__file__).parent
    plain = re.compile(r"^class (\w+Error)\((?:ValueError|Exception)\):", re.MULTILINE)
    found = {
        name for path in source.rglob("*.py") if path.name != "errors.py" for name in plain.findall(path.read_text())
    }
    assert found == set()


def test_an_interrupted_run_says_so_and_where_it_is_however_it_is_printed(tmp_path):
    error = Interrupted(tmp_path)

    assert repr(error) == f"Interrupted({str(error)!r})"
    assert f"Every answer so far is kept in {tmp_path}." in repr(error) and "PosixPath" not in repr(error)


def test_an_interrupt_before_any_answer_says_so_and_no_folder_is_asked_for(tmp_path):
    says = f"Interrupted before any answer arrived. The run's folder is {tmp_path}."
    error = Interrupted(tmp_path, nothing_judged=True, nothing_answered=True)
    assert (error.short_message, str(error)) == (says, f"{says} To go on, run the same command or cell again.")


@pytest.mark.parametrize("error", [InputError("No run was given."), Interrupted(Path("/nowhere"))])
def test_a_notebook_prints_its_sentence_and_no_traceback(error):
    assert error._render_traceback_() == [f"{type(error).__name__}: {error}"]


def test_the_command_that_installs_an_extra_is_worded_once():
    source = Path(voirdire.__file__).parent
    worded = re.compile(r"""^(?!.*`pip).*(?:voirdire\[\{|pip install ["']?voirdire\[)""", re.MULTILINE)
    places = {str(path.relative_to(source)) for path in source.rglob("*.py") if worded.search(path.read_text("utf-8"))}
    assert places == {"errors.py", "detectors/report.py"}  # a table there has the extra's name
    said = not_installed("The web app", "starlette", "web")
    assert said == "The web app needs starlette, which is not installed: pip install 'voirdire[web]'."
