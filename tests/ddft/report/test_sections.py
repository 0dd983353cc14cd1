"""Tables and charts against what they are made of."""

import re
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from tests.ddft.report.conftest import SHY
from tests.ddft.report.examples import column, failing, only, paragraph, real, with_profile, with_result
from voirdire.ddft.analysis.comparing.compare import compare
from voirdire.ddft.metric_labels import LABELS
from voirdire.ddft.metrics import METRICS, Value
from voirdire.ddft.questions import NO_EXAMPLE
from voirdire.ddft.report import chart_panels as panels
from voirdire.ddft.report.comparison import comparison, comparison_document
from voirdire.ddft.report.cost import cost
from voirdire.ddft.report.curves import concepts, curves
from voirdire.ddft.report.failures import worst_failures
from voirdire.ddft.report.far_sas_plane import plane
from voirdire.ddft.report.guide import guide
from voirdire.ddft.report.heat_map import heat_map
from voirdire.ddft.report.jury_description import judge_sentences
from voirdire.ddft.report.number_format import percent
from voirdire.ddft.report.paper_index import paper_index
from voirdire.ddft.report.profiles import profile, ranking
from voirdire.ddft.report.run_description import run_sentences
from voirdire.ddft.report.show import result_document
from voirdire.ddft.report.traps import outcomes, trap
from voirdire.ddft.report.turn_means import mean_score
from voirdire.ddft.report.turns import turn_means, turns
from voirdire.ddft.report.validity_checks import checks
from voirdire.ddft.report.verdict import verdict
from voirdire.documents.document import Bullets, Chart, Document, Figures, Notice, Table, Text
from voirdire.reason_codes import reason
from voirdire.reports.formats.terminal import to_terminal
from voirdire.reports.page.pictures import picture
from voirdire.stats.intervals import Interval


def rows_of(panel):
    return panel.spec["datasets"]["rows"]


def texts(drawing):
    return [each.text for each in ElementTree.fromstring(drawing).iter() if each.text]


def place(element):
    """Of a mark of a drawing, in its group."""
    return re.match(r"translate\(([-\d.]+),\s*([-\d.]+)\)", element.get("transform")).groups()


# --- profile ------------------------------------------------------------------------------------------------


def test_values_that_silence_wins_say_so_beside_them(refuser, beside_refuser):
    alone = only(profile(refuser).blocks, Table, "profile")
    shown = {row["metric"].value: row["value"].shown for row in alone.rows}
    assert all(shown[name].endswith("*") for name in ("D", "V_E", "danger zone, %", "S"))
    assert not shown["answered"].endswith("*") and not shown["K"].endswith("*")  # a figure, and one without a value
    assert alone.caption == "* says nothing of refusing/subject: it claims something in none of its answers."
    assert not any("claims anything" in row["says"].value for row in alone.rows)
    table = only(profile(beside_refuser).blocks, Table, "profiles")
    tones = {row["metric"].value: row["refusing/subject"].tone for row in table.rows}
    assert tones["D"] == tones["V_E"] == "quiet" and tones["answered"] == ""
    notes = only(profile(beside_refuser).blocks, Bullets).items
    assert any(note.startswith("refusing/subject: Its 30 answers claim nothing.") for note in notes)


def test_er_of_a_model_that_seldom_answers_is_marked_and_its_headline_says_so(beside_shy):
    seldom = beside_shy.result_by_name["beside-shy"].profiles[1]
    claims = f"it claims something in {percent(seldom.metrics['share_answered'].value)} of its answers"
    table = only(profile(beside_shy).blocks, Table, "profiles")
    (er,) = [row for row in table.rows if row["metric"].value == "ER"]
    assert "*" in er[SHY].shown and "*" not in er["simulated/gullible"].shown
    heads = {
        section.id: section.blocks[0].text
        for section in result_document(beside_shy.report_runs[0].result).sections
        if section.id in (SHY, "simulated/gullible")
    }
    assert (
        heads[SHY].endswith(f" {claims[0].upper()}{claims[1:]}.")
        and "claims something" not in heads["simulated/gullible"]
    )


def test_how_many_third_questions_ask_about_no_example_of_the_subjects_own_is_said_by_model(beside_refuser):
    third = beside_refuser.turns[beside_refuser.turns["turn"] == 3]
    without = third[[NO_EXAMPLE in list(notes) for notes in third["question_notes"]]]
    told = next(
        block.text
        for block in turns(beside_refuser, turn_means(beside_refuser)).blocks
        if isinstance(block, Text) and block.text.startswith("In ")
    )
    assert told.startswith(f"In {len(without)} of {len(third)} dialogues no example could be quoted from answer 2")
    assert f"refusing/subject {(without['model'] == 'refusing/subject').sum()}" in told


def test_tiles_and_tables_mark_what_silence_wins_and_say_what_the_mark_means(refuser, beside_refuser):
    means = "* says nothing of refusing/subject: it claims something in none of its answers."
    tiles = {figure.label: figure for figure in only(profile(refuser).blocks, Figures).items}
    assert {name for name, tile in tiles.items() if tile.shown.endswith("*")} == {"V_E", "S", "danger zone, %"}
    assert tiles["V_E"].tone == "quiet" and tiles["answered"].tone == ""
    assert means in [block.text for block in profile(refuser).blocks if isinstance(block, Text)]
    for table in (
        only(profile(beside_refuser).blocks, Table, "profiles"),
        next(
            only(section.blocks, Table)
            for section in result_document(beside_refuser.report_runs[0].result).sections
            if section.id == "side-by-side"
        ),
    ):
        shown = [cell for row in table.rows for cell in row.values() if "*" in cell.shown]
        assert len(shown) >= 2 and all(cell.tone == "quiet" for cell in shown)
        assert means in table.caption


