"""Figures of models against a metric: tests, words, matching, and files that are no use."""

import math

import numpy as np
import pytest
from scipy import stats

from tests.ddft.analysis._studies import named, study
from voirdire.ddft.analysis.correlates import correlate
from voirdire.ddft.analysis.external_figures import FiguresError, as_numbers, read_figures
from voirdire.ddft.profile import profiles
from voirdire.ddft.published import published_scores


def rising(n, **options):
    """A study whose models are the better the later they stand; SAS crosses 0.5, so that CI_raw is defined."""
    return study(
        named(n),
        far=lambda model, *_: 0.45 + 0.5 * model / n,
        sas=lambda model, concept, level, turn: 0.4 if turn == 2 else 0.5 + 0.45 * model / n,
        **options,
    )


def with_stances(n):
    return rising(n, stance=lambda model, concept, level, turn: "rejected" if concept < model else "accepted")


def figures(tmp_path, text, models, **own_names):
    path = tmp_path / "f.csv"
    path.write_text(text, encoding="utf-8")
    return read_figures(path, models, **own_names)


def found_in(tmp_path, scores, header, values, **options):
    models = list(dict.fromkeys(scores["model"]))
    lines = [f"{model},{value}" for model, value in zip(models, values, strict=True)]
    text = "\n".join([f"model,{header}", *lines])
    result = correlate(scores, figures(tmp_path, text, models), **options)
    return result, result.columns[0]


def test_a_figure_that_ranks_the_models_as_the_metric_does_is_associated(tmp_path):
    result, column = found_in(tmp_path, with_stances(7), "score", range(7))

    assert result.metric == "ER"
    assert column.spearman.value == pytest.approx(1)
    assert column.p == pytest.approx(2 / math.factorial(7))
    assert column.outcome == "associated"


def test_a_null_result_says_what_this_n_could_have_found_and_that_it_proves_nothing(tmp_path):
    _, column = found_in(tmp_path, with_stances(9), "score", [5, 1, 7, 3, 9, 2, 8, 4, 6])

    assert column.outcome == "no association shown"
    assert column.detectable == pytest.approx(0.8, abs=0.01)
    assert "no evidence of independence" in column.why and "0.80" in column.why


def test_with_four_models_nothing_can_be_decided(tmp_path):
    _, column = found_in(tmp_path, with_stances(4), "score", range(4))

    assert column.p == column.smallest_p == pytest.approx(2 / 24)
    assert column.outcome == "cannot be decided at this n"


def test_without_stances_ci_raw_stands_in_and_that_is_said(tmp_path):
    result, _ = found_in(tmp_path, rising(5), "score", range(5))

    assert result.metric == "CI_raw"
    assert any("ER is unknown" in caution for caution in result.cautions)
    assert found_in(tmp_path, with_stances(5), "score", range(5), metric="CI_raw")[0].cautions == ()


def test_values_of_the_metric_are_those_of_the_profiles(tmp_path):
    scores = with_stances(5)

    result, _ = found_in(tmp_path, scores, "score", range(5))

    assert [value for _, value in result.models] == [each.metrics["ER"].value for each in profiles(scores, draws=10)]


def test_parameters_are_taken_as_logarithms_too(tmp_path):
    scores = with_stances(6)
    values = [1, 10, 100, 1000, 10_000, 100_000]

    result, column = found_in(tmp_path, scores, "parameters", values)

    er = [value for _, value in result.models]
    assert column.pearson_log.value == pytest.approx(stats.pearsonr(np.log10(values), er).statistic)
    assert column.pearson.value == pytest.approx(stats.pearsonr(values, er).statistic)
    assert any("logarithms" in caution for caution in result.cautions)
    assert found_in(tmp_path, scores, "MMLU", values)[1].pearson_log is None


def test_two_groups_are_a_point_biserial_correlation_with_an_exact_p(tmp_path):
    """Four worst models against four best: of C(8, 4) = 70 splits none is farther, one mirrors it."""
    result, column = found_in(tmp_path, with_stances(8), "architecture", ["a"] * 4 + ["b"] * 4)

    er = [value for _, value in result.models]
    assert column.kind == "two groups"
    assert column.pearson.value == pytest.approx(stats.pointbiserialr([0] * 4 + [1] * 4, er).statistic)
    assert column.p == pytest.approx(2 / 70)
    assert column.groups == {"a": 4, "b": 4}


def test_more_groups_are_an_analysis_of_variance(tmp_path):
    result, column = found_in(tmp_path, with_stances(8), "vendor", list("aabbbccd"))

    er = np.array([value for _, value in result.models])
    assert column.kind == "groups"
    assert column.anova.F == pytest.approx(stats.f_oneway(er[:2], er[2:5], er[5:7], er[7:]).statistic)
    assert column.anova.singletons == 1
    assert column.p == column.anova.p_permutation


def test_groups_of_one_each_are_not_tested(tmp_path):
    _, column = found_in(tmp_path, with_stances(5), "note", list("abcde"))

    assert (column.kind, column.p, column.outcome) == ("not tested", None, "cannot be decided at this n")
    assert "group of its own" in column.why


