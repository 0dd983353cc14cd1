"""`voirdire run --stop-when`."""

from tests.cli.here import voirdire, voirdire_json


def test_a_run_ends_when_its_interval_is_narrow_enough_and_says_so(tmp_path):
    path = tmp_path / "ruled"
    asked = (
        "run",
        "-m",
        "simulated/steady",
        "--jury",
        "simulated/judge",
        "--stop-when",
        "ER+-0.08",
        "-o",
        path,
    )
    done = voirdire(*asked)
    assert "Stopped after 30 of 40 dialogues" in done.stdout
    assert "30 of 30 dialogues" in done.stderr
    shown = voirdire_json("show", path)
    assert shown["complete"]
    assert shown["models"][0]["stopping"]["rule"] == "ER±0.08"


def test_a_rule_that_can_not_be_followed_ends_in_one_sentence_before_anything_is_asked(tmp_path):
    few = ("--concepts", "recursion,phoneme,derivative", "-o", tmp_path / "few")
    for rule, said in (("ER", "not a stopping rule"), ("ER±0.05", "8 concepts or more")):
        done = voirdire("run", "-m", "simulated/steady", *few, "--stop-when", rule, check=False)
        assert done.returncode == 1
        assert said in done.stderr
        assert "Traceback" not in done.stderr
    assert not (tmp_path / "few").exists()