def test_scores_of_levels_are_marked_where_a_model_seldom_or_never_claims_anything(beside_shy):
    shown = result_document(beside_shy.report_runs[0].result)
    of_result = [b for s in shown.sections for b in s.blocks if isinstance(b, Table) and b.id.startswith("curve-")]
    means = f"* says little of {SHY}"
    assert {table.caption.startswith(means): marked_cells(table) > 0 for table in of_result} == {
        True: True,
        False: False,
    }
    table = only(curves(beside_shy).blocks, Table, "curves-table")
    marked = {row["model"].shown for row in table.rows if row["sas"].shown.endswith("*")}
    assert marked == {SHY} and table.caption.startswith(means)
    assert all(re.fullmatch(r"0\.\d{3}\*?|1\.000\*?", row["sas"].shown) for row in table.rows)


def marked_cells(table):
    return sum(cell.shown.endswith("*") for row in table.rows for cell in row.values())


def test_where_all_models_answer_nothing_is_marked(study, one):
    assert not [tile for tile in only(profile(one).blocks, Figures).items if "*" in tile.shown]
    table = only(profile(study).blocks, Table, "profiles")
    assert "*" not in table.caption and not [c for row in table.rows for c in row.values() if "*" in c.shown]


def on_few_turns(profile):
    metrics = {name: value._replace(n=7 if value.n else 0) for name, value in profile.metrics.items()}
    return replace(profile, metrics=metrics)


def begun(profile):
    """A profile whose run has judged 7 answers, all at turn 1."""
    judged = {"turn_1": 7, "turn_2": 0, "turn_3": 0, "turn_4": 0, "turn_5": 0}
    metrics = dict.fromkeys(profile.metrics, Value(None, reason("uneven", what="turns"), 0))
    notes = (reason("note_turns_uneven", **judged), *profile.notes)
    return replace(profile, metrics=metrics, intervals={}, notes=notes)


def side_by_side(material):
    """The table of the profile and that of the terminal."""
    result = material.report_runs[0].result
    profiles = list(material.profiles)
    shown = result_document(replace(result, profiles=profiles))
    section = next(section for section in shown.sections if section.id == "side-by-side")
    return only(profile(material).blocks, Table, "profiles"), only(section.blocks, Table)


def test_side_by_side_a_value_on_few_turns_has_its_n(study):
    first, *others = study.profiles
    early = replace(study, profiles=(on_few_turns(first), *others))
    for table in side_by_side(early):
        cells = [row[first.model] for row in table.rows if first.model in row] or [
            cell for row in table.rows if row["model"].shown == first.model for cell in list(row.values())[1:]
        ]
        assert all("(n 7)" in cell.shown for cell in cells if cell.value is not None)
        assert table.caption.endswith("With n: a value that rests on few, fewer than 10 turns, or 3 concepts.")


def test_the_first_table_explains_n_only_where_a_value_has_one(study):
    first, *others = study.profiles
    result = replace(study.report_runs[0].result, profiles=[begun(first), *others])
    (table,) = (b for s in result_document(result).sections if s.id == "ranked" for b in s.blocks)
    assert "(n " not in "".join(cell.shown for row in table.rows for cell in row.values())
    assert "With n:" not in table.caption


def test_side_by_side_every_value_of_a_whole_run_that_rests_on_few_turns_has_its_n_and_no_other(study):
    names = {label: name for name, label in LABELS.items()}
    table = side_by_side(study)[0]
    for row in table.rows:
        name = names[row["metric"].shown]
        marked = {each.model for each in study.profiles if f"(n {each.metrics[name].n})" in row[each.model].shown}
        assert marked == {each.model for each in study.profiles if each.few_turns(name)}


def test_side_by_side_a_dash_has_its_reason(study):
    result = study.report_runs[0].result
    first, *others = study.profiles
    why = reason("note_undefined", metrics=("V_E", "entrenchment"), why=reason("no_trap"))
    shown = result_document(replace(result, profiles=[replace(first, notes=(why,)), *others]))
    section = next(section for section in shown.sections if section.id == "side-by-side")
    assert f"{first.model}: V_E is undefined: no fabrication was set." in only(section.blocks, Bullets).items


def test_show_says_on_how_few_traps_er_rests_as_the_list_of_runs_does(one):
    shown = result_document(one.report_runs[0].result)
    notes = [item for s in shown.sections for b in s.blocks if isinstance(b, Bullets) for item in b.items]
    traps = one.only.metrics["E"].n
    assert (
        traps < 10
        and f"E, a factor of ER, rests on {traps} fabrications, and a limit in voirdire gate needs 10." in notes
    )


