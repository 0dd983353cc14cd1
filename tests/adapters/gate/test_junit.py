import os
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.gate.examples import checked, figure
from voirdire.adapters.gate import check_limits, suites, write_junit
from voirdire.adapters.gate_limits import GateError, limits_of
from voirdire.reports.formats.junit import junit


def read(runs, floors, *, sound=False):
    return parse(check_limits(limits_of(floors, {}, sound=sound), runs))


def parse(verdict):
    return ElementTree.fromstring(junit("gate", suites(verdict)))


def test_there_is_a_test_case_for_every_model_and_limit_and_the_counts_agree():
    runs = [checked("one", "a", ER=figure(0.9), K=figure(0.1)), checked("two", "b", ER=figure(0.1), K=figure(0.9))]
    root = read(runs, {"ER": 0.5, "K": 0.5})
    assert root.tag == "testsuites" and (root.get("tests"), root.get("failures")) == ("6", "2")
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("one", "3", "1"),
        ("two", "3", "1"),
    ]
    cases = root.findall("testsuite/testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases][:2] == [
        ("voirdire.ddft.a", "ER >= 0.5"),
        ("voirdire.ddft.a", "K >= 0.5"),
    ]
    assert [case.find("failure") is not None for case in cases] == [False, True, False, True, False, False]
    assert cases[1].find("failure").get("message") == "a: K is 0.100, which is not 0.5 or more."


def test_attributes_are_those_that_readers_expect():
    (suite,) = read([checked(ER=figure(0.9))], {"ER": 0.5})
    case = suite[0]
    assert set(suite.attrib) >= {"name", "tests", "failures", "errors", "skipped", "time"}
    assert set(case.attrib) == {"classname", "name", "time"}


def test_warnings_and_failed_checks_are_there():
    run = checked(ER=figure(0.9), warnings=["It is not complete."], failed=[("rare_cells", "Few.")])
    (suite,) = read([run], {"ER": 0.5}, sound=True)
    assert suite.find("system-out").text == "It is not complete."
    (failed,) = [case for case in suite.findall("testcase") if case.find("failure") is not None]
    assert failed.get("name") == "rare_cells"


def test_whether_a_run_is_complete_is_a_test_case():
    whole = checked(ER=figure(0.9))
    part = replace(whole, missing="The run is not complete: 1 of 2.")
    for run, failures in ((whole, "0"), (part, "1")):
        (suite,) = read([run], {"ER": 0.5})
        case = next(each for each in suite if each.get("name") == "complete")
        assert (case.get("classname"), suite.get("failures")) == ("voirdire.ddft.run", failures)
    assert case.find("failure").get("message") == "The run is not complete: 1 of 2."
    (allowed,) = parse(check_limits(limits_of({"ER": 0.5}, {}, allow_incomplete=True), [part]))
    assert (allowed.get("tests"), allowed.find("system-out").text) == ("1", "The run is not complete: 1 of 2.")


def test_a_note_on_the_limits_is_in_every_suite():
    verdict = check_limits(limits_of({}, {"ER": 1}), [checked(ER=figure(0.9))])
    assert "was --min meant?" in parse(verdict).find("testsuite/system-out").text


@pytest.fixture
def verdict():
    return check_limits(limits_of({"ER": 0.5}, {}), [checked(ER=figure(0.9))])


def test_only_an_xml_file_of_no_run_is_replaced(tmp_path, verdict):
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "kept.xml").write_text("<kept/>")
    (tmp_path / "link.xml").symlink_to(tmp_path / "kept.xml")
    os.mkfifo(tmp_path / "pipe.xml")
    refused = {
        "notes.txt": "does not end in .xml",
        "run/run.json": "does not end in .xml",
        "run/other.xml": "where only gate.xml may be written",
        "link.xml": "is a link",
        "pipe.xml": "is no regular file",
        "kept.xml": "is XML that voirdire has not made",
        "nowhere/deep/gate.xml": "There is no folder",
    }
    before = sorted(tmp_path.rglob("*"))
    for name, says in refused.items():
        with pytest.raises(GateError, match=r"^[^\n]*$") as error:
            write_junit(verdict, tmp_path / name)
        assert says in str(error.value)
    assert sorted(tmp_path.rglob("*")) == before and (tmp_path / "kept.xml").read_text() == "<kept/>"
    for name in ("new.xml", "new.xml", "run/gate.xml"):
        write_junit(verdict, tmp_path / name)
        assert (tmp_path / name).read_bytes() == junit("gate", suites(verdict))


def test_dots_in_a_model_name_make_no_packages():
    (suite,) = read([checked(model="openai/gpt-5.1", ER=figure(0.9))], {"ER": 0.5})
    assert suite[0].get("classname") == "voirdire.ddft.openai/gpt-5_1"


def test_an_undecided_limit_is_a_failed_test_case():
    (suite,) = read([checked(D=figure(0.9, could_be=(0.4, 1), lacking="one has no score"))], {"D": 0.5})
    assert "the value could be 0.400" in suite[0].find("failure").get("message")


@given(st.text(min_size=1), st.text())
def test_any_name_and_reason_make_a_file_that_can_be_parsed(name, reason):
    (suite,) = read([checked(model=name, warnings=[reason], ER=figure(None, why=reason))], {"ER": 0.5})
    assert suite.find("testcase/failure") is not None
