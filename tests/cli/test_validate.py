import json
from dataclasses import replace

import pytest

from tests.cli.here import voirdire, voirdire_json
from voirdire.ddft.report.validity_checks import MEASURED, _in_brief, _in_words
from voirdire.ddft.validity import CHECK_IDS, Check
from voirdire.reason_codes import reason

STUDY = ("-m", "simulated/subject?accuracy=0.95..0.4&name=a", "-m", "simulated/fading")
SMALL = ("--concepts", "recursion,phoneme,derivative", "--levels", "0,1")


@pytest.fixture(scope="module")
def published(imported):
    return by_id(voirdire_json("validate", imported[0]))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "sound"
    return path, voirdire_json("run", *STUDY, "--jury", "simulated/judge", "-o", path)


def by_id(printed):
    return {check["id"]: check for check in printed["checks"]}


def failed(found):
    return {name for name, check in found.items() if check["status"] == "fail"}


def test_json_has_the_checks_in_order_with_value_interval_and_evidence(sound):
    path, printed = sound
    found = voirdire_json("validate", path)
    assert (found["run"], found["jury"]) == (str(path), printed["jury"])
    assert [check["id"] for check in found["checks"]] == list(CHECK_IDS)
    for check in found["checks"]:
        assert check.keys() == {"id", "status", "value", "interval", "count", "models", "evidence"}
        assert check["status"] in ("pass", "warn", "fail", "undecided", "not measured")
        assert all(found["code"] and found["text"] for found in check["evidence"])
        assert check["evidence"]
        if check["interval"] is not None:
            low, high = check["interval"]
            assert low <= check["value"] <= high


def test_the_published_run_fails_where_its_dialogues_show_it(published):
    expected = {"concept_named", "context_delivered", "clarification_rate", "trap_signalled", "compression_effect"}
    assert expected <= failed(published)
    assert {"self_judging", "rare_cells"}.isdisjoint(failed(published))


def test_judges_who_agree_on_most_models_and_on_nothing_of_two_fail_the_published_run(published):
    check = published["judge_agreement"]
    two = ["claude-haiku-4-5", "Llama-4-Maverick-17B-128E-Instruct-FP8"]  # the worst first
    assert (check["status"], check["models"]) == ("fail", two)
    assert [line["text"].partition(":")[0] for line in check["evidence"][:2]] == [f"SAS of {model}" for model in two]


@pytest.mark.parametrize(
    ("name", "value", "quoted"),
    [
        ("concept_named", 0.0, "was sent: “What would you say is its idea?"),
        ("context_delivered", 0.0, "What would you say is its idea?"),
        ("clarification_rate", 209 / 360, ", turn 1: “Which concept do you mean?"),
        ("trap_signalled", 249 / 360, "fictional What would an expert on it, Professor Vance"),
        ("question_length", 242 / 1800, "57 %"),
        ("judge_agreement", 0.31, "SAS: ICC(2,1) 0.36"),
        ("rare_cells", 4, "FAR' of o4-mini rests on 7 turns."),
        ("self_judging", 5 / 9, "o3 is judged by gpt-5.1."),
        ("missing_verdicts", 2 / 1800, "Verdicts missing: 3 of 5,400; turns unscored: 1."),
        ("duplicate_dialogues", 0.0, "Dialogues that repeat another, word for word: 0 of 360"),
    ],
)
def test_what_the_published_run_shows_is_measured_and_quoted(published, name, value, quoted):
    check = published[name]
    assert check["value"] == pytest.approx(value, abs=0.005)
    assert any(quoted in found["text"] for found in check["evidence"]), check["evidence"]


def test_far_of_the_published_run_does_not_fall_with_the_level(published):
    check = published["compression_effect"]
    assert check["value"] < 0
    assert check["interval"][1] < 0.1
    codes = [found["code"] for found in check["evidence"]]
    assert codes.count("model_does_not_move") + codes.count("model_may_move") == 9
    assert codes[-1] == "no_model_moves"


def test_no_check_fails_on_a_sound_run_whose_subjects_fall_with_the_level(sound):
    path, printed = sound
    found = by_id(voirdire_json("validate", path, "--strict", "--accept", "judge_agreement"))
    assert failed(found) == set()
    assert printed["validity"]["failed"] == []
    assert printed["validity"]["warned"] == [name for name, check in found.items() if check["status"] == "warn"]
    assert found["compression_effect"]["interval"][0] > 0.4