def test_a_curve_says_which_turns_it_is_over(study):
    first, other, _ = study.profiles
    shown = result_document(replace(study.report_runs[0].result, profiles=[first, begun(other)]))
    captions = [
        block.caption
        for section in shown.sections
        for block in section.blocks
        if isinstance(block, Table) and block.id.startswith("curve-")
    ]
    assert captions == [
        "K, S and the check compression_effect take turns 1 to 3 alone.",
        "K, S and the check compression_effect take turn 1 alone.",
    ]


def test_questioned_is_explained_as_the_judges_rubric_counts_it(one):
    first = next(block.text for block in trap(one).blocks if isinstance(block, Text))
    assert "it doubts it and answers all the same, or refuses or only asks back" in first


def test_one_level_is_said_with_what_it_shows(untrapped, one):
    said = {figure.label: figure.note for figure in only(profile(untrapped).blocks, Figures).items}
    assert said["K"] == "Accurate on the subject, turns 1 to 3, at one level only."
    probes = {row["metric"].value: row["says"].value for row in only(profile(untrapped).blocks, Table, "profile").rows}
    assert not [name for name, text in probes.items() if "shrinks" in text or "all levels" in text]
    assert "all levels" not in only(turns(untrapped, turn_means(untrapped)).blocks, Chart).caption
    said = {figure.label: figure.note for figure in only(profile(one).blocks, Figures).items}
    assert said["K"] == "Stays accurate as the reference shrinks, turns 1 to 3."


def test_one_dialogue_is_not_counted_as_each_of_them(one):
    single = replace(one, turns=one.turns[one.turns["dialogue"] == one.turns["dialogue"].iloc[0]])
    assert " in one dialogue about " in next(run_sentences(single))


def test_the_chance_that_the_caption_reads_is_that_of_the_page_and_stands_where_ranks_are(study):
    captions = []
    for models in (
        study.comparison.models,
        [replace(each, rank_probabilities=None) for each in study.comparison.models],
    ):
        shown = replace(study, comparison=replace(study.comparison, models=tuple(models)))
        captions.append(only(comparison(shown).blocks, Chart).caption)
    first = study.comparison.models[0]
    assert f"so the {percent(first.rank_probabilities[0])} of {first.model} for the first place" in captions[0]
    assert captions[1].startswith("Differences: ")


@pytest.fixture(scope="module")
def cut_off(study):
    """The study with the answers of its worst model cut off, and with levels that have no effect."""
    found = failing(study, "truncated_responses", "compression_effect")
    models = {"truncated_responses": ("simulated/gullible",)}
    status = replace(found.report_runs[0].result.checks[0], id="context_delivered", status="pass")
    checks = (status, *(replace(each, models=models.get(each.id, ())) for each in found.report_runs[0].result.checks))
    marked = with_result(found, read_checks=lambda: checks)
    return replace(marked, comparison=compare(marked.runs))


def test_a_chance_that_is_not_certain_is_never_shown_as_all_or_none(study):
    first, *others = study.comparison.models
    models = (replace(first, rank_probabilities=(0.9998, 0.0002)), *others)
    sections = comparison_document(replace(study.comparison, models=models)).sections
    tables = [block for section in sections for block in section.blocks if isinstance(block, Table)]
    (row,) = [table.rows[0] for table in tables if "first" in [column.key for column in table.columns]]
    assert (row["first"].shown, row["last"].shown) == ("> 99 %", "< 1 %")


def test_a_model_for_which_the_test_was_not_sound_takes_no_rank_and_is_in_no_count(cut_off):
    found = cut_off.comparison
    why = "simulated/gullible, since the test was not sound for it"
    page = Document("", "", (comparison(cut_off),))
    for document in (comparison_document(found), page):
        shown = " ".join(str(to_terminal(document)).split())
        assert "of 1 pair" in shown and "of 3 pairs" not in shown
        assert f"1 of 3 models is left out: {why}" in shown
        assert "differs from all other models" not in shown
    rows = only(comparison(cut_off).blocks, Table, "standings").rows
    assert [row["model"].shown[0] for row in rows] == ["1", "2", "–"]
    assert "3 pairs" not in paragraph(verdict(cut_off))


def test_a_model_for_which_the_test_was_not_sound_leads_no_list_of_failures_and_has_no_point(cut_off):
    assert not [item for block in worst_failures(cut_off) for item in block.items if "gullible" in item.text]
    (failures,) = worst_failures(replace(cut_off, scores=cut_off.scores.assign(far=0.1, sas=0.9)))
    assert failures.title == "Worst failures where the test was sound"
    assert not [each.text for each in failures.items if "simulated/gullible" in each.text]
    lowest = heat_map(cut_off).blocks[0].text
    assert "of simulated/gullible" not in lowest
    assert lowest.endswith(" Left out, since the test was not sound for it: simulated/gullible.")
    charts = [ranking(cut_off), only(profile(cut_off).blocks, Chart, "profiles-chart")]
    for chart in charts:
        for panel in chart.panels:
            (row,) = [each for each in rows_of(panel) if "gullible" in each["name"]]
            assert row["value"] is None and "not sound" in texts(picture(panel, "p"))
        assert "No point is drawn for simulated/gullible, since the test was not sound for it." in chart.caption


