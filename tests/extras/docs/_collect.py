"""What the documentation tells its readers to type, and the Python it shows.

The convention: a command is a line of a fenced or indented block of README.md, CONTRIBUTING.md or a page below docs/
that begins with the name of a program (`PROGRAMS`), after a "$ ", settings (NAME=value) or "run: " if there are any. A
backslash at the end of a line goes on in the next one. What follows a blank and a "#" is a comment; one that says
"exit code N" says how the command ends. `[…]` and "…" stand for what may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROGRAMS = frozenset(
    "voirdire make inspect python python3 pip torchrun vllm mkdocs pytest jupyter opentelemetry-instrument".split()
)
_SHELL = ("sh", "bash", "console", "shell")
_IGNORED = ("export", "cd", "$EDITOR", "git")
"""Words with which a line of a shell block may begin that isn't a command of ours."""

_FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+) *(?P<language>[\w-]*)")
_START = re.compile(r"^\s*(?:- )?(?:run: )?(?:\$ )?")
_COMMENT = re.compile(r"\s+#(?P<said> .*)?$")
_SETTING = re.compile(r"^[A-Z_]+=\S+$")
_OPTIONAL = re.compile(r"(?<=\s)(?:\[[^\]]*\]|…)")


@dataclass(frozen=True)
class Block:
    """A code block."""

    page: str
    line: int
    """Of its first line of code, counted from 1."""
    language: str
    """Empty for an indented block."""
    text: str


@dataclass(frozen=True)
class Command:
    """A documented command."""

    page: str
    line: int
    text: str
    """Without prompt and comment, on one line."""
    exit_code: int

    @property
    def required(self) -> str:
        """The command without what may be left out."""
        return self.text if self.text.startswith("echo") else " ".join(_OPTIONAL.sub(" ", self.text).split())

    @property
    def offered(self) -> list[str]:
        """The options that stand in brackets."""
        return re.findall(r"--[a-z][\w-]*", " ".join(_OPTIONAL.findall(self.text)))


def pages() -> list[str]:
    """The pages, by their path from the root."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page.relative_to(ROOT).as_posix() for page in found]


def blocks(page: str) -> list[Block]:
    """The code blocks of a page, fenced and indented."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    found: list[Block] = []
    at = 0
    while at < len(lines):
        fence = _FENCE.match(lines[at])
        if fence:
            end = _first(lines, at + 1, lambda line, mark=fence["fence"]: line.strip().startswith(mark))
            found.append(Block(page, at + 2, fence["language"], "\n".join(lines[at + 1 : end])))
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            end = _first(lines, at, lambda line: bool(line.strip()) and not line.startswith("    "))
            found.append(Block(page, at + 1, "", "\n".join(line[4:] for line in lines[at:end]).rstrip()))
            end -= 1
        else:
            end = at
        at = end + 1
    return found


def _first(lines: list[str], start: int, wanted: Callable[[str], bool]) -> int:
    return next((number for number in range(start, len(lines)) if wanted(lines[number])), len(lines))


def commands(page: str) -> list[Command]:
    """The commands of a page, in their order."""
    return [command for block in blocks(page) for command in _of_block(block)]


def _of_block(block: Block) -> Iterator[Command]:
    waiting = ""
    first = 0
    for number, line in enumerate(block.text.splitlines(), block.line):
        if not waiting:
            first = number
        comment = _COMMENT.search(line)
        text = waiting + _START.sub("", line[: comment.start()] if comment else line).strip()
        if text.endswith("\\"):
            waiting = text[:-1].rstrip() + " "
            continue
        waiting = ""
        program = _program(text)
        if program in PROGRAMS or (program == "echo" and ">" in text):
            code = re.search(r"exit code (\d+)", comment[0]) if comment else None
            yield Command(block.page, first, text, int(code[1]) if code else 0)


def quoted(command: Command) -> list[str]:
    """What a console block shows that a command prints, on one line, in parts between those left out ("…")."""
    lines = iter((ROOT / command.page).read_text(encoding="utf-8").splitlines()[command.line - 1 :])
    line = next(lines)
    if not line.startswith("$ "):
        return []
    while line.endswith("\\"):
        line = next(lines)
    printed = takewhile(lambda each: not each.startswith(("$ ", "```")), lines)
    return [part.strip() for part in " ".join(" ".join(printed).split()).split("…") if part.strip()]


def _program(text: str) -> str:
    """The program's name, without its folder; settings of the environment may stand before it."""
    words = [word for word in text.split() if not _SETTING.match(word)]
    return words[0].rpartition("/")[2] if words else ""


def strangers(page: str) -> list[str]:
    """Lines of shell blocks that begin with no program that is known here."""
    found = []
    for block in blocks(page):
        if block.language not in _SHELL:
            continue
        begins, goes_on = {command.line for command in _of_block(block)}, False
        for number, line in enumerate(block.text.splitlines(), block.line):
            said = _START.sub("", line)
            if said and not goes_on and number not in begins and not said.startswith(("#", *_IGNORED)):
                if block.language != "console" or line.startswith("$ "):
                    found.append(f"{page}:{number}: {said}")
            goes_on = line.rstrip().endswith("\\")
    return found


def inline_commands(page: str) -> list[tuple[int, str]]:
    """(line, command) of each `voirdire …` within the text of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.finditer(r"`(voirdire [^`]+)`", text)
    return [(text.count("\n", 0, at.start()) + 1, " ".join(at[1].split())) for at in found]


def snippets(page: str) -> list[Block]:
    """Blocks of Python: fenced as such, or indented and beginning like Python."""
    return [each for each in blocks(page) if each.language == "python" or _like_python(each)]


def _like_python(block: Block) -> bool:
    return not block.language and block.text.startswith(("from ", "import "))


def fenced(page: str, language: str, place: int = 0) -> str:
    """The text of a page's block in that language, by its place among them."""
    return [block.text for block in blocks(page) if block.language == language][place]