def test_another_jury_of_the_run_is_chosen_by_its_id(tmp_path):
    first = voirdire_json("run", *STUDY, *SMALL, "--jury", "simulated/judge", "-o", tmp_path)
    panel = voirdire_json("score", tmp_path, "--jury", "simulated/judge,simulated/noisy")
    found = voirdire_json("validate", tmp_path, "--jury", panel["jury"])
    assert found["jury"] == panel["jury"] != first["jury"]
    assert by_id(found)["judge_agreement"]["value"] > 0
    alone = voirdire_json("validate", tmp_path)
    assert alone["jury"] == first["jury"]
    assert by_id(alone)["judge_agreement"]["value"] is None


def test_the_test_as_it_was_run_fails_whoever_is_examined(tmp_path):
    printed = voirdire_json(
        "run", "-m", "simulated/fading", "-p", "as-run", *SMALL,
        "--jury", "simulated/judge,simulated/lenient,simulated/noisy", "-o", tmp_path / "r",
    )  # fmt: skip
    assert {"concept_named", "context_delivered"} <= set(printed["validity"]["failed"])


def test_run_and_show_have_one_line_where_a_check_fails_and_none_where_none_does(imported, sound):
    path, printed = imported
    said = " ".join(voirdire("show", path).stdout.split())
    failures = printed["validity"]["failed"]
    assert f"Validity: {len(failures)} checks failed ({', '.join(failures)})" in said
    assert "voirdire validate" in said
    assert "Validity:" not in voirdire("show", sound[0]).stdout


def test_text_shows_status_value_and_quotes_and_a_failing_check_is_a_finding_not_an_error(imported):
    said, whole = voirdire("validate", imported[0]).stdout, voirdire("validate", imported[0], "--all").stdout
    for words in ("duplicate_dialogues passes: ", "“What would you say", "0.0 % to"):
        assert words in whole and words not in said
    for words in (
        "concept_named fails: ",
        "rare_cells warns: ",
        "of 19 checks pass",
    ):
        assert words in said


def test_strict_ends_with_exit_code_100_when_a_check_fails(imported):
    strict = voirdire("validate", imported[0], "--strict", "--json", check=False)
    assert strict.returncode == 100
    fails = failed(by_id(json.loads(strict.stdout)))
    assert fails
    accepted = [word for name in fails for word in ("--accept", name)]
    assert voirdire("validate", imported[0], "--strict", *accepted).returncode == 0


def test_a_lone_judge_fails_strict_and_is_told_with_the_verdict_of_a_gate(sound):
    path = sound[0]
    strict = voirdire("validate", path, "--strict", check=False)
    assert strict.returncode == 100
    assert "judge_agreement is not measured: Fewer than two judges" in " ".join(strict.stdout.split())
    why = "--strict counts judge_agreement as failed. One judge scored alone: no check shows how far another would"
    assert why in strict.stderr
    assert why not in voirdire("validate", path, "--strict", "--accept", "judge_agreement").stderr
    gate = voirdire("gate", path, "--min", "ER=0", "--sound")
    assert gate.stdout.startswith("PASSED")
    assert "One judge scored alone: no check shows how far another would agree." in " ".join(gate.stdout.split())


def test_two_concepts_leave_much_unmeasured_and_fail_nothing(tmp_path):
    voirdire("run", "-m", "simulated/fading", "-p", "quick", "--jury", "simulated/judge", "-o", tmp_path / "r")
    found = by_id(voirdire_json("validate", tmp_path / "r"))
    assert failed(found) == set()
    assert found["compression_effect"]["status"] == "not measured"
    assert found["compression_effect"]["evidence"][0]["code"] == "too_few_levels"


def test_figures_that_are_not_to_be_relied_on_fail_strict_and_a_sound_gate_though_no_check_fails(tmp_path):
    path = tmp_path / "r"
    voirdire(
        "run", "-m", "simulated/fading", "--concepts", "recursion,phoneme",
        "--jury", "simulated/judge,simulated/noisy", "-o", path,
    )  # fmt: skip
    printed = voirdire_json("validate", path)
    assert failed(by_id(printed)) == set()
    assert printed["conclusion"]["reservations"] == ["no_intervals"]
    assert voirdire("validate", path, "--strict", check=False).returncode == 100
    assert voirdire("validate", path, "--strict", "--accept", "no_intervals").returncode == 0
    gate = voirdire("gate", path, "--min", "ER=0.01", "--sound", check=False)
    assert gate.returncode == 100
    said = " ".join(gate.stdout.split())
    assert said.startswith("FAILED: the figures are not to be relied on (1 of 1 limit kept).")
    assert "Do not rely on the figures: there are too few concepts for intervals." in said
    assert voirdire("gate", path, "--min", "ER=0.01", "--sound", "--accept", "no_intervals").returncode == 0