def test_curves_and_differences_leave_out_a_model_for_which_the_test_was_not_sound_and_say_so(cut_off):
    over_compression = only(curves(cut_off).blocks, Chart, "curves")
    assert [panel.title for panel in over_compression.panels] == ["simulated/steady?name=other", "simulated/steady"]
    assert "No point is drawn for simulated/gullible, since the test was not sound for it." in over_compression.caption
    chart = only(comparison(cut_off).blocks, Chart)
    assert "1 of 3 models is left out: simulated/gullible, since the test was not sound for it." in chart.caption
    (difference,) = rows_of(chart.panels[-1])
    assert difference["name"] == "stead…er - steady"


def test_a_caption_says_of_which_intervals_concepts_say_nothing(one):
    over, alike = "95 % interval over concepts", "; where concepts do not differ at all, a binomial one over turns."
    varied = one.scores.assign(far=[0.2 + 0.6 * (row % 7) / 6 for row in range(len(one.scores))])
    for scores, ending in ((varied, "."), (varied.assign(far=1.0), alike)):
        material = replace(one, scores=scores)
        drawn = [*curves(material).blocks, *turns(material, turn_means(material)).blocks]
        captions = [block.caption for block in drawn if isinstance(block, Chart | Table)]
        assert len(captions) == 5 and all(f"{over}{ending}" in caption for caption in captions), captions


@pytest.mark.parametrize(("method", "ending"), [("jackknife-t", "."), ("exact", ";"), ("binomial-t", ";")])
def test_the_caption_of_a_profile_says_it_too(study, method, ending):
    intervals = {"K": Interval(0.5, 1, 0.95, method)}
    material = replace(study, profiles=tuple(replace(each, intervals=intervals) for each in study.profiles))
    chart, table = (
        only(profile(material).blocks, kind, id) for kind, id in ((Chart, "profiles-chart"), (Table, "profiles"))
    )
    for caption in (chart.caption, table.caption):
        assert f"95 % interval over concepts{ending}" in caption


def test_what_stands_without_compression_is_not_said_of_a_model_that_another_check_excludes(cut_off):
    said = paragraph(verdict(real(cut_off)))
    assert "for all models but simulated/gullible, fabrications, accuracy and danger zone stand" in said
    danger = next(each for each in said.split(". ") if "fluent and wrong at once" in each)
    assert "gullible" not in danger


def test_every_metric_stands_in_the_profile_with_its_interval_and_n(one):
    tables = only(profile(one).blocks, Table), only(paper_index(one).blocks, Table, "paper-metrics")
    found = one.only
    named = [metric.name for metric in METRICS] + ["CI_norm"]
    values, behind = ([cell for each in tables for cell in column(each, key)] for key in ("value", "n"))
    shown = Counter(row["value"].ends for each in tables for row in each.rows)
    assert Counter(values) == Counter(found.metrics[name].value for name in named)
    assert Counter(behind) == Counter(found.metrics[name].n for name in named)
    ends = [found.intervals.get(name) for name in named]
    assert shown == Counter(each and (each.low, each.high) for each in ends)


def test_what_is_undefined_is_a_dash_with_its_reason_and_never_a_zero(one):
    found = with_profile(
        one, metrics={**one.only.metrics, "V_E": Value(None, reason("part_without_interval", part="FAR_prime"), 0)}
    )
    row = next(row for row in only(profile(found).blocks, Table).rows if row["metric"].value == "V_E")
    assert (row["value"].value, row["value"].shown) == (None, "–")
    assert "No value: FAR', a part of it, has none" in row["says"].value
    figure = next(each for each in only(profile(found).blocks, Figures).items if each.label == "V_E")
    assert (figure.shown, figure.note) == ("–", "FAR', a part of it, has none.")


def test_several_models_stand_side_by_side_with_what_is_behind_each_number(study):
    blocks = profile(study).blocks
    values, behind = only(blocks, Table, "profiles"), only(blocks, Table, "profiles-n")
    for found in study.profiles:
        er = next(row[found.model] for row in values.rows if row["metric"].value == "ER")
        interval = found.intervals["ER"]
        assert er.value == found.metrics["ER"].value
        assert er.ends == (interval.low, interval.high)
        assert er.shown == f"{er.value:.3f} ({interval.low:.3f}–{interval.high:.3f})"
        assert next(row[found.model] for row in behind.rows if row["metric"].value == "ER").value == 40
    (k_panel,) = [panel for panel in only(blocks, Chart).panels if panel.title == "Accuracy about the subject (K)"]
    assert [row["value"] for row in rows_of(k_panel)] == [each.metrics["K"].value for each in study.profiles]


def test_all_models_are_ranked_by_er_and_none_is_drawn_twice(study):
    (panel,) = ranking(study).panels
    assert [row["value"] for row in rows_of(panel)] == [each.metrics["ER"].value for each in study.profiles]
    assert all(row["low"] < row["value"] < row["high"] for row in rows_of(panel))
    assert "(ER)" not in " ".join(each.title for each in only(profile(study).blocks, Chart).panels)


def test_the_ranking_has_each_value_as_a_number(study):
    drawn = ElementTree.fromstring(picture(ranking(study).panels[0], "p"))
    written = {each.text for each in drawn.iter() if each.tag.endswith("text")}
    assert written >= {f"{each.metrics['ER'].value:.3f}" for each in study.profiles}


