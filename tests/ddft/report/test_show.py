import re
from dataclasses import replace

from tests.ddft.report.examples import real
from voirdire.ddft.report.show import result_document
from voirdire.ddft.validity import Check
from voirdire.documents.document import without_details
from voirdire.reason_codes import reason
from voirdire.reports.formats.terminal import to_terminal


def printed(result):
    return to_terminal(result_document(result))


def test_before_any_turn_is_judged_only_commands_that_work_are_named(one):
    failing = replace(one.report_runs[0].result, read_checks=lambda: (Check("question_length", "fail", 1.0, None, ()),))
    assert "Validity: 1 check failed" in printed(failing) and "show" in printed(failing)
    nothing_judged = printed(replace(failing, profiles=[]))
    assert "Validity" not in nothing_judged and "show" not in nothing_judged
    assert "No turn has been judged yet. To go on, give the same command again" in nothing_judged
    assert f"-o {failing.path}" in nothing_judged
    assert "0 with a score, 0 unscored" in nothing_judged


def test_a_higher_limit_is_advised_only_where_the_run_has_just_stopped(one):
    unjudged = replace(one.report_runs[0].result, profiles=[])
    stopped, read = (" ".join(printed(replace(unjudged, stopped_now=each)).split()) for each in (True, False))

    assert "with a higher limit if one stopped it. Under a small limit add --connections 1" in stopped
    assert "give the same command again." in read and "limit" not in read


def first_screen(result):
    return to_terminal(without_details(result_document(result)))


def test_figures_of_no_more_than_seven_models_follow_the_conclusion_each_with_its_interval(study):
    result = study.report_runs[0].result
    for models in (2, 3, 9):
        profiles = [replace(result.profiles[0], model=f"model {place}") for place in "abcdefghi"[:models]]
        shown = first_screen(replace(result, profiles=profiles))
        rows = [line for line in shown.splitlines() if line.startswith(" model ") and "0." in line]
        assert len(rows) == min(models, 7)
        assert all(re.search(r"\d\.\d{3} +\d\.\d{3} to \d\.\d{3}", row) for row in rows)
        assert ("2 more models: --all." in shown) == (models == 9)


def test_calls_are_said_to_be_those_of_all_juries_where_others_judged_too(study):
    (result,) = study.runs.results
    assert " calls (0 failed)" in first_screen(result)
    beside = replace(result, other_juries={"j-2": ("simulated/lenient",)})
    assert " calls for all juries (0 failed)" in " ".join(first_screen(beside).split())


def test_that_one_judge_scored_alone_is_said_once_beside_the_conclusion(study):
    alone = "One judge scored alone"
    lone = Check("judge_agreement", "not measured", None, None, (reason("too_few_judges"),))
    no_effect = (Check("compression_effect", "fail", 0.0, None, ()), Check("context_delivered", "pass", 1.0, None, ()))
    (result,) = real(study).runs.results
    for others in ((), no_effect):
        checks = (lone, *others)
        shown = " ".join(first_screen(replace(result, read_checks=lambda checks=checks: checks)).split())
        assert shown.count(alone) == 1 and shown.index(alone) < shown.index("model ER")
