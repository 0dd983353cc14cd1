"""A word of the command line means one thing in every command; the Python functions use the same words."""

import inspect
import re
from collections import defaultdict
from typing import get_args, get_origin

import pytest
import typer

import voirdire
from voirdire.cli import app

TREE = typer.main.get_command(app)

PLACEHOLDER_DIFFERS = {
    "--out": "what is written is a run, a file or a folder, and its placeholder says which",
}
"""Words whose placeholder may differ between commands, and why. What they mean may not."""

OF_PYTHON = {
    "detect": {"context", "answer", "question", "options"},  # a text in place of a file, and a record of options
    "run": {"progress"},
    "audit": {"progress"},
}
"""Arguments that a Python function has beyond its command."""


def commands(command=TREE, words=()):
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from commands(each, (*words, name))
    else:
        yield " ".join(words), command


def options(tree):
    """Every word with the commands that have it."""
    found = defaultdict(list)
    for words, command in tree:
        for parameter in command.params:
            if parameter.param_type_name == "option":
                for word in (*parameter.opts, *parameter.secondary_opts):
                    found[word].append((words, parameter))
    return found


def meaning(parameter):
    """The beginning of an option's help, up to the first punctuation mark; details of the command follow it."""
    return re.split(r"[:;,.(]", parameter.help or "")[0].strip()


def kind(parameter):
    """What a value is: a flag, a number, a path or a text, whether it is given once or several times."""
    hint = parameter.type_descriptor.annotation
    if get_origin(hint) is list:
        hint = get_args(hint)[0]
    return hint.__name__ if hint in (bool, int, float) or hint.__name__ == "Path" else "text"


def differences(tree):
    """Words that have several meanings, kinds or placeholders, with the commands."""
    several = {}
    for word, uses in options(tree).items():
        if not word.startswith("--"):
            continue
        placeholder = word not in PLACEHOLDER_DIFFERS
        seen = {(kind(each), each.metavar if placeholder else None, meaning(each)) for _, each in uses}
        if len(seen) > 1:
            several[word] = [(words, kind(each), each.metavar, meaning(each)) for words, each in uses]
    return several


def test_a_word_means_the_same_in_every_command():
    assert differences(commands()) == {}


def test_every_option_says_what_it_means():
    assert not [(word, words) for word, uses in options(commands()).items() for words, each in uses if not each.help]


def test_a_short_option_stands_for_one_word():
    longer = defaultdict(set)
    for word, uses in options(commands()).items():
        if not word.startswith("--"):
            for _, each in uses:
                longer[word].add(tuple(other for other in each.opts if other.startswith("--")))
    assert all(len(words) == 1 for words in longer.values()), longer


def test_an_option_has_one_word():
    """A second long word is an alias, of which there are none."""
    aliases = [
        (words, each.opts)
        for uses in options(commands()).values()
        for words, each in uses
        if len([word for word in each.opts if word.startswith("--")]) != 1
    ]
    assert not aliases


def test_exceptions_are_needed():
    used = options(commands())
    assert all(len({each.metavar for _, each in used[word]}) > 1 for word in PLACEHOLDER_DIFFERS)


@pytest.mark.parametrize(
    "second",
    [
        typer.Option("", "--model", help="Column of models.", metavar="SPEC"),
        typer.Option("", "--model", help="Model to examine, as PROVIDER/NAME.", metavar="COLUMN"),
        typer.Option(1, "--model", help="Model to examine, as PROVIDER/NAME.", metavar="SPEC"),
    ],
)
def test_a_second_meaning_kind_or_placeholder_is_found(second):
    one = typer.Typer()

    @one.command()
    def first(model: str = typer.Option("", "--model", help="Model to examine, or several.", metavar="SPEC")): ...

    hint = type(second.default)

    def another(model: hint = second): ...

    one.command()(another)
    assert set(differences(commands(typer.main.get_command(one)))) == {"--model"}


@pytest.mark.parametrize(
    ("function", "command"),
    [(name, name) for name in ("audit", "compare", "detect", "export", "plan", "report", "run", "validate")]
    + [("assert_floor", "gate"), ("assert_supported", "detect")],
)
def test_python_has_the_words_of_the_command_line(function, command):
    words = set()
    for parameter in dict(commands())[command].params:
        for word in parameter.opts:
            word = word.lstrip("-").replace("-", "_")
            words |= {word, f"{word}s"}
    given = set(inspect.signature(getattr(voirdire, function)).parameters)
    assert given - words - OF_PYTHON.get(command, set()) == set()