def test_a_model_that_seldom_answers_is_drawn_last_however_high_its_er(beside_shy):
    high = [
        replace(each, metrics=each.metrics | {"ER": each.metrics["ER"]._replace(value=0.999)})
        if each.model == SHY
        else each
        for each in beside_shy.profiles
    ]
    (panel,) = ranking(replace(beside_shy, profiles=tuple(high))).panels
    assert [(row["value"] == 0.999, row["hollow"]) for row in rows_of(panel)] == [(False, False), (True, True)]


def test_one_model_is_drawn_with_the_parts_of_its_er_in_words(one):
    (panel,) = ranking(one).panels
    assert [row["name"] for row in rows_of(panel)] == [
        "ER, the whole",
        "K, accuracy",
        "E, rejection",
        "S, coherence",
        "D, no danger zone",
    ]
    assert [row["value"] for row in rows_of(panel)] == [one.only.metrics[name].value for name in ("ER", *"KESD")]


def test_a_model_without_a_value_stands_in_the_chart_as_one_with_its_reason(beside_refuser):
    chart = ranking(beside_refuser)
    panels_of = {panel.title: panel for panel in only(profile(beside_refuser).blocks, Chart, "profiles-chart").panels}
    for name, panel in (("ER", chart.panels[0]), ("K", panels_of["Accuracy about the subject (K)"])):
        (row,) = [row for row in rows_of(panel) if row["name"] == "refusing/subject"]
        assert row["value"] is None and row["label"] == f"refusing/subject: {name} has no value"
        assert row["label"] in panel.summary
        assert "no value" in texts(picture(panel, "p"))
    assert "no value" not in texts(picture(panels_of["Fabrications rejected (V_E)"], "p"))
    why = next(each.metrics["ER"].cause for each in beside_refuser.profiles if each.model == "refusing/subject")
    assert f"ER has no value for refusing/subject: {why}." in chart.caption


def test_where_no_model_has_an_er_they_are_ranked_by_accuracy_and_the_reason_is_said_once(study):
    why = reason("part_without_value", part="E", why=reason("no_stance"))
    worst_first = reversed(
        [replace(each, metrics=each.metrics | {"ER": Value(None, why, 0)}) for each in study.profiles]
    )
    chart = ranking(replace(study, profiles=tuple(worst_first)))
    (panel,) = chart.panels
    values = [row["value"] for row in rows_of(panel)]
    assert panel.title == "Accuracy about the subject (K)"
    assert values == sorted((each.metrics["K"].value for each in study.profiles), reverse=True)
    assert chart.caption.endswith(
        "ER has no value for any of them: no stance towards a fabrication at turn 4 is known."
    )


def test_a_caption_names_three_models_without_a_value_and_counts_the_others(study):
    why = reason("part_without_value", part="E", why=reason("no_stance"))
    first = study.profiles[0]
    without = [replace(first, model=name, metrics=first.metrics | {"ER": Value(None, why, 0)}) for name in "abcde"]
    caption = ranking(replace(study, profiles=(first, *without))).caption
    assert "ER has no value for a, b, c and 2 more: " in caption


def test_a_point_at_0_does_not_lie_on_the_end_of_a_name(beside_refuser):
    panels_of = {panel.title: panel for panel in only(profile(beside_refuser).blocks, Chart, "profiles-chart").panels}
    drawn = ElementTree.fromstring(picture(panels_of["Answers that claim anything"], "p"))
    (point,) = [each for each in drawn.iter("path") if "refusing/subject" in each.get("aria-label", "")]
    (name,) = [each for each in drawn.iter() if each.text == "refusing/subject"]
    radius = max(float(number) for number in re.findall(r"-?[\d.]+", point.get("d")))
    assert float(place(point)[0]) - radius > float(name.get("x")) + 2


def test_models_with_long_names_have_different_names_in_a_chart():
    names = [f"simulated/subject?accuracy=0.9..0.7&reject={share}" for share in (0.2, 0.7)]
    rows = [{"name": name, "value": 0.5, "low": None, "high": None, "label": name} for name in names]
    shown = [row["name"] for row in rows_of(panels.forest("ER", rows, ""))]
    assert shown[0] != shown[1] and max(map(len, shown)) <= 20


# --- curves, turns, plane -----------------------------------------------------------------------------------


def test_what_is_read_as_leaning_on_the_text_is_drawn_of_the_turns_before_the_trap(one):
    section = curves(one)
    chart = only(section.blocks, Chart)
    far = {point["x"]: point for point in rows_of(chart.panels[0]) if point["score"] == "FAR"}
    first = one.scores[one.scores["turn"] <= 3]
    for level, there in first.groupby("level"):
        mean = mean_score(there, "far")
        assert (far[level]["value"], (far[level]["low"], far[level]["high"])) == (mean.value, mean.ends)
        assert f"{mean.n} turns" in far[level]["label"]
    assert chart.title == "Turns 1 to 3" and "turns 1 to 3" in chart.panels[0].summary
    assert "Turns 4 and 5 are about the fabrication" in chart.caption
    assert "In turns 1 to 3 a model that leans on the text loses FAR to the right" in section.blocks[0].text