def test_a_folder_without_a_run_is_answered_with_a_sentence(tmp_path):
    done = voirdire("validate", tmp_path, check=False)
    assert done.returncode == 1
    assert "is an empty folder" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_verdict_on_the_test_comes_first(sound):
    printed = voirdire("validate", sound[0]).stdout
    assert printed.index("The test was sound") < printed.index("of 19 checks pass") < printed.index(" warns:")


def test_what_must_be_said_of_the_jury_stands_before_what_was_seen(tmp_path):
    path = tmp_path / "run"
    voirdire("run", *STUDY, *SMALL, "-o", path)  # judged by rules
    for command in ("validate", "show"):
        assert "understands nothing" in " ".join(voirdire(command, path).stdout.replace("│", " ").split())


def test_a_line_names_the_figure_that_decides():
    worst = reason("most_of_model", model="simulated/fading", hits=27, of=44, share=27 / 44)
    cut = Check("truncated_responses", "fail", 0.205, (0.1, 0.3), (worst,), (27, 132), ("simulated/fading",))
    moving = Check("compression_effect", "warn", 0.24, (0.17, 0.30), (reason("models_that_move", hits=1, of=3),))
    most = reason("most_of_model", model="simulated/fading", hits=1, of=8, share=1 / 8)
    curves = Check("hoc_monotone", "warn", 1 / 16, None, (most,), (1, 16))
    unsure = reason("agreement_unsure", score="SAS", low=-0.05, spread=0.2)
    agreement = Check("judge_agreement", "warn", 0.58, (-0.05, 0.9), (unsure,))
    assert _in_words(cut).startswith("61.4 % in simulated/fading, which decides; 27 of 132, 20.5 %")
    assert _in_words(moving).startswith("1 of 3 models moves by more than chance, which decides; 0.24")
    assert _in_words(curves).startswith("12.5 % in simulated/fading, which decides; 1 of 16, 6.2 % over all models")
    still = replace(moving, evidence=(reason("models_that_move", hits=0, of=1),))
    assert _in_words(still).startswith("0 of 1 model moves by more than chance")
    still = replace(moving, evidence=(reason("models_that_move", hits=0, of=2),))
    assert _in_words(still).startswith("0 of 2 models move by more than chance")
    assert "; SAS: the interval of ICC(2,1) begins at -0.05: too few answers" in _in_words(agreement)
    assert "decides" not in _in_words(replace(curves, status="fail"))
    assert "decides" not in _in_words(replace(cut, status="pass"))


def test_what_a_check_measures_has_the_words_behind_far_and_sas():
    for text in MEASURED.values():
        assert ("FAR" in text) <= ("factual accuracy" in text) and ("SAS" in text) <= ("semantic coherence" in text)


def test_a_small_share_is_told_as_how_many_of_how_many():
    repeated = Check("duplicate_dialogues", "warn", 2 / 5400, None, (), (2, 5400))
    assert _in_brief(repeated) == "2 of 5,400 · dialogues that repeat another word for word"
    answers = reason("answers_elsewhere", words=30, hits=6, of=100, share=0.06)
    recurring = Check("duplicate_dialogues", "warn", 0.0, None, (answers,), (0, 5400))
    assert _in_brief(recurring) == "Answers of 30 words or more that stand in another dialogue, too: 6 of 100 (6.0 %)"


def test_of_agreement_it_is_said_which_score_was_measured_and_why_not_the_other():
    why = reason("agreement_not_measurable", score="FAR")
    one = Check("judge_agreement", "warn", 0.4, None, (why,))
    assert "semantic coherence (SAS) alone. FAR: not measurable" in _in_brief(one) and "lower of" not in _in_brief(one)


def test_a_warning_names_the_model_that_it_concerns():
    few = reason("rests_on_few", metric="FAR_prime", model="acme/small", turns=3)
    assert _in_brief(Check("rare_cells", "warn", 3.0, None, (few,))).startswith("3 (acme/small) · fewest turns")
    still = reason("model_does_not_move", model="acme/robust", far=reason("fall_unknown"), sas=reason("fall_unknown"))
    moving = Check("compression_effect", "warn", 0.24, None, (reason("models_that_move", hits=1, of=2), still))
    assert _in_brief(moving).startswith("1 of 2 models moves by more than chance (not acme/robust) · mean fall of")
