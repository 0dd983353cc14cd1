"""A function of `import voirdire as vd` that is given a wrong argument names the right one."""

import inspect

import pytest

import voirdire as vd
from voirdire.adapters.python_api import detection, examination
from voirdire.adapters.python_api.arguments import ArgumentError


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: vd.run(model="simulated/steady"), "vd.run has no argument 'model'; did you mean models?"),
        (lambda: vd.run("simulated/steady", judge="reference"), "vd.run has no argument 'judge'; did you mean jury?"),
        (lambda: vd.run("simulated/steady", judges=[]), "vd.run has no argument 'judges'; did you mean jury?"),
        (lambda: vd.run("simulated/steady", output="x"), "vd.run has no argument 'output'; did you mean out?"),
        (lambda: vd.run("simulated/steady", budget=1), "vd.run has no argument 'budget'; did you mean max_cost?"),
        (lambda: vd.plan(model="simulated/steady"), "vd.plan has no argument 'model'; did you mean models?"),
        (lambda: vd.plan(judge="reference"), "vd.plan has no argument 'judge'; did you mean jury?"),
        (
            lambda: vd.detect(answer="It opened.", contexts=["It opened."]),
            "vd.detect has no argument 'contexts'; did you mean context?",
        ),
        (
            lambda: vd.assert_supported("It opened.", response="It opened."),
            "vd.assert_supported has no argument 'response'; did you mean answer?",
        ),
        (lambda: vd.compare("one", "two", metrics="ER"), "vd.compare has no argument 'metrics'; did you mean metric?"),
        (
            lambda: vd.compare("one", all=True),
            "vd.compare has no argument 'all'; every value is in .to_dict() of what it returns.",
        ),
        (lambda: vd.report("one", format="md"), "vd.report has no argument 'format'; did you mean to?"),
        (lambda: vd.assert_floor("one", minimum={}), "vd.assert_floor has no argument 'minimum'; did you mean min?"),
        (lambda: vd.load("one", colour="red"), "vd.load has no argument 'colour'; there are run, jury."),
        (lambda: vd.run(), "vd.run needs models, which the call does not give."),
        (lambda: vd.detect(), "vd.detect needs context and answer, which the call does not give."),
    ],
)
def test_a_wrong_argument_is_answered_with_the_right_one_in_one_sentence(call, says):
    with pytest.raises(ArgumentError) as caught:
        call()
    assert str(caught.value) == says
    assert isinstance(caught.value, TypeError)


def test_signatures_and_docstrings_are_those_of_the_functions():
    assert inspect.signature(vd.run) == inspect.signature(examination.run)
    assert vd.run.__doc__ == examination.run.__doc__
    assert vd.run is vd.run


def test_a_right_call_goes_through():
    found = vd.detect("The bridge opened in 1907.", answer="It opened in 1911.")
    assert isinstance(found, detection.DetectionResult)
    assert len(found.flagged) == 1


def test_what_else_python_says_stays():
    with pytest.raises(TypeError, match="multiple values"):
        vd.detect("The bridge opened in 1907.", "It opened.", context="x")