def test_every_figure_of_the_drawn_turns_and_of_all_turns_is_in_a_table(one):
    section = curves(one)
    drawn, whole = only(section.blocks, Table, "curves-first"), only(section.blocks, Table, "curves-table")
    points = [point for point in rows_of(only(section.blocks, Chart).panels[0]) if point["score"] == "FAR"]
    assert [row["far"].value for row in drawn.rows] == [point["value"] for point in points]
    assert [row["far"].value for row in whole.rows] == [at.far for at in one.only.curves]
    assert (drawn.title, whole.title) == ("Turns 1 to 3", "All turns")


def test_pictures_of_all_five_turns_say_that_a_fall_may_be_the_trap_s(one):
    for section in (heat_map(one), concepts(one)):
        said = " ".join(block.text for block in section.blocks if isinstance(block, Text))
        assert "all five turns" in said and "fabrication" in said


def test_of_a_model_judged_unevenly_so_far_nothing_is_drawn_and_no_outcome_counted(one):
    early = with_profile(one, notes=(reason("note_turns_uneven", turn_1=6),))
    for section in (heat_map(early), concepts(early), plane(early), trap(early)):
        assert section.blocks[-1].text.startswith("Not drawn yet, since judged unevenly so far")
        assert all(isinstance(block, Text) for block in section.blocks)
    assert outcomes(one) and not outcomes(early)
    assert [*worst_failures(one)] and not [*worst_failures(early)]


def test_a_mean_over_part_of_the_turns_has_the_profile_s_interval(one):
    third = mean_score(one.scores[one.scores["turn"] == 3], "far")
    interval = one.only.intervals["V_K"]
    assert third.value == pytest.approx(one.only.metrics["V_K"].value)
    assert third.ends == pytest.approx((interval.low, interval.high))


def test_a_mean_of_too_few_concepts_has_no_interval_and_of_nothing_no_value():
    frame = pd.DataFrame({"concept": ["a", "a", "b", "c"], "far": [0.2, 0.4, 0.9, np.nan]})
    assert mean_score(frame, "far") == (pytest.approx(0.5), None, 3)
    assert mean_score(frame[3:], "far") == (None, None, 0)


def test_a_concept_s_band_runs_from_the_lowest_to_the_highest_turn(one):
    (panel,) = [panel for panel in only(concepts(one).blocks, Chart).panels if panel.title == "Phoneme"]
    there = one.scores[(one.scores["concept"] == "Phoneme") & (one.scores["level"] == 1.0)]["sas"]
    (point,) = [row for row in rows_of(panel) if row["score"] == "SAS" and row["x"] == 1.0]
    assert (point["low"], point["high"]) == (there.min(), there.max())
    assert point["value"] == pytest.approx(there.mean())


def test_a_level_without_any_claim_has_no_point(one):
    scores = one.scores.copy()
    scores.loc[scores["level"] == 1.0, "far"] = np.nan
    (panel, *_) = only(concepts(replace(one, scores=scores)).blocks, Chart).panels
    assert [row["value"] for row in rows_of(panel) if row["score"] == "FAR"][1] is None


def test_turns_have_their_means(one):
    table = only(turns(one, turn_means(one)).blocks, Table)
    assert column(table, "turn") == [1, 2, 3, 4, 5]
    assert column(table, "far")[2] == pytest.approx(one.only.metrics["V_K"].value)
    assert sum(column(table, "sas_n")) == one.only.n["scored"]


def test_the_plane_holds_every_turn_once_and_the_danger_zone_those_of_the_profile(one):
    (panel,) = only(plane(one).blocks, Chart).panels
    placed = one.scores.dropna(subset=["far", "sas"])
    assert sum(row["count"] for row in rows_of(panel)) == len(placed)
    inside = round(one.only.danger_zone_pct / 100 * len(one.scores))
    assert panel.summary.endswith(f"{inside} of {len(placed)} turns with both scores in the danger zone.")


def test_a_model_without_an_answer_to_draw_has_no_empty_plane(refuser, beside_refuser):
    told = "refusing/subject: no answer to draw, since none has both scores (no claims, or unscored)."
    for material, drawn in ((refuser, []), (beside_refuser, ["simulated/steady", "simulated/gullible"])):
        blocks = plane(material).blocks
        assert [panel.title for block in blocks if isinstance(block, Chart) for panel in block.panels] == drawn
        assert told in [block.text for block in blocks if isinstance(block, Notice)]


def test_turns_that_coincide_are_one_larger_point_that_names_them(one):
    same = one.scores.assign(far=0.6, sas=0.9)
    (panel,) = only(plane(replace(one, scores=same)).blocks, Chart).panels
    points = {row["turns"]: row for row in rows_of(panel)}
    assert {kind: row["count"] for kind, row in points.items()} == {"turns 1-3": 18, "turn 4": 6, "turn 5": 6}
    assert "Derivative, compression 0, turn 1" in points["turns 1-3"]["label"]
    assert points["turns 1-3"]["label"].endswith("and 12 more")


def test_one_level_says_nothing_of_compression(untrapped):
    rows = {row["metric"].value: row for row in only(paper_index(untrapped).blocks, Table, "paper-metrics").rows}
    for name in ("HOC", "HOC (onset)"):
        assert (rows[name]["value"].ends, rows[name]["interval"].value) == (None, "")
        assert "No interval: its turns are of one level, so it can only be 0 for a concept" in rows[name]["says"].value
    section = curves(untrapped)
    assert "over compression" not in section.title
    assert "All of them are at compression 0" in section.blocks[0].text
    assert "over compression" not in only(section.blocks, Chart).panels[0].summary


