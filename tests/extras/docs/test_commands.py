"""Every command that the documentation shows is run, or stands in a list that says why not and where it is."""

import os
import re
import tomllib

import pytest
import typer

from tests.extras.docs import _table
from tests.extras.docs._collect import (
    ROOT,
    Command,
    commands,
    fenced,
    inline_commands,
    pages,
    quoted,
    snippets,
    strangers,
)
from tests.extras.docs._inputs import INPUTS
from tests.extras.docs._running import Workshop
from voirdire.cli import app


def _steps(page):
    """What a page shows and these tests run, in its order: commands and Python."""
    known = [command for command in commands(page) if " ".join(command.text.split()) not in _table.ELSEWHERE]
    python = [block for block in snippets(page) if not _elsewhere(block)]
    return sorted([*known, *python], key=lambda step: step.line)


def _elsewhere(block):
    return any(page == block.page and words in block.text for page, words in _table.SNIPPETS_ELSEWHERE)


@pytest.mark.parametrize("page", [page for page in pages() if _steps(page)])
def test_what_a_page_shows_runs_in_its_order(page, tmp_path, store, providers):
    workshop = Workshop(page, tmp_path, store, providers)
    failures = []
    for step in _steps(page):
        started = sum(os.times()[:4])
        done = workshop.run(step) if isinstance(step, Command) else workshop.run_python(step)
        print(f"{sum(os.times()[:4]) - started:6.1f} s of CPU  {step.text}")
        if done.returncode != (step.exit_code if isinstance(step, Command) else 0):
            said = f"{page}:{step.line}: {step.text}\n  exit code {done.returncode}: {done.stderr[-600:]}"
            failures.append(said)
        elif page in _table.WHOLE and isinstance(step, Command):
            printed = " ".join(done.stdout.split())
            failures += [f"{page}:{step.line}: not printed: {part}" for part in quoted(step) if part not in printed]
    assert not failures, "\n".join(failures)


def test_what_is_not_run_stands_in_the_documentation_and_names_where_it_is():
    documented = {" ".join(command.text.split()) for page in pages() for command in commands(page)}
    assert _table.ELSEWHERE.keys() <= documented
    for page, words in _table.SNIPPETS_ELSEWHERE:
        assert any(words in block.text for block in snippets(page))
    for reason in (*_table.ELSEWHERE.values(), *_table.SNIPPETS_ELSEWHERE.values()):
        for path in re.findall(r"[\w.]+/[\w/.]+", reason):
            assert (ROOT / path).exists(), reason


def test_no_table_holds_what_no_command_needs():
    text = " ".join(command.text for page in pages() for command in commands(page))
    words = set(text.split())
    everything = text + fenced("docs/models.md", "yaml")
    assert _table.PLACEHOLDERS.keys() <= words
    assert {word for _, word in _table.ON_PAGE} <= words
    assert all(snippets(page) for page in _table.GIVEN)
    for documented in (*_table.MODELS, *_table.SMALLER, *_table.ADDRESSES):
        assert documented in everything, documented
    shown = " ".join(block.text for page in pages() for block in snippets(page))
    named = words | set(re.findall(r"\"([^\"\n]+)\"", shown)) | set(_table.PLACEHOLDERS.values())
    assert INPUTS.keys() <= named | {word for _, word in _table.ON_PAGE} | set(_table.ON_PAGE.values())


def test_shell_blocks_hold_no_program_that_is_not_known():
    assert [line for page in pages() for line in strangers(page)] == []


def test_make_targets_exist():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    said = [command.text.split() for page in pages() for command in commands(page)]
    assert {words[1] for words in said if words[0] == "make"} <= targets


def test_extras_to_install_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in pages())
    named = {extra for listed in re.findall(r"(?:voirdire|-e '\.)\[([\w,-]+)\]", text) for extra in listed.split(",")}
    assert named
    assert named <= project["optional-dependencies"].keys()


def _known(words):
    """The options that the command of these words has, and the words after the command's name."""
    command = typer.main.get_command(app)
    while words and hasattr(command, "commands"):
        name = words[0]
        if name not in command.commands:
            return None
        command, words = command.commands[name], words[1:]
    options = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    return options | {"--help"}


@pytest.mark.parametrize("page", pages())
def test_commands_within_the_text_and_options_in_brackets_exist(page):
    said = [(line, text.split()[1:]) for line, text in inline_commands(page)]
    said += [(each.line, each.required.split()[1:] + each.offered) for each in commands(page) if each.offered]
    for line, words in said:
        known = _known([word for word in words if re.fullmatch(r"[a-z][a-z0-9-]*", word)])
        assert known is not None, f"{page}:{line}: there is no command `voirdire {' '.join(words)}`"
        options = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert options <= known, f"{page}:{line}: {' '.join(words)} has no {options - known}"
