import json

import pytest
from typer.testing import CliRunner

from tests.raters.exchange import examples
from voirdire.cli.rate import app
from voirdire.raters.exchange import ExchangeError

LABEL = {"label": "reliable", "steps": [], "reason": "So."}


@pytest.fixture
def path(tmp_path):
    path = examples.stored(tmp_path / "p.voirdire", examples.statements())
    examples.entered(path, "r1", "a_1#0", LABEL)
    return path


def run(*arguments):
    done = CliRunner().invoke(app, list(map(str, arguments)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_export_says_what_was_written_and_how_to_use_it(path, tmp_path):
    out = tmp_path / "studio"
    done = run("export", path, "--to", "label-studio", "-o", out)
    assert done.stdout.startswith("Exported: items 2, ratings 1.\n")
    assert [f"Written: {out / name}" in done.stdout for name in ("config.xml", "manifest.json", "tasks.json")] == [
        True
    ] * 3
    assert "Note: Paste config.xml into the labeling interface" in done.stderr


def test_export_tells_it_as_json(path, tmp_path):
    told = json.loads(run("export", path, "--to", "jsonl", "-o", tmp_path / "out", "--json").stdout)
    assert (told["target"], told["counts"], len(told["files"])) == ("jsonl", {"items": 2, "ratings": 1}, 2)


def test_an_export_is_replaced_with_force_alone(path, tmp_path):
    run("export", path, "--to", "csv", "-o", tmp_path / "out")
    with pytest.raises(ExchangeError, match="or replace that export with --force"):
        run("export", path, "--to", "csv", "-o", tmp_path / "out")
    assert run("export", path, "--to", "csv", "-o", tmp_path / "out", "--force").exit_code == 0


def test_import_says_what_was_added_known_and_passed_over(path, tmp_path):
    run("export", path, "--to", "jsonl", "-o", tmp_path / "out", "--rater-names")
    second = examples.stored(tmp_path / "second.voirdire", examples.statements(), raters=["Carla"])
    file = tmp_path / "out" / "ratings.jsonl"
    assert run("import", second, file).stdout == "Ratings added: 1.\nNew raters: Ana.\n"
    assert run("import", second, file, "--format", "jsonl").stdout == "Ratings added: 0. There already: 1.\n"
    told = json.loads(run("import", second, file, "--rater", "Carla", "--json").stdout)
    assert told == {"added": 1, "known": 0, "skipped": [], "raters": []}
    file.write_text(json.dumps({"kind": "gold"}) + "\n")
    (tmp_path / "out" / "manifest.json").unlink()
    assert (
        "Passed over: gold ratings (what items are settled as follows from the others): 1"
        in run("import", second, file).stdout
    )


def test_an_unknown_word_for_which_ratings_is_a_mistake_of_usage(path, tmp_path):
    done = run("export", path, "--to", "csv", "-o", tmp_path / "out", "--ratings", "dead")
    assert done.exit_code == 2 and "choose live, practice or all" in done.stderr
