"""A person's check of a run: what is drawn, what the sheet shows and hides, and what comes of it."""

import asyncio
import csv
import io
from dataclasses import replace

import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.person_check import CrosscheckError, crosscheck, draw_turns, sample_turns, sheet_text
from voirdire.ddft.person_check.comparing import uncompared
from voirdire.ddft.person_check.records import Rating, SampledTurn, read_judged
from voirdire.ddft.person_check.sheet import ASKED, read_ratings
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.report.jury import crosscheck_document
from voirdire.ddft.session import run_study
from voirdire.ddft.study import StudyPlan
from voirdire.reports.formats.terminal import to_terminal

SUBJECT = "simulated/fading"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    path = tmp_path_factory.mktemp("crosscheck") / "run"
    preset = changed_preset(load_preset("sound"), levels=(0.0, 1.0))
    jury = ("simulated/judge", "simulated/lenient")
    plan = StudyPlan((SUBJECT,), tuple(find_concepts(["recursion", "phoneme"])), preset, jury=jury)
    asyncio.run(run_study(plan, path))
    return path


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def filled(run, path, fill, delimiter=","):
    """A sheet of the whole run, each row filled in by a function of (row, the jury's score)."""
    known = {row["key"]: row for row in read_judged(run).turns.to_dict("records")}
    rows = [row | fill(row, known[row["key"]]) for row in rows_of(sheet_text(sample_turns(run, 20)))]
    return written(rows, path, delimiter)


def written(rows, path, delimiter=","):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def as_the_jury(row, jury):
    return {
        "far": "" if jury["no_claims"] else f"{jury['far']:.6f}",
        "sas": f"{jury['sas']:.6f}",
        "no_claims": "yes" if jury["no_claims"] else "",
        "stance": jury["stance"] if isinstance(jury["stance"], str) else "",
    }


def test_a_sample_holds_each_turn_number_alike_and_low_and_high_scores(run):
    drawn = sample_turns(run, 10)
    assert sorted(turn.turn for turn in drawn) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert len({turn.key for turn in drawn}) == 10
    assert sample_turns(run, 10) == drawn
    assert [turn.key for turn in sample_turns(run, 10, seed=1)] != [turn.key for turn in drawn]
    everything = sample_turns(run, 20)
    assert {turn.key for turn in everything} == set(read_judged(run).turns["key"])


@pytest.mark.parametrize("turns", [3, 7, 20])
def test_drawn_turns_stand_for_all_scored_ones_and_name_where_they_lie(run, turns):
    judged = read_judged(run)
    drawn = draw_turns(judged, turns)
    scored = {row["key"]: row for row in judged.turns.to_dict("records")}
    assert len({each.shown.key for each in drawn}) == turns
    assert sum(each.stands_for for each in drawn) == len(scored) == 20
    assert max(each.stands_for for each in drawn) - min(each.stands_for for each in drawn) <= 1
    for each in drawn:
        row = scored[each.shown.key]
        assert (each.dialogue, each.concept) == (row["dialogue"], row["concept"])
        side = (
            "no claims"
            if row["no_claims"]
            else f"factual accuracy (FAR) {'0.7 or more' if row['far'] >= 0.7 else 'below 0.7'}"
        )
        assert each.stratum == f"turn {row['turn']}, {side}"


def test_what_was_said_before_is_shown_also_where_the_jury_gave_no_score(run):
    judged = read_judged(run)
    lost = replace(judged, turns=judged.turns[judged.turns["turn"] == 5])
    assert all(len(each.shown.history) == 4 for each in draw_turns(lost, 4))


def test_the_sheet_shows_what_is_to_be_judged_and_hides_who_answered_and_what_the_jury_said(run):
    text = sheet_text(sample_turns(run, 10))
    rows = rows_of(text)
    assert SUBJECT not in text and "simulated" not in text
    assert all(not row[name] for row in rows for name in ASKED)
    assert all(row["reference"] and row["question"] and row["answer"] for row in rows)
    for row in rows:
        assert bool(row["fabricated"]) == (row["turn"] in "45")
        assert row["earlier"].count("Question: ") == int(row["turn"]) - 1


def a_turn(answer):
    return SampledTurn("k", "C", 1, "R", (), "What?", answer, "")


def test_an_answer_that_is_a_formula_is_only_text_in_a_spreadsheet():
    (row,) = rows_of(sheet_text([a_turn('=HYPERLINK("http://x","y")')]))
    assert row["answer"].startswith("'=")


def test_a_person_who_agrees_finds_no_bias(run, tmp_path):
    found = crosscheck(run, filled(run, tmp_path / "a.csv", as_the_jury))
    far = found.biases[0]
    assert (far.who, far.scale, far.difference) == (found.jury, "FAR", pytest.approx(0, abs=1e-5))
    assert all(each.same == each.n for each in found.agreed)
    assert {each.what for each in found.agreed} >= {"claims or none", "stance towards the fabrication"}


def test_a_lenient_jury_and_the_lenient_judge_are_found(run, tmp_path):
    def stricter(row, jury):
        given = as_the_jury(row, jury)
        less = 0.1 if row["turn"] in "24" else 0.2
        return given | {"sas": f"{max(0.0, float(given['sas']) - less):.4f}", "comment": "too kind"}

    found = crosscheck(run, filled(run, tmp_path / "a.csv", stricter))
    sas = {each.who: each for each in found.biases if each.scale == "SAS"}
    assert sas[found.jury].interval.low > 0
    assert sas["simulated/lenient"].difference > sas[found.jury].difference > sas["simulated/judge"].difference
    assert found.furthest[0].scale == "SAS" and found.furthest[0].comment == "too kind"


