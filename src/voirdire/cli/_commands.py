"""How commands are declared, explain themselves, and point on where a word is mistyped or misplaced."""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from voirdire.cli._values import check_values

PROGRAM = "voirdire"
Path = tuple[str, ...]
"""The words that call a command, without the program's name."""
_COMMON = "common_options"
_OTHER_NAMES = {"--model": "--detector", "--judge": "--jury", "--judges": "--jury"}
"""Options that a command may lack, and what it may call them."""
_ALIKE = 0.7  # of 1, as difflib measures; "shwo" and "show" have 0.75


class Commands(typer.Typer):
    """A group of commands, whose options and arguments are all checked."""

    def __init__(self, help: str, name: str | None = None, epilog: str | None = None) -> None:
        super().__init__(
            name=name,
            help=help,
            epilog=epilog,
            cls=Group,
            no_args_is_help=True,
            add_completion=False,
            pretty_exceptions_enable=False,
            rich_markup_mode=None,
        )

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Declare a command; see `typer.Typer.command`."""
        declare = super().command(name, **({"cls": Command} | settings))

        def checked(function: Any) -> Any:
            check_values(function)
            return declare(function)

        return checked


class _Examples:
    """Help that ends in examples, which run as they are copied."""

    epilog: str | None

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write each example on lines that break between arguments, and go on after a backslash."""
        for example in (self.epilog or "").split("\n\n"):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write(f"{_on_lines(example, formatter.width, ' ' * formatter.current_indent)}\n")


class Command(_Examples, TyperCommand):
    """A command, whose help names arguments by their placeholders."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the command line; where something is missing, the message ends with an example."""
        for place in range(2, len(args) - 1):
            if args[place] == "as" and args[place - 2] in ("-m", "--model"):
                ctx.fail(f'A model and its alias are one argument: -m "{args[place - 1]} as {args[place + 1]}".')
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:  # typer exports no class below it
            if isinstance(error, typer.BadParameter) and type(error).__name__ == "MissingParameter":
                error.message = (self.epilog or "").partition("\n\n")[0]
            elif type(error).__name__ == "NoSuchOption":
                self._suggest(ctx, error)
            raise

    def _suggest(self, ctx: Any, error: Any) -> None:
        """Name the option that an unknown one stands for, and not --help, which only looks like it."""
        own = {name for each in self.get_params(ctx) for name in each.opts}
        meant = _OTHER_NAMES.get(error.option_name)
        alike = [name for name in error.possibilities or () if name != "--help"]
        error.possibilities = [meant] if meant in own else alike

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name: RUN... or [RUN]."""
        return ["[OPTIONS]", *(_usage(parameter) for parameter in _arguments(self.get_params(ctx)))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections on arguments and on options."""
        parameters = self.get_params(ctx)
        arguments = [
            (_placeholder(each), record[1]) for each in _arguments(parameters) if (record := each.get_help_record(ctx))
        ]
        if arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(arguments)
        common = getattr(self.callback, _COMMON, ())
        sections: dict[str, list[Any]] = {"Common options" if common else "Options": [], "Advanced options": []}
        first, advanced = sections.values()
        for each in parameters:
            if each.param_type_name == "option" and (record := each.get_help_record(ctx)) is not None:
                is_first = not common or each.name in (*common, "help")
                (first if is_first else advanced).append(record)
        for name, options in sections.items():
            if options:
                with formatter.section(name):
                    formatter.write_dl(options)


def common_options(*names: str) -> Callable[[Any], Any]:
    """Say which options of a command most people need: its help shows them first, and the others as advanced.

    Args:
        names: of the function's parameters.
    """

    def marked(function: Any) -> Any:
        setattr(function, _COMMON, names)
        return function

    return marked


