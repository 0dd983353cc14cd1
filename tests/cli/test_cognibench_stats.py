"""`voirdire cognibench stats`."""

import json

import pytest

from tests.cli.here import voirdire, voirdire_json
from tests.cognibench.dynamics.examples import four, given
from tests.cognibench.made_half import half, write_half
from voirdire.cognibench.formats import write_jsonl


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.jsonl"
    write_jsonl(four(), path)
    return path


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    return write_half(tmp_path_factory.mktemp("half"))


def test_people_see_every_table_within_a_hundred_columns(labelled):
    text = voirdire("cognibench", "stats", labelled, "--all", env={"COLUMNS": "100"}).stdout

    for shown in ("Size (Table 2)", "By turn", "By position", "By topic", "places"):
        assert shown in text
    assert "By model" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_how_much_more_often_is_left_out_where_nothing_can_be_divided(tmp_path):
    write_jsonl([given("a", "faithful", "speculative")], tmp_path / "one.jsonl")

    assert "times as often" not in voirdire("cognibench", "stats", tmp_path / "one.jsonl").stdout


def test_rates_of_few_statements_are_not_divided_and_their_counts_are_shown(data):
    said = " ".join(voirdire("cognibench", "stats", data).stdout.split())
    counts = "hallucinated are 3 of 5 cognitive statements and 1 of 6 factual ones, and 10 of each are needed"
    assert f"Which type is hallucinated more often is not measured: {counts}." in said
    times = voirdire_json("cognibench", "stats", data)["shares"]["times_more_often"]
    assert (times["value"], times["why"]["code"], times["why"]["cognitive"]) == (None, "few_compared", 5)


def test_the_papers_numbers_stand_beside_recomputed_ones(labelled):
    text = voirdire("cognibench", "stats", labelled, "--published", "--all", env={"COLUMNS": "100"}).stdout

    for heading in ("Not reproduced: ", "Consistent: ", "Reproduced: "):
        assert heading in text
    assert "paper 64.8 recomputed 52" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 100


def test_json_has_all_parts_whatever_is_shown(data):
    found = voirdire_json("cognibench", "stats", data, "--by", "turn", "--require", "rational")

    assert found["require"] == "rational"
    assert [part["turn"] for part in found["by_turn"]] == [0, 1]
    assert found["by_turn"][1]["hallucination"]["cognitive"]["value"] == pytest.approx(1 / 3)
    assert found["basics"]["responses"] == 4


def test_only_one_part_is_shown_and_drawn_on_demand(data, tmp_path):
    chart = tmp_path / "chart.svg"
    text = voirdire("cognibench", "stats", data, "--by", "position", "--chart", chart).stdout

    assert "By position" in text and "By turn (" not in text
    assert "By position" in chart.read_text() and "By turn" not in chart.read_text()


def test_several_data_sets_stand_side_by_side(data, tmp_path):
    bare = tmp_path / "bare.jsonl"
    line = {"id": "x", "context": "The mill ground oats.", "turns": [{"user": "What?", "assistant": "It ground oats."}]}
    bare.write_text(json.dumps(line))
    found = voirdire_json("cognibench", "stats", data, bare)

    assert [each["name"] for each in found["datasets"]] == ["data.jsonl", "bare.jsonl"]
    assert found["datasets"][1]["cognitive_share_labelled"] is None
    assert found["datasets"][0]["cognitive_share_predicted"] is not None


def test_published_json_has_claims_with_verdicts(data):
    found = voirdire_json("cognibench", "stats", data, "--published")

    assert {claim["verdict"] for claim in found["claims"]} <= set(found["counts"])
    assert found["table_3"][0]["method"] == "Tasksource"


def test_a_learning_curve_can_be_asked_for(tmp_path):
    path = tmp_path / "some.jsonl"
    write_jsonl(half()[:6], path)
    found = voirdire_json("cognibench", "stats", path, "--scaling", "lexical-learned")

    assert [step["share"] for step in found["steps"]] == [0.1, 0.2, 0.4, 0.7, 1.0]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--by", "topic"), "names a topic"),
        (("--scaling", "nli"), "'nli' was given"),
        (("--chart", "x.pdf"), ".html, .svg, .png"),
    ],
)
def test_mistakes_are_answered_in_a_sentence(tmp_path, arguments, says):
    path = tmp_path / "data.jsonl"
    write_jsonl([given_without_topic], path)
    done = voirdire("cognibench", "stats", path, *arguments, check=False)

    assert done.returncode == 1
    assert says in done.stderr and done.stderr.count("\n") == 1


def test_published_takes_one_data_set(data, labelled):
    done = voirdire("cognibench", "stats", data, labelled, "--published", check=False)

    assert (done.returncode, "2 were given" in done.stderr) == (1, True)


given_without_topic = four()[0].__class__(
    **{name: getattr(four()[0], name) for name in four()[0].__slots__} | {"topic": None}
)