def test_semicolons_and_decimal_commas_are_read_and_empty_rows_left_out(run, tmp_path):
    def some(row, jury):
        return {"far": "0,5"} if row["turn"] == "1" else {}

    ratings = read_ratings(filled(run, tmp_path / "a.csv", some, delimiter=";"))
    assert {rating.far for rating in ratings} == {0.5} and len(ratings) == 4


@pytest.mark.parametrize(("code", "delimiter"), [("cp1252", ";"), ("utf-16", "\t"), ("utf-8-sig", ",")])
def test_a_sheet_is_read_as_spreadsheets_save_it(tmp_path, code, delimiter):
    (row,) = rows_of(sheet_text([a_turn("Caf\u00e9, 5 \u20ac; a\ttab\r\nand a line.")]))
    path = written([row | {"far": "0,25", "comment": "zu gro\u00dfz\u00fcgig"}], tmp_path / "a.csv", delimiter)
    path.write_bytes(path.read_text(encoding="utf-8").encode(code))
    (rating,) = read_ratings(path)
    assert (rating.key, rating.far, rating.comment) == ("k", 0.25, "zu gro\u00dfz\u00fcgig")


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (",".join(["key", *ASKED]).encode(), "holds the heads of the columns and no row"),
        (b"", "is empty"),
        (b"key;far\nk;1\n", "lacks the columns sas, no_claims, stance, comment"),
        (b"PK\x03\x04\x00\x00\x81\x8d", "is a zip archive"),
        (b"\xff\xfe\x00\xd8\x00", "is not in UTF-8; save it as CSV"),
        (b"key,far\0", "NUL characters"),
    ],
)
def test_a_sheet_that_holds_nothing_to_read_has_its_own_sentence(tmp_path, raw, says):
    (tmp_path / "a.csv").write_bytes(raw)
    with pytest.raises(CrosscheckError, match=says):
        read_ratings(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ({"far": "9"}, "row 1: far is '9'; write a number from 0 to 1"),
        ({"sas": "good"}, "sas is 'good'"),
        ({"far": "nan"}, "far is 'nan'"),
        ({"stance": "maybe"}, "write one of rejected, questioned, accepted"),
        ({"no_claims": "perhaps"}, "write yes, or leave it empty"),
        ({"far": "1", "no_claims": "yes"}, "without claims has no far"),
        ({}, "No row of .* is filled in"),
    ],
)
def test_a_sheet_with_a_slip_is_refused_with_its_row(tmp_path, cells, says):
    (row,) = rows_of(sheet_text([a_turn("That.")]))
    with pytest.raises(CrosscheckError, match=says):
        read_ratings(written([row | cells], tmp_path / "a.csv"))


def test_a_sheet_of_another_run_and_too_many_turns_are_refused(run, tmp_path):
    sheet = filled(run, tmp_path / "a.csv", as_the_jury)
    sheet.write_text(sheet.read_text().replace(sample_turns(run, 20)[0].key, "0" * 12))
    with pytest.raises(CrosscheckError, match="has the key '000000000000'"):
        crosscheck(run, sheet)
    with pytest.raises(CrosscheckError, match="from 5 to 20"):
        sample_turns(run, 21)
    with pytest.raises(CrosscheckError, match="can't be read"):
        crosscheck(run, tmp_path / "nowhere.csv")


@pytest.mark.parametrize(("empty", "other"), [("far", "sas"), ("sas", "far")])
def test_a_column_that_nobody_filled_in_is_named_with_what_to_do(run, tmp_path, empty, other):
    sheet = filled(run, tmp_path / "check.csv", lambda row, jury: as_the_jury(row, jury) | {empty: ""})
    found = crosscheck(run, sheet)
    (why,) = found.uncompared
    assert (why.code, why["scale"], why["turns"]) == ("crosscheck_not_filled", empty.upper(), 20)
    assert {bias.scale for bias in found.biases} == {other.upper()}
    printed = " ".join(to_terminal(crosscheck_document(found)).split())
    assert f"{empty.upper()}: there is nothing to compare, since no row of the sheet has a score in the" in printed
    assert found.as_dict()["uncompared"][0]["code"] == "crosscheck_not_filled"


def test_scores_of_turns_that_the_jury_has_not_scored_compare_with_nothing():
    ratings = [Rating("a", 0.5, 0.5, False, None, ""), Rating("b", None, 0.5, False, None, "")]
    (why,) = uncompared(ratings, [{"far": None, "sas": 0.5}, {"far": 0.5, "sas": 0.5}])
    assert (why.code, why["scale"], why["filled"]) == ("crosscheck_not_both", "FAR", 1)


def test_a_sheet_of_stances_alone_prints_no_empty_table(run, tmp_path):
    sheet = filled(run, tmp_path / "check.csv", lambda row, jury: {"stance": as_the_jury(row, jury)["stance"]})
    found = crosscheck(run, sheet)
    assert [why["scale"] for why in found.uncompared] == ["FAR", "SAS"]
    assert "scored by" not in to_terminal(crosscheck_document(found))
