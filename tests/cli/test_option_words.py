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

TWO_MEANINGS = {"--jury": {"Jury that judges", "Jury that judged"}}
"""Words that mean one thing where models are asked and another where a run is read."""

OWN_DETAILS = {
    "what there is more to print is the command's own": ("--all",),
    "what is written, drawn or left to do is the command's own": (
        "--chart",
        "--draw",
        "--dry-run",
        "--limit",
        "--out",
        "--show",
        "--to",
        "--writer",
    ),
    "what is read is the command's own": ("--examples", "--figures", "--from", "--map", "--plain", "--with"),
    "which metrics, units and kinds there are depends on what is read": ("--metric", "--mode", "--task", "--unit"),
    "what is random, tested or left out depends on the work": ("--alpha", "--seed", "--temperature", "--test-share"),
    "what a detector learns from depends on its kind": ("--base", "--batch-size", "--max-length"),
    "what is done at the same time is processes or shards": ("--workers",),
    "one is examined, or several, or it only answers": ("--detector", "--model", "--only-model", "--rater"),
}
"""Words to whose meaning commands add different details, after a punctuation mark, and why."""

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
        forms = {(kind(each), None if word in PLACEHOLDER_DIFFERS else each.metavar) for _, each in uses}
        meanings = {meaning(each) for _, each in uses}
        if len(forms) > 1 or (len(meanings) > 1 and meanings != TWO_MEANINGS.get(word)):
            several[word] = [(words, kind(each), each.metavar, meaning(each)) for words, each in uses]
    return several


def test_a_word_means_the_same_in_every_command():
    assert differences(commands()) == {}


def helps(word, tree):
    """By meaning, the whole helps of a word, without the full stop."""
    several = defaultdict(set)
    for _, each in options(tree)[word]:
        several[meaning(each) if word in TWO_MEANINGS else ""].add(each.help.removesuffix("."))
    return several


def says_more(several):
    """Whether some help is more than the shortest one with something added."""
    shortest = min(several, key=len)
    return any(not each.startswith(shortest) for each in several)


def test_helps_of_a_word_are_the_same_but_for_what_a_command_adds():
    tree = list(commands())
    own = {word for words in OWN_DETAILS.values() for word in words}
    differing = {
        word for word in options(tree) if word.startswith("--") and any(map(says_more, helps(word, tree).values()))
    }
    assert differing == own


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