class Group(_Examples, TyperGroup):
    """A group, whose help has whole sentences, and which knows where a word would be right."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the sections on commands and groups: the first sentence of each, wrapped and never cut."""
        sections: dict[str, list[tuple[str, str]]] = {"Commands": [], "Groups of commands": []}
        for name, each in self.commands.items():
            kind = "Groups of commands" if hasattr(each, "commands") else "Commands"
            sections[kind].append((name, each.get_short_help_str(sys.maxsize)))
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        """Read the command line; an option that stands before its command is told where it goes."""
        own = {name for each in self.get_params(ctx) for name in each.opts}
        at = next((at for at, word in enumerate(args) if word not in own), None)
        if at is not None and args[at].startswith("-"):
            option = args[at].partition("=")[0] if args[at].startswith("--") else args[at][:2]
            owners = [path for path in _paths(self) if option in _options_of(self, path)]
            if owners:
                ctx.fail(_too_early([*ctx.command_path.split(), *args[:at]], option, args[at:], owners))
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that the next word names.

        Raises:
            UsageError: there is none; the message says which ones are meant, wherever in the tree they are.
        """
        if args[0] not in self.commands and not args[0].startswith("-"):
            candidates = nearest(args[:2], list(self.commands), list(_paths(ctx.find_root().command)))
            ctx.fail(_no_such(ctx.command_path, args[0], candidates, list(self.commands)))
        return super().resolve_command(ctx, args)


def _on_lines(example: str, width: int, indent: str) -> str:
    lines = [indent]
    for part in re.findall(r'(?:--?[a-z][a-z-]* )?(?:"[^"]*"|\S)+', example):
        if len(lines[-1]) + len(part) > width - len(" \\") and lines[-1].strip():
            lines[-1] += "\\"
            lines.append(f"{indent}    ")
        lines[-1] += f"{part} "
    return "\n".join(line.rstrip(" ") for line in lines)


def nearest(words: Sequence[str], siblings: Sequence[str], paths: Sequence[Path]) -> list[Path]:
    """The commands that mistyped or misplaced words may mean, at most three.

    Args:
        words: the word that no command has, and the next one.
        siblings: the words that would have been right.
        paths: the words of all commands and groups.
    """
    word = words[0]
    both = [path for path in paths if len(words) > 1 and set(words) <= set(path)]
    misplaced = [path for path in paths if path[-1] == word]
    if both or misplaced:
        return (both or misplaced)[:3]
    names = _like(word, siblings) or _like(word, sorted({path[-1] for path in paths}))
    return [path for name in names for path in paths if path[-1] == name][:3]


def _like(word: str, names: Sequence[str]) -> list[str]:
    """Names that a mistyped word may mean: those with its letters in another order, else those that are near it."""
    return [name for name in names if sorted(name) == sorted(word)] or difflib.get_close_matches(
        word, names, cutoff=_ALIKE
    )


def _no_such(typed: str, word: str, candidates: Sequence[Path], names: Sequence[str]) -> str:
    """The sentence for a word that no command has."""
    message = f"There is no '{typed} {word}'."
    if candidates:
        return f"{message} Did you mean {' or '.join(repr(' '.join((PROGRAM, *path))) for path in candidates)}?"
    return f"{message} The commands are {', '.join(names)}."


def _too_early(typed: Sequence[str], option: str, args: Sequence[str], owners: Sequence[Path]) -> str:
    """The sentence for an option before its command: with the line as it should be, where the line names a command."""
    for at in range(1, len(args)):
        for path in sorted(owners, key=len, reverse=True):
            if tuple(args[at : at + len(path)]) == path:
                line = shlex.join([*typed, *path, *args[:at], *args[at + len(path) :]])
                return f"{option} goes after the command: {line}"
    return f"{option} is an option of '{' '.join((*typed, *owners[0]))}' and goes after the command."


def _options_of(command: Any, path: Path) -> set[str]:
    """The options of the command that these words lead to."""
    for word in path:
        command = command.commands[word]
    return {
        name
        for each in command.params
        if each.param_type_name == "option"
        for name in (*each.opts, *each.secondary_opts)
    }


def _paths(command: Any, above: Path = ()) -> Iterator[Path]:
    """The words of all commands and groups beneath this one."""
    for name, each in getattr(command, "commands", {}).items():
        yield (*above, name)
        yield from _paths(each, (*above, name))


def _arguments(parameters: Sequence[Any]) -> list[Any]:
    return [each for each in parameters if each.param_type_name == "argument"]


def _placeholder(argument: Any) -> str:
    return f"{argument.metavar}..." if argument.nargs != 1 else str(argument.metavar)


def _usage(argument: Any) -> str:
    return _placeholder(argument) if argument.required else f"[{_placeholder(argument)}]"
