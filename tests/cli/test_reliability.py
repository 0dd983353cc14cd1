import pytest

from tests.cli.here import voirdire, voirdire_json

PANEL = ("simulated/judge?name=a&noise=0.1", "simulated/judge?name=b&leniency=0.1", "simulated/judge?name=c&noise=0.2")


@pytest.fixture(scope="module")
def published(imported):
    path, _ = imported
    return path, voirdire_json("jury", "reliability", path)


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "simulated"
    models = ("-m", "simulated/steady", "-m", "simulated/gullible")
    voirdire("run", *models, "--preset", "lite", "--jury", ",".join(PANEL), "-o", path)
    return path, voirdire_json("jury", "reliability", path)


def test_the_imported_study_gives_the_published_panels_figures(published):
    path, printed = published
    assert (printed["run"], printed["jury"]) == (str(path), "published")
    assert printed["judges"] == ["gpt-5.1", "deepseek-v3.1", "claude-opus-4-1"]
    iccs = [round(printed["scores"][name]["ICC(2,1)"]["value"], 2) for name in ("FAR", "SAS")]
    assert iccs == [0.31, 0.36]
    assert printed["stance"] is None
    assert [each["judge"] for each in printed["leave_one_out"]] == printed["judges"]
    assert any("Imported" in note for note in printed["notes"])


def test_a_simulated_run_shows_what_its_judges_were_made_with(simulated):
    _, printed = simulated
    assert printed["judges"] == list(PANEL)
    leniency = {judge: found["value"] for judge, found in printed["leniency"]["FAR"].items()}
    assert max(leniency, key=leniency.get) == PANEL[1]
    differences = {
        tuple(pair["judges"]): pair["mean_absolute_difference"] for pair in printed["scores"]["SAS"]["pairs"]
    }
    assert differences[PANEL[0], PANEL[1]] < differences[PANEL[1], PANEL[2]]
    assert printed["stance"]["ac1"]["value"] == 1
    assert all(each["reason"] for each in printed["self_preference"]["FAR"])
    taus = [each["ranks"]["ER"]["tau"] for each in printed["leave_one_out"]]
    assert taus == [1, 1, 1]


def test_the_text_names_the_judges_and_fits_a_terminal(simulated):
    path, _ = simulated
    shown = voirdire("jury", "reliability", path, "--all", env={"COLUMNS": "100"}).stdout
    for expected in (*PANEL, "ICC(2,1)", "Leniency", "Own kin", "ER with one judge left out"):
        assert expected in shown
    assert "--all" not in shown, "it is there already"
    assert max(map(len, shown.splitlines())) <= 100


def test_what_it_says_first_is_a_conclusion_in_a_few_lines(simulated):
    path, _ = simulated
    shown = voirdire("jury", "reliability", path).stdout
    assert shown.startswith("The judges' agreement on factual accuracy (FAR) is ")
    assert "it scores accuracy" in shown and "--all" in shown
    assert len(shown.splitlines()) < 16 and "Leniency" not in shown


def test_one_judge_is_answered_with_one_sentence(simulated):
    path, _ = simulated
    voirdire("score", path, "--jury", "reference")
    done = voirdire("jury", "reliability", path, "--jury", "reference", check=False)
    assert done.returncode == 1
    assert "at least two judges" in done.stderr
    assert "Traceback" not in done.stderr
