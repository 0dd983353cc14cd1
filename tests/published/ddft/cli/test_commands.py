"""Commands on the release itself: what its scores give, and what the checks of its dialogues quote."""

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.cli.test_import import (  # noqa: F401 - the same tests on the real texts
    test_an_imported_run_is_complete_keeps_every_judge_and_can_be_shown,
    test_the_published_turns_give_the_papers_table_2_to_three_decimals,
    test_what_rests_on_stances_is_undefined_and_says_why,
)
from tests.cli.test_jury import (  # noqa: F401
    LABELS,
    bench,
    test_going_on_with_a_bench_judges_nothing_again,
    test_the_bench_prints_correlations_with_intervals_and_seconds_per_call,
)
from tests.cli.test_validate import (  # noqa: F401
    published,
    test_far_of_the_published_run_does_not_fall_with_the_level,
    test_strict_ends_with_exit_code_100_when_a_check_fails,
    test_the_published_run_fails_where_its_dialogues_show_it,
)
from tests.published.records import TURNS


@pytest.fixture(scope="module")
def turns():
    return TURNS


@pytest.mark.parametrize(
    ("name", "value", "quoted"),
    [
        ("concept_named", 0.0, "currently blank or missing"),
        ("context_delivered", 0.0, "concept might be"),
        ("clarification_rate", 209 / 360, "gpt-5|derivative|0|0, turn 1: “I’m happy to explain, but"),
        ("trap_signalled", 249 / 360, "a (fictional) forest ecologist"),
        ("question_length", 242 / 1800, "57 %"),
        ("judge_agreement", 0.31, "SAS: ICC(2,1) 0.36"),
        ("rare_cells", 4, "FAR' of o4-mini rests on 7 turns."),
        ("self_judging", 5 / 9, "o3 is judged by gpt-5.1."),
        ("missing_verdicts", 2 / 1800, "Verdicts missing: 3 of 5,400; turns unscored: 1."),
        ("duplicate_dialogues", 0.0, "Dialogues that repeat another, word for word: 0 of 360"),
    ],
)
def test_what_the_release_shows_is_measured_and_quoted(published, name, value, quoted):  # noqa: F811
    check = published[name]
    assert check["value"] == pytest.approx(value, abs=0.005)
    assert any(quoted in found["text"] for found in check["evidence"]), check["evidence"]


def test_run_and_show_have_one_line_where_a_check_fails(imported):
    path, printed = imported
    said = " ".join(voirdire("show", path).stdout.split())
    failures = printed["validity"]["failed"]
    assert f"Validity: {len(failures)} checks failed ({', '.join(failures)})" in said


def test_text_shows_status_value_and_quotes(imported):
    said = voirdire("validate", imported[0], "--all").stdout
    for words in (
        "concept_named fails: ",
        "rare_cells warns: ",
        "duplicate_dialogues passes: ",
        "“In your own words",
    ):
        assert words in said
    assert said.count(" fails: ") == 7


def test_the_panels_figures_are_the_published_ones(imported):
    printed = voirdire_json("jury", "reliability", imported[0])
    iccs = [round(printed["scores"][name]["ICC(2,1)"]["value"], 2) for name in ("FAR", "SAS")]
    assert iccs == [0.31, 0.36]