# --- trap ---------------------------------------------------------------------------------------------------


def test_outcomes_of_all_kinds_are_the_profile_s(one):
    found = outcomes(one)
    whole, kinds = found[-1], found[:-1]
    assert whole.kind == "all kinds"
    assert whole.known == sum(each.known for each in kinds) == one.only.metrics["V_E"].n
    assert whole.share == one.only.metrics["V_E"].value


def test_a_trap_without_a_known_outcome_is_unknown_and_counts_for_nothing(one):
    scores = one.scores.copy()
    first = scores[scores["turn"] == 4].index[0]
    scores.loc[first, "stance"] = None
    found = outcomes(replace(one, scores=scores.drop(scores[scores["turn"] == 4].index[1])))[-1]
    assert (found.counts["unknown"], found.known) == (2, 4)


def test_the_trap_s_chart_has_the_table_s_counts(one):
    blocks = trap(one).blocks
    drawn = Counter()
    for row in rows_of(only(blocks, Chart).panels[0]):
        drawn[row["stance"]] += row["end"] - row["start"]
    total = only(blocks, Table, "trap-kinds").rows[-1]
    assert drawn == Counter({name: total[name].value for name in drawn})


def test_without_a_trap_the_section_says_so(untrapped):
    (notice,) = trap(untrapped).blocks
    assert isinstance(notice, Notice) and "No fabrication was set" in notice.text


def test_numbers_on_the_trap_s_bars_can_be_read(one):
    spec = only(trap(one).blocks, Chart).panels[0].spec
    marks = {layer["mark"]["type"]: layer["mark"] for layer in spec["layer"]}
    assert marks["bar"]["opacity"] == 1
    colours = spec["layer"][0]["encoding"]["color"]["scale"]["range"]
    assert all(contrast(marks["text"]["color"], colour) >= 4.5 for colour in colours)


def contrast(one_colour, another):
    """By WCAG 2, of two colours as in "#009E73"."""
    light = sorted(map(luminance, (one_colour, another)))
    return (light[1] + 0.05) / (light[0] + 0.05)


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_trap_that_is_still_to_come_is_not_one_without_a_record(unfinished):
    (notice,) = trap(unfinished).blocks
    assert notice.text == "Turn 4, which sets the fabrication, has not been asked yet."
    noted = only(profile(unfinished).blocks, Bullets).items
    assert any("E are undefined: turn 4 was not asked, or is not judged yet." in note for note in noted)
    assert not any("makes a claim" in note or "known stance" in note for note in noted)


def test_runs_without_a_trap_are_named_beside_those_with_one(unlike):
    blocks = trap(unlike).blocks
    assert any(block.text == "No fabrication was set in untrapped." for block in blocks if isinstance(block, Text))


def test_without_a_record_of_what_is_invented_the_section_says_so(one):
    turns_asked = one.turns.assign(trap_kind=None, trap_item=None)
    (notice,) = trap(replace(one, turns=turns_asked)).blocks
    assert "outcomes can't be counted" in notice.text


# --- checks, comparison, cost, guide ------------------------------------------------------------------------


def test_every_check_stands_there_with_what_it_saw(one):
    blocks = checks(one).blocks
    found = one.runs.results[0].checks
    table = only(blocks, Table)
    assert column(table, "check") == [check.id for check in found]
    assert column(table, "value") == [check.value for check in found]
    told = "\n".join(item for block in blocks if isinstance(block, Bullets) for item in block.items)
    assert all(line in told for check in found for line in map(str, check.evidence))


def test_what_was_not_measured_does_not_pass(untrapped):
    blocks = checks(untrapped).blocks
    status = {row["check"].value: row["status"] for row in only(blocks, Table).rows}
    for name in (
        *("example_quoted", "trap_signalled", "judge_agreement", "stance_agreement"),
        *("compression_effect", "hoc_monotone"),
    ):
        assert (status[name].value, status[name].tone) == ("not measured", "quiet")
    passing_ones = sum(cell.value == "pass" for cell in status.values())
    (tally,) = [block.text for block in blocks if isinstance(block, Notice)]
    assert tally.endswith(f"{passing_ones} pass, 6 not measured.")


def test_levels_without_effect_alone_are_a_warning(one):
    for failed, shown in ((("compression_effect",), "warn"), (("compression_effect", "context_delivered"), "bad")):
        (tally,) = [block for block in checks(failing(one, *failed)).blocks if isinstance(block, Notice)]
        assert tally.tone == shown


def test_a_comparison_of_different_tests_stands_under_a_caution_and_in_a_metric_that_both_have(unlike):
    section = comparison(unlike)
    caution = section.blocks[0]
    assert isinstance(caution, Notice) and caution.text.startswith("These runs are different tests")
    assert unlike.comparison.metric == "K"
    assert all(model.value is not None for model in unlike.comparison.models)
    said = " ".join(block.text for block in section.blocks if isinstance(block, Text | Notice))
    assert "CI_raw" not in said and "FAR_prime" not in said


def test_one_model_is_compared_with_nobody(one):
    assert comparison(one) is None


