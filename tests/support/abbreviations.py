"""Abbreviations of a text, and those that the glossary explains."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"

_CODE = re.compile(
    r"^(```|~~~).*?^\1|^ {4}.*?$|`[^`\n]*`|\]\([^)\s]*\)|https?://\S+|<[^>\n]*>", re.MULTILINE | re.DOTALL
)
_SHORT = re.compile(r"(?<![\w.$/-])(?:[A-Z]{2,}\d?(?:\+\+)?|[A-Za-z]_[A-Za-z]+|[A-Z]{2,}_[a-z]+)(?![\w/-])")
_EXPLAINED = re.compile(r"^### (.*)|\*\*(.*?)\*\*", re.MULTILINE)

_GENERAL = frozenset(
    "API CPU CSV GB GPU HMAC HTML HTTP ID II III ISO IV JSON KB MB NFS PDF PNG SDK SIGHUP SIGINT SIGTERM SQL SVG TLS "
    "URL USD UTC WAL XML YAML".split()
)
"""What those who work with computers know."""
_NAMES = frozenset(
    "ACL AMD BEGIN CMU CREPE EPYC FAVA FEVER FRANK FSDP GGUF HELM LM MIT MMLU MNLI RAGAS ROC RTE SCC SICK "
    "SNLI TRL".split()
)
"""Of programs, formats, data sets, institutions."""
_GIVEN = frozenset("DATA MODEL NAME PARAMETERS PASSED PROJECT RUN".split())
"""What stands for something that a user gives; the word of a gate."""


def prose(page: str) -> str:
    """A page of the documentation without its code, its addresses and its tags."""
    return _CODE.sub(" ", page)


def abbreviations(text: str) -> set[str]:
    """Those of a text that are no common knowledge of people who work with computers, and no names."""
    return set(_SHORT.findall(text)) - _GENERAL - _NAMES - _GIVEN


def explained() -> set[str]:
    """Those that have an entry in the glossary."""
    entries = _EXPLAINED.findall((DOCS / "glossary.md").read_text(encoding="utf-8"))
    return {short for heading, bold in entries for short in re.findall(r"[\w+]+", heading or bold)}
