from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.gate.made import checked, figure
from voirdire.adapters.gate import hold, junit, limits_of


def read(runs, floors, *, sound=False):
    return ElementTree.fromstring(junit(hold(limits_of(floors, {}, sound=sound), runs)))


def test_there_is_a_test_case_for_every_model_and_limit_and_the_counts_agree():
    runs = [checked("one", "a", ER=figure(0.9), K=figure(0.1)), checked("two", "b", ER=figure(0.1), K=figure(0.9))]
    root = read(runs, {"ER": 0.5, "K": 0.5})
    assert root.tag == "testsuites" and (root.get("tests"), root.get("failures")) == ("4", "2")
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("one", "2", "1"),
        ("two", "2", "1"),
    ]
    cases = root.findall("testsuite/testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases][:2] == [
        ("voirdire.ddft.a", "ER >= 0.5"),
        ("voirdire.ddft.a", "K >= 0.5"),
    ]
    assert [case.find("failure") is not None for case in cases] == [False, True, True, False]
    assert cases[1].find("failure").get("message") == "a: K is 0.100, which is not 0.5 or more."


def test_attributes_are_those_that_readers_expect():
    (suite,) = read([checked(ER=figure(0.9))], {"ER": 0.5})
    (case,) = suite
    assert set(suite.attrib) >= {"name", "tests", "failures", "errors", "skipped", "time"}
    assert set(case.attrib) == {"classname", "name", "time"}


def test_warnings_and_failed_checks_are_there():
    run = checked(ER=figure(0.9), warnings=["It is not complete."], failed=[("rare_cells", "Few.")])
    (suite,) = read([run], {"ER": 0.5}, sound=True)
    assert suite.find("system-out").text == "It is not complete."
    (failed,) = [case for case in suite.findall("testcase") if case.find("failure") is not None]
    assert failed.get("name") == "rare_cells"


def test_dots_in_a_model_name_make_no_packages():
    (suite,) = read([checked(model="openai/gpt-5.1", ER=figure(0.9))], {"ER": 0.5})
    assert suite[0].get("classname") == "voirdire.ddft.openai/gpt-5_1"


@given(st.text(min_size=1), st.text())
def test_any_name_and_reason_make_a_file_that_can_be_parsed(name, reason):
    (suite,) = read([checked(model=name, warnings=[reason], ER=figure(None, reason=reason))], {"ER": 0.5})
    assert suite.find("testcase/failure") is not None
