"""JUnit XML, as CI services read it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from voirdire.data.paths import why_unwritable
from voirdire.documents.check_results import TestCase, TestSuite
from voirdire.models.secrets import without_known_secrets
from voirdire.reports.destination import PlaceError, check_file, write_whole

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clear_junit(path: Path, command: str, reading: Iterable[Path] = ()) -> None:
    """Take away the file of an earlier check, which must not pass for that of one that ends in an error.

    Args:
        path: of the file; one that is there must be an XML file of ours and of no run.
        command: that will write it; in a run's folder the file must have its name.
        reading: files that are read.

    Raises:
        PlaceError: a device, a link, a file of a run, a folder that is not there; or it can't be removed.
    """
    with _explained(path):
        check_file(path, ".xml", in_run=f"{command}.xml", reading=reading)
        path.unlink(missing_ok=True)


def write_junit(path: Path, command: str, suites: Sequence[TestSuite]) -> None:
    """Write the file; one that is there is replaced, as CI services expect.

    Raises:
        PlaceError: it can't be written, or must not be.
    """
    with _explained(path):
        check_file(path, ".xml", in_run=f"{command}.xml")
        write_whole(path, junit(command, suites))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PlaceError(f"{path} can't be written: {why_unwritable(error, path)}.") from error


def junit(command: str, suites: Sequence[TestSuite]) -> bytes:
    """The suites as XML, without known secrets."""
    root = ElementTree.Element("testsuites", {"name": f"voirdire {command}", **_counts(suites)})
    root.extend(map(_suite, suites))
    ElementTree.indent(root)
    xml: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return xml + b"\n"


def _suite(suite: TestSuite) -> ElementTree.Element:
    element = ElementTree.Element("testsuite", {"name": _clean(suite.name), **_counts([suite])})
    element.extend(map(_case, suite.cases))
    if suite.remarks:
        ElementTree.SubElement(element, "system-out").text = _clean("\n".join(suite.remarks))
    return element


def _case(case: TestCase) -> ElementTree.Element:
    attributes = {"classname": _clean(case.classname), "name": _clean(case.name), "time": "0"}
    element = ElementTree.Element("testcase", attributes)
    if case.failure:
        failed = ElementTree.SubElement(element, "failure", {"message": _clean(case.failure), "type": "limit"})
        failed.text = _clean(case.text or case.failure)
        return element
    if case.skipped:
        ElementTree.SubElement(element, "skipped", {"message": _clean(case.skipped)})
    if case.text:
        ElementTree.SubElement(element, "system-out").text = _clean(case.text)
    return element


def _counts(suites: Sequence[TestSuite]) -> dict[str, str]:
    cases = [case for suite in suites for case in suite.cases]
    failures = sum(bool(case.failure) for case in cases)
    skipped = sum(bool(case.skipped) and not case.failure for case in cases)
    counts = {"tests": len(cases), "failures": failures, "errors": 0, "skipped": skipped, "time": 0}
    return {name: str(number) for name, number in counts.items()}


def _clean(text: str) -> str:
    """Without known secrets, and without the characters that no XML file may hold."""
    return _NOT_XML.sub("\ufffd", without_known_secrets(text))