def test_holms_correction_is_over_the_columns_tested(tmp_path):
    scores = with_stances(6)
    models = list(dict.fromkeys(scores["model"]))
    order = [2, 1, 3, 5, 4, 6]
    lines = [f"{model},{order[place]},{(place * 5) % 6},same" for place, model in enumerate(models)]

    one, two, constant = correlate(scores, figures(tmp_path, "\n".join(["model,x,y,z", *lines]), models)).columns

    assert one.p_holm == pytest.approx(2 * one.p)
    assert two.p_holm == pytest.approx(max(two.p, one.p_holm))
    assert constant.p_holm is None


def test_the_choice_of_concepts_moves_the_correlation_and_its_spread_is_given(tmp_path):
    def differing(model, concept, *_):
        return 0.6 + 0.03 * model + 0.1 * ((model * 5 + concept * 3) % 7 - 3) / 3

    scores = study(named(6), far=differing, sas=lambda *at: 0.4 if at[3] == 2 else 0.8)

    _, column = found_in(tmp_path, scores, "score", range(6))

    assert column.spearman.concepts.low < column.spearman.value <= column.spearman.concepts.high
    assert found_in(tmp_path, scores[scores["concept"] < "c"], "score", range(6))[1].spearman.concepts is None


def test_everything_is_plain_json(tmp_path):
    import json

    result, _ = found_in(tmp_path, rising(3), "score", [1, "", 3])

    assert json.dumps(result.as_dict(), allow_nan=False)


def test_the_published_models_show_no_association_with_their_size(tmp_path):
    scores = published_scores()
    size = {"o4-mini": 25, "gpt-5": 175, "phi-4": 14, "o3": 175, "grok-4-fast-non-reasoning": 60, "gpt-oss-120b": 120}
    text = "\n".join(["model,parameters", *(f"openai/{model},{n}" for model, n in size.items())])

    result = correlate(scores, figures(tmp_path, text, list(dict.fromkeys(scores["model"]))))

    (column,) = result.columns
    assert (column.n, column.outcome) == (6, "no association shown")
    assert any("claude-haiku-4-5" in caution for caution in result.cautions)


def test_names_match_in_full_or_by_their_last_part(tmp_path):
    text = "model,x\nopenai/gpt-5,1\no3,2\nother,3\n"

    found = figures(tmp_path, text, ["gpt-5", "azure/o3", "phi-4"])

    assert found.table["x"].tolist()[:2] == [1, 2]
    assert found.unmatched == ("other",)
    assert found.without == ("phi-4",)


SEVERAL = {"gpt-5 (runs/a)": "gpt-5", "gpt-5 (runs/b)": "gpt-5"}


def test_brackets_of_a_model_s_own_name_are_part_of_it(tmp_path):
    found = figures(tmp_path, "model,x\ngpt-5,1\ngpt-5 (low),2\n", ["gpt-5 (high)", "gpt-5 (low)"])

    assert found.table["x"].tolist()[1] == 2
    assert found.without == ("gpt-5 (high)",)


def test_a_model_of_several_runs_matches_twice_and_that_is_said(tmp_path):
    found = figures(tmp_path, "model,x\ngpt-5,1\n", ["gpt-5 (runs/a)", "gpt-5 (runs/b)"], own_names=SEVERAL)

    assert found.table["x"].tolist() == [1, 1]
    assert found.repeated == ("gpt-5",)


def test_numbers_with_text_among_them_are_groups_and_that_is_said(tmp_path):
    result, column = found_in(tmp_path, with_stances(5), "parameters", ["7B", 3, 3, 4, 4])

    assert column.kind == "groups"
    assert any("'7B'" in caution for caution in result.cautions)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"name,x\ngpt-5,1\n", "no column model"),
        (b"model\ngpt-5\n", "no column of figures"),
        (b"model,x\nother,1\n", "none of the models"),
        (b"model,x\ngpt-5,1\ngpt-5,2\n", "twice"),
        (b"model,x\na/gpt-5,1\nb/gpt-5,2\n", "both fit"),
        (b"", "is empty"),
        (b"\xff\xfe\x00\x01PK", "no column model"),
        (b"model,x\ngpt-5,\xff\n", "not in UTF-8"),
        (b"model,x,x\ngpt-5,1,2\n", "the column 'x' twice"),
        (b"model,x\ngpt-5,1,2\n", "row 2: cells: 3"),
        (b"model,x\ngpt-5,1e999\n", "1e999"),
        (b"model,x\ngpt-5,inf\n", "inf"),
        (b'model,x\n"gpt-5,1\n', "no CSV"),
    ],
)
def test_files_that_are_no_use_are_refused_in_one_sentence(tmp_path, content, says):
    path = tmp_path / "f.csv"
    path.write_bytes(content)

    with pytest.raises(FiguresError, match=says) as refused:
        read_figures(path, ["gpt-5"])

    assert "\n" not in str(refused.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(FiguresError, match="can't be read"):
        read_figures(tmp_path / "none.csv", ["gpt-5"])


def test_a_figure_of_very_many_digits_is_a_number(tmp_path):
    path = tmp_path / "f.csv"
    path.write_text("model,flops\na,2000000000000000000000000\nb,1\n")

    assert as_numbers(read_figures(path, ["a", "b"]).table["flops"]).tolist() == [2e24, 1.0]