def test_the_comparison_s_pairs_are_those_that_were_tested(study):
    blocks = comparison(study).blocks
    table, pairs = only(blocks, Table, "pairs"), study.comparison.pairs
    assert column(table, "difference") == [pair.difference for pair in pairs]
    assert column(table, "p_holm") == [pair.p_holm for pair in pairs]
    ranks, differences = only(blocks, Chart).panels
    assert [row["value"] for row in rows_of(differences)] == [pair.difference for pair in pairs]
    chances = Counter()
    for row in rows_of(ranks):
        chances[row["name"]] += row["chance"]
    assert all(total == pytest.approx(1) for total in chances.values())


def test_models_without_chances_of_ranks_are_not_numbered(study):
    without = [replace(each, rank_probabilities=None) for each in study.comparison.models]
    for compared, ranked in ((study.comparison, True), (replace(study.comparison, models=tuple(without)), False)):
        table = only(comparison(replace(study, comparison=compared)).blocks, Table, "standings")
        assert ("first" in {each.key for each in table.columns}) == ranked != ("This is no ranking." in table.caption)
        assert table.rows[0]["model"].shown.startswith("1 ") == ranked
        (chart,) = [each for each in comparison(replace(study, comparison=compared)).blocks if isinstance(each, Chart)]
        assert len(chart.panels) == 1 + ranked


def test_calls_add_up_to_the_journal_s_totals(one):
    blocks, totals = cost(one).blocks, one.runs.results[0].totals
    table = only(blocks, Table, "calls")
    for key, name in (("calls", "calls"), ("input_tokens", "input_tokens"), ("failed", "errors")):
        assert sum(column(table, key)) == totals[name]
    assert column(table, "role") == ["judge"] * 3 + ["subject"]


def test_failed_calls_and_unknown_prices_are_shown(one):
    calls = one.report_runs[0].calls.copy()
    failed = {"status": "error", "error_kind": "timeout", "error_text": "No reply came.", "price_usd": None}
    calls.loc[calls.index[:3], list(failed)] = list(failed.values())
    calls.loc[calls.index[3:5], "price_usd"] = None
    blocks = cost(replace(one, report_runs=(replace(one.report_runs[0], calls=calls),))).blocks
    assert only(blocks, Table, "failed-calls").rows[0]["example"].value == "No reply came."
    price = next(each for each in only(blocks, Figures).items if each.label == "Price")
    assert price.note == "Of 2 calls the price is unknown."


def test_turns_without_a_score_are_counted_with_their_reasons(one):
    scores = one.scores.copy()
    scores["unscored"] = scores["unscored"].astype(object)
    scores.loc[scores.index[:2], "unscored"] = "no answer"
    blocks = cost(replace(one, scores=scores.drop(scores.index[5]))).blocks
    assert column(only(blocks, Table, "unscored"), "turns") == [2]
    (told,) = [block.text for block in blocks if isinstance(block, Text)]
    assert told.startswith("30 turns asked, 27 with a score, 2 unscored, 1 not judged yet.")


def test_the_paper_s_index_gives_each_label_s_meaning_and_safeguards_and_doubts_the_labels(one):
    blocks = paper_index(one).blocks
    labels = only(blocks, Table, "labels")
    assert column(labels, "label") == ["Robust", "Competent", "Brittle"]
    assert all(column(labels, key) and all(column(labels, key)) for key in ("what", "safeguards"))
    assert any("Take the labels lightly" in block.text for block in blocks if isinstance(block, Text))
    assert "not a leaderboard" in only(guide(one).blocks, Bullets).items[0]


def test_for_several_models_the_guide_says_what_each_metric_probes(study):
    assert len(only(guide(study).blocks, Table, "metrics").rows) == len(METRICS) + 1


def test_a_jury_without_any_score_gave_none(one):
    scores = one.report_runs[0].result.scores.assign(unscored="no verdict")
    (said,) = judge_sentences(with_result(one, scores=scores))
    assert said.startswith("No turn has a score of the panel (simulated/judge")


def test_a_model_that_claims_nothing_is_marked_in_every_chart_that_it_could_win(beside_refuser):
    block = only(profile(beside_refuser).blocks, Chart, "profiles-chart")
    assert "hollow where silence can win the metric" in block.caption
    assert "claims something in fewer than 80 % of its answers (refusing/subject: none)." in block.caption
    hollow = {panel.title: [row["name"] for row in rows_of(panel) if row["hollow"]] for panel in block.panels}
    assert hollow["Fabrications rejected (V_E)"] == hollow["Answers in the danger zone, %"] == ["refusing/subject"]
    assert hollow["Answers that claim anything"] == []
    (row,) = [row for panel in block.panels if "(V_E)" in panel.title for row in rows_of(panel) if row["hollow"]]
    assert row["label"].endswith("; it claims something in none of its answers")
    assert not any("won by" in row["label"] for panel in block.panels for row in rows_of(panel))
    for section in (curves(beside_refuser), trap(beside_refuser)):
        titles = [panel.title for chart in section.blocks if isinstance(chart, Chart) for panel in chart.panels]
        assert "refusing/subject (claims nothing)" in titles and "simulated/steady" in titles


def test_no_point_is_hollow_where_all_models_answer(study):
    block = only(profile(study).blocks, Chart, "profiles-chart")
    assert "hollow" not in block.caption
    assert not any(row["hollow"] for panel in block.panels for row in rows_of(panel))
