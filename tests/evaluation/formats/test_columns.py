"""What columns are called, and what `--map` says of them."""

import pytest

from voirdire.evaluation.formats import FormatError, parse_map
from voirdire.evaluation.formats.columns import Mapped, columns_named, guess, lower_by_name, named_columns


@pytest.mark.parametrize(
    "names", [("Item ID", "Model Name", "is_correct"), ("itemId", "MODEL", "Exact Match"), ("item-id", "System", "Acc")]
)
def test_usual_names_are_known_however_they_are_written(names):
    assert guess(names) == dict(zip(("item", "model", "score"), names, strict=True))


def test_a_named_column_is_not_guessed_for_something_else():
    assert guess(("id", "Score", "acc"), {"cluster": "Score"}) == {"item": "id", "score": "acc", "cluster": "Score"}


def test_columns_of_code_and_of_speech_are_known():
    names = ("task_id", "model", "completion", "passed")
    assert guess(names) == dict(zip(("item", "model", "output", "score"), names, strict=True))
    assert guess(("item", "model", "wer")) == {"item": "item", "model": "model", "score": "wer"}
    assert guess(("item", "model", "language")) is None
    assert guess(("item", "model", "latency", "cost")) is None


@pytest.mark.parametrize(
    "name",
    (
        "wer,WER (%),eval_loss,Perplexity,error_rate,latency_ms,runTime,edit_distance,Dauer,Laufzeit [s],Fehler,brier,"
        "total cost,rmse@10"
    ).split(","),
)
def test_names_of_errors_losses_times_and_costs_say_that_lower_is_better(name):
    assert lower_by_name(name)


@pytest.mark.parametrize(
    "name",
    (
        "score,answer,power,timeliness,terse,lossless,distance,neg_mse,error_free,1-wer,accuracy_by_time,costume,"
        "Punkte (0-100),time saved,on_time,cost_savings"
    ).split(","),
)
def test_other_names_do_not(name):
    assert not lower_by_name(name)


def test_the_direction_is_named_beside_columns_in_a_text_or_a_mapping():
    told = Mapped({"item": "q", "score": "a,b"}, "lower")
    assert parse_map({"item": "q", "score": "a,b", "better": "lower"}) == told
    assert parse_map("score=wer, better=higher") == Mapped({"score": "wer"}, "higher")
    assert parse_map("better=lower") == Mapped({}, "lower")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("item=a,score", "is not WHAT=COLUMN"),
        ("item=a,item=b", "names item twice"),
        ({"item": ""}, "is not WHAT=COLUMN"),
        ("better=best", "better=best is neither better=lower nor better=higher"),
    ],
)
def test_a_mapping_that_is_none_says_why(given, why):
    with pytest.raises(FormatError, match=why):
        parse_map(given)


def test_columns_are_named_within_a_block():
    with named_columns(Mapped({"item": "q"})):
        assert columns_named().columns == {"item": "q"}
    assert columns_named() == Mapped()
