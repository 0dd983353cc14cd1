from dataclasses import replace

import pandas as pd
import pytest

from tests.ddft.report.examples import only
from voirdire.ddft.report.dialogues import dialogues
from voirdire.ddft.report.heat_map import heat_map
from voirdire.documents.document import Readings, Table, Text


def maps(material):
    return [block for block in heat_map(material).blocks if isinstance(block, Table)]


def test_every_dialogue_has_a_cell_with_its_mean_factual_accuracy_that_leads_to_it(one):
    (table,) = maps(one)
    readings = {each.id: each for each in only(dialogues(one).blocks, Readings).readings}
    cells = {(row["concept"].value, level): row[level] for row in table.rows for level in ("0", "1")}
    assert {cell.target for cell in cells.values()} == readings.keys()
    for (concept, level), cell in cells.items():
        facets = readings[cell.target].facets
        assert (facets["concept"], facets["compression"]) == (concept, level)
        mean = one.scores.loc[one.scores["dialogue"] == cell.target, "far"].mean()
        assert cell.value == pytest.approx(mean) and cell.shown == f"{mean:.2f}"


def test_every_model_has_a_map_in_the_order_of_the_ranking(study):
    assert [table.title for table in maps(study)] == list(study.models)
    assert all(table.shaded and len(table.rows) == 8 for table in maps(study))


@pytest.mark.parametrize(
    ("far", "shown", "shade"),
    [(1.0, "1.00", 0), (0.846, "0.85", 0), (0.84, "0.84", 1), (0.69, "0.69", 2), (0.4, "0.40", 3), (0.0, "0.00", 4)],
)
def test_a_cell_is_as_deep_as_the_number_in_it_is_low(one, far, shown, shade):
    (table,) = maps(replace(one, scores=one.scores.assign(far=far)))
    assert {(cell.shown, cell.shade) for row in table.rows for cell in (row["0"], row["1"])} == {(shown, shade)}


def test_where_nothing_is_claimed_the_map_has_dashes_that_lead_to_the_dialogues(refuser):
    (table,) = maps(refuser)
    cells = [row[level] for row in table.rows for level in ("0", "1")]
    assert {(cell.value, cell.shown, cell.shade) for cell in cells} == {(None, "–", None)}
    assert all(cell.target for cell in cells)
    assert "lowest on" not in " ".join(block.text for block in heat_map(refuser).blocks if isinstance(block, Text))


def test_a_concept_that_was_not_asked_about_at_a_level_has_an_empty_cell(one):
    place = (one.scores["concept"] == "Phoneme") & (one.scores["level"] == 0)
    (table,) = maps(replace(one, scores=one.scores[~place]))
    (cell,) = [row["0"] for row in table.rows if row["concept"].value == "Phoneme"]
    assert (cell.shown, cell.target) == ("", "")


def test_the_lowest_cell_is_named_first(study):
    means = study.scores.groupby(["model", "concept"])["far"].mean()
    model, concept = means.idxmin()
    first = heat_map(study).blocks[0].text
    assert first == f"Factual accuracy of {model} is lowest on {concept} at compression 0.5: {means.min():.2f}."


def test_where_all_cells_are_the_same_none_is_the_lowest(one):
    first = heat_map(replace(one, scores=one.scores.assign(far=1.0))).blocks[0].text
    assert first == "Factual accuracy is 1.00 in every cell."


def test_of_several_dialogues_in_a_cell_their_mean_tells_which_is_lowest(one):
    scores = one.scores.assign(far=0.5)
    place = (scores["concept"] == "Phoneme") & (scores["level"] == 0)
    scores.loc[place, "far"] = 0.45  # the lowest cell; the lowest dialogue lies in another one
    other = scores[~place & (scores["level"] == 1)]
    uneven = pd.concat([scores, other.assign(dialogue=other["dialogue"] + "|again", far=0.1)])
    uneven.loc[(uneven["far"] == 0.5) & (uneven["level"] == 1), "far"] = 0.9
    turns = pd.concat([one.turns, one.turns.assign(dialogue=one.turns["dialogue"] + "|again")])
    first = heat_map(replace(one, scores=uneven, turns=turns)).blocks[0].text
    assert first == "Factual accuracy is lowest on Phoneme at compression 0: 0.45."
