"""What `voirdire run` does beside a run."""

from tests.cli.here import voirdire, voirdire_json

QUICK = ("run", "-m", "simulated/fading", "--jury", "simulated/judge", "-p", "quick")


def test_a_dry_run_prints_prompts_and_calls_and_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = voirdire(*QUICK, "--dry-run", "-o", tmp_path / "run").stdout
    for words in ("6 dialogues", "[answer 4]", "[system]", "You are a judge on a jury."):
        assert words in said
    dry = voirdire_json(*QUICK, "--dry-run")
    assert [call["calls"] for call in dry["calls"]] == [30, 30]
    assert len(dry["prompts"]) == 10
    assert not list(tmp_path.iterdir())
