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


def test_a_run_with_a_cache_asks_only_what_no_other_run_has_asked(tmp_path):
    shared = (*QUICK, "--cache", tmp_path / "cache")
    first = voirdire_json(*shared, "-o", tmp_path / "first")
    again = voirdire_json(*shared, "-o", tmp_path / "again")
    assert (again["totals"]["calls"], again["totals"]["cached"]) == (0, first["totals"]["calls"])
    assert again["models"] == first["models"]
    changed = voirdire_json(*shared, "--levels", "0,0.25", "-o", tmp_path / "changed")["totals"]
    assert changed["cached"] > 0 and changed["calls"] > 0

    assert "; 60 calls from the cache, $0; preset quick" in " ".join(
        voirdire("show", tmp_path / "again").stdout.split()
    )
    voirdire("report", tmp_path / "again", "-o", tmp_path / "page.html")
    assert "60 calls from the cache, $0." in (tmp_path / "page.html").read_text()
    voirdire("verify", tmp_path / "again")
