"""A gate's outcome as JUnit XML, which every CI service reads: a test case per model and limit, and one per run."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from voirdire.adapters.gate.records import GateError, Outcome, Verdict
from voirdire.instruments.figures import Checked
from voirdire.models.secrets import without_known_secrets
from voirdire.report.destination import PlaceError, check_file, write_whole

_NAME_IN_RUN = "gate.xml"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(verdict: Verdict, path: Path) -> None:
    """Write the file; one that is there is replaced, as CI services expect, if it is an XML file of no run.

    Raises:
        GateError: it can't be written, or must not be: a device, a link, a file of a run, a folder that is not there.
    """
    try:
        check_file(path, ".xml", in_run=_NAME_IN_RUN)
        if not path.parent.is_dir():
            raise GateError(f"There is no folder {path.parent} for {path.name}; make it first.")
        write_whole(path, junit(verdict))
    except PlaceError as error:
        raise GateError(str(error)) from error
    except OSError as error:
        raise GateError(f"{path} can't be written: {error.strerror}.") from error


def junit(verdict: Verdict) -> bytes:
    """The outcome as XML: a suite for each run.

    Whether the run is complete is a test case of its own (unless that is allowed), and so is a failed validity check
    under `--sound`.
    """
    suites = [_suite(checked, verdict) for checked in verdict.runs]
    whole = ElementTree.Element("testsuites", {"name": "voirdire gate", **_sums(suites)})
    whole.extend(suites)
    ElementTree.indent(whole)
    written: bytes = ElementTree.tostring(whole, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _suite(checked: Checked, verdict: Verdict) -> ElementTree.Element:
    name = _clean(str(checked.run))
    cases = [_case(outcome, checked) for subject in checked.subjects for outcome in verdict.of(subject)]
    if not verdict.asked.allow_incomplete:
        cases.append(_element(_class(checked, "run"), "complete", verdict.incomplete(checked)))
    cases += [
        _element(_class(checked, "validity"), check, f"The validity check {check} fails: {found}")
        for run, check, found in verdict.unsound
        if run == checked.run
    ]
    failures = sum(case.find("failure") is not None for case in cases)
    suite = ElementTree.Element("testsuite", {"name": name, **_counts(len(cases), failures)})
    suite.extend(cases)
    told = [*verdict.notes, *verdict.told(checked)]
    if told:
        ElementTree.SubElement(suite, "system-out").text = _clean("\n".join(told))
    return suite


def _case(outcome: Outcome, checked: Checked) -> ElementTree.Element:
    classname = _class(checked, outcome.subject.model)
    said = "\n".join(filter(None, (outcome.sentence, outcome.caution)))
    return _element(classname, str(outcome.limit), None if outcome.passed else outcome.sentence, said)


def _element(classname: str, name: str, failure: str | None, said: str = "") -> ElementTree.Element:
    case = ElementTree.Element("testcase", {"classname": _clean(classname), "name": _clean(name), "time": "0"})
    if failure is not None:
        found = ElementTree.SubElement(case, "failure", {"message": _clean(failure), "type": "limit"})
        found.text = _clean(failure)
    elif said:
        ElementTree.SubElement(case, "system-out").text = _clean(said)
    return case


def _class(checked: Checked, name: str) -> str:
    """Dots separate packages there, and model names are full of them."""
    return f"voirdire.{checked.instrument}.{name.replace('.', '_')}"


def _sums(suites: list[ElementTree.Element]) -> dict[str, str]:
    tests, failures = (sum(int(suite.get(name, "0")) for suite in suites) for name in ("tests", "failures"))
    return _counts(tests, failures)


def _counts(tests: int, failures: int) -> dict[str, str]:
    return {"tests": str(tests), "failures": str(failures), "errors": "0", "skipped": "0", "time": "0"}


def _clean(text: str) -> str:
    """Without known secrets, and without the characters that no XML file may hold."""
    return _NOT_XML.sub("�", without_known_secrets(text))
