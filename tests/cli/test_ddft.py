import json

import pandas as pd
import pytest

from tests.cli import command
from tests.cli.here import voirdire, voirdire_json

SUBJECT = "simulated/fading"
SMALL = ("--concepts", "recursion,phoneme,derivative", "--levels", "0,1")


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A small run, judged by an unbiased simulated judge; the command is called as users call it."""
    path = tmp_path_factory.mktemp("runs") / "held"
    printed = command.voirdire_json("run", "-m", SUBJECT, "--jury", "simulated/judge", *SMALL, "-o", path)
    return path, printed


def test_json_has_what_the_interface_promises(held):
    path, printed = held
    assert {"run", "jury", "models"} <= printed.keys()
    (model,) = printed["models"]
    promised = "HOC HOC_onset CRI FAR_prime SAS_prime CI_raw CI_norm danger_zone_pct V_K V_E ER".split()
    assert set(promised) <= model["metrics"].keys()
    assert {"turns", "unscored", "no_claims", "FAR_prime", "SAS_prime"} <= model["n"].keys()
    assert model["model"] == SUBJECT
    assert model["n"]["turns"] == 30
    assert model["intervals"]["K"]["low"] < model["metrics"]["K"] < model["intervals"]["K"]["high"]
    assert {"phenotype", "phenotype_relative", "reliable", "doubts"} <= model["paper_index"].keys()
    assert printed["run"] == str(path)


def test_show_prints_the_same_without_calling_anything(held):
    path, printed = held
    assert voirdire_json("show", path) == printed


def test_show_for_people_names_metrics_intervals_and_the_run(held):
    path, _ = held
    said = voirdire("show", path, "--all", "--texts").stdout
    for words in ("ER", "95 % interval", "danger zone", "compression", str(path), "In your own words",
                  "K, S and the check compression_effect take turns 1 to 3 alone."):  # fmt: skip
        assert words in said
    assert "Unscored:" not in said and " nan" not in said and "FAR 0." in said


def test_tables_are_written(held):
    path, _ = held
    turns, scores = pd.read_parquet(path / "turns.parquet"), pd.read_parquet(path / "scores.parquet")
    assert len(turns) == len(scores) == 30
    assert turns["answer"].notna().all()
    assert set(turns["trap_kind"].dropna()) <= {"expert", "paper", "statistic", "event", "law"}


def test_running_it_again_calls_nothing_and_prints_the_same(held):
    path, printed = held
    again = voirdire_json("run", "-m", SUBJECT, "--jury", "simulated/judge", *SMALL, "-o", path)
    assert again == printed


def test_another_jury_judges_the_same_dialogues_and_the_first_verdicts_stay(held):
    path, printed = held
    other = voirdire_json("score", path, "--jury", "reference")
    assert other["jury"] == "reference"
    assert other["banner"]
    assert other["totals"]["calls"] == printed["totals"]["calls"]
    assert voirdire_json("show", path)["models"] == printed["models"]
    assert set(pd.read_parquet(path / "verdicts.parquet")["jury"]) == {printed["jury"], "reference"}


def test_a_run_with_other_settings_does_not_go_into_the_same_folder(held):
    path, _ = held
    done = voirdire("run", "-m", SUBJECT, "--jury", "simulated/judge", *SMALL, "--seed", 5, "-o", path, check=False)
    assert done.returncode == 1
    assert "seed" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_reference_panel_judges_by_default_under_a_banner(tmp_path):
    printed = voirdire_json("run", "-m", SUBJECT, "--concepts", "recursion", "--levels", "0", "-o", tmp_path / "r")
    assert printed["jury"] == "reference"
    assert "understands nothing" in printed["banner"]


def test_fewer_than_three_concepts_give_no_intervals_and_it_says_so(tmp_path):
    printed = voirdire_json(
        "run", "-m", SUBJECT, "--concepts", "recursion,phoneme", "--levels", "0", "-o", tmp_path / "r"
    )
    (model,) = printed["models"]
    assert model["intervals"] == {}
    assert any("three concepts" in note["text"] for note in model["notes"])


def test_one_level_is_said_beside_what_it_shows(tmp_path):
    run = ("run", "-m", "simulated/steady", "--concepts", "recursion,phoneme,derivative")
    said = voirdire(*run, "--levels", "0.5", "--jury", "simulated/judge", "-o", tmp_path / "r").stdout
    headline = " ".join(said.split()).partition(" metric ")[0]
    assert headline.startswith("The epistemic reliability (ER, from 0 to 1) of simulated/steady is 0.")
    assert " at one level only (0.5)." in headline
    assert "shrinks" not in said
    assert "accurate on the subject, turns 1 to 3, at one level only" in " ".join(said.split())
    assert "fabrication rejected (doubt: half), turn 4" in voirdire("show", tmp_path / "r", "--all").stdout


def test_a_limit_on_calls_stops_cleanly_and_the_run_goes_on_to_the_same_tables(held, tmp_path):
    whole, _ = held
    arguments = ("run", "-m", SUBJECT, "--jury", "simulated/judge", *SMALL, "-o", tmp_path / "r")
    stopped = voirdire(*arguments, "--max-calls", 17, "--json", check=False)
    assert stopped.returncode == 3
    assert json.loads(stopped.stdout)["stopped"] == "the limit of 17 calls is reached."
    assert voirdire("show", tmp_path / "r").stdout.startswith("! Not complete: 0 of 6 dialogues")
    finished = voirdire_json(*arguments)
    assert finished["stopped"] is None
    for table in ("turns", "scores"):
        pd.testing.assert_frame_equal(
            pd.read_parquet(tmp_path / "r" / f"{table}.parquet"),
            _of_first_jury(pd.read_parquet(whole / f"{table}.parquet"), finished["jury"]),
        )


def _of_first_jury(frame, jury):
    return frame[frame["jury"] == jury].reset_index(drop=True) if "jury" in frame else frame


def test_several_models_make_a_study(tmp_path):
    printed = voirdire_json(
        "run", "-m", "simulated/steady", "-m", "simulated/gullible", "--jury", "simulated/judge",
        "--concepts", "recursion,phoneme,derivative", "--levels", "0,1", "-o", tmp_path / "r",
    )  # fmt: skip
    by_name = {model["model"]: model["metrics"] for model in printed["models"]}
    assert by_name["simulated/steady"]["V_E"] > by_name["simulated/gullible"]["V_E"]
    assert {metrics["CI_norm"] for metrics in by_name.values()} <= {0.0, 1.0, None}


def test_trap_none_has_no_stance_and_er_says_why(tmp_path):
    printed = voirdire_json(
        "run", "-m", SUBJECT, "--jury", "simulated/judge", "--trap", "none", *SMALL, "-o", tmp_path / "r"
    )
    (model,) = printed["models"]
    assert model["metrics"]["ER"] is None
    assert model["reasons"]["ER"]["text"] == "E has no value (no fabrication was set)"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("-m", SUBJECT, "--concepts", "recursoin"), "did you mean 'Recursion'"),
        (("-m", SUBJECT, "--levels", "0,1.5"), "1.5 is outside [0, 1]"),
        (("-m", SUBJECT, "--levels", "zero"), "must be numbers"),
        (("-m", SUBJECT, "--preset", "sond"), "did you mean 'sound'"),
        (("-m", SUBJECT, "--trap", "ghost"), "'ghost' is not allowed"),
        (("-m", "nonsense"), "nonsense"),
        (("-m", "openai-api/llama"), "base"),
        (("-m", "local/nowhere.gguf"), "nowhere.gguf"),
        (("-m", SUBJECT, "-m", SUBJECT), "more than once"),
        (("-m", SUBJECT, "--jury", "local/smollm2-135m"), "smollm2"),
        (("-m", SUBJECT, "--jury", "referee"), "referee"),
    ],
)
def test_a_mistake_is_answered_with_one_sentence_and_nothing_is_written(tmp_path, arguments, says):
    done = voirdire("run", *arguments, "-o", tmp_path / "r", check=False)
    assert done.returncode == 1
    assert says.lower() in done.stderr.lower()
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "r" / "turns.parquet").exists()


def test_show_of_no_run_says_so(tmp_path):
    done = voirdire("show", tmp_path, check=False)
    assert done.returncode == 1
    assert str(tmp_path) in done.stderr
    assert "Traceback" not in done.stderr


def test_plan_counts_calls_before_anything_is_spent():
    expected = voirdire_json(
        "plan",
        "-m",
        "openai/gpt-5",
        "--interviewer",
        "openai/gpt-5",
        "--jury",
        "openai/gpt-5,anthropic/claude-opus-4-1",
    )
    assert expected["dialogues"] == 40
    assert expected["turns"] == 200
    calls = {model["spec"]: model["calls"] for model in expected["models"]}
    assert calls["anthropic/claude-opus-4-1"] == 200
    assert calls["openai/gpt-5"] == 200 + 230 + 200  # subject, interviewer with repairs, judge
    assert expected["usd"] > 0


def test_plan_compares_what_each_option_would_save():
    asked = ("plan", "-m", "openai/gpt-5", "--jury", "anthropic/claude-opus-4-1")
    rows = {row["option"]: row for row in voirdire_json(*asked)["options"]}
    assert rows["--granularity dialogue"]["calls"] == 200 + 40
    assert rows["prefix caches"]["cached_tokens"] > 0 == rows["as asked"]["cached_tokens"]
    assert rows["--batch"]["wait_hours"] == 24
    assert all(row["usd"] < rows["as asked"]["usd"] for option, row in rows.items() if option != "as asked")
    first, said = voirdire(*asked).stdout, voirdire(*asked, "--all").stdout
    assert all(words in said and words not in first for words in ("What each option would save", "--batch", "gives up"))
    prices = [line.split() for line in first.splitlines() if "  $" in line]
    assert [name for name, _ in prices] == ["openai/gpt-5", "anthropic/claude-opus-4-1"]


def test_options_change_the_estimate_itself():
    asked = ("plan", "-m", "openai/gpt-5", "--jury", "anthropic/claude-opus-4-1")
    plain, other = voirdire_json(*asked), voirdire_json(*asked, "--granularity", "dialogue", "--batch")
    assert (plain["calls"], other["calls"]) == (400, 240)
    assert other["wait_hours"] == 24
    stopped = voirdire_json(*asked, "--samples", 3, "--stop-when", "K+-0.05")
    assert stopped["dialogues"] < 0.9 * 120
    refused = voirdire("plan", "-m", "openai/gpt-5", "--jury", "deepseek/deepseek-chat", "--batch", check=False)
    assert refused.returncode == 1 and "batch" in refused.stderr


def test_plan_says_when_a_price_is_unknown():
    expected = voirdire_json("plan", "-m", "openai/no-such-model-9")
    assert expected["usd"] is None
    assert "unknown" in voirdire("plan", "-m", "openai/no-such-model-9").stdout


def test_a_limit_on_cost_that_cannot_be_held_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    asked = ("-m", "openai/gpt-none", "--preset", "quick", "--max-cost", "1", "-o", tmp_path / "run")
    done = voirdire("run", *asked, check=False)
    assert "the price of openai/gpt-none is unknown" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_run_that_may_spend_nothing_is_refused_before_there_is_a_folder(tmp_path):
    asked = ("-m", "simulated/steady", "--preset", "quick", "--max-cost", "0", "-o", tmp_path / "run")
    done = voirdire("run", *asked, check=False)
    assert done.returncode == 2 and "a run that may spend nothing makes no call" in " ".join(done.stderr.split())
    assert not (tmp_path / "run").exists()
