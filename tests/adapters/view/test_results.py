"""Results that somebody else made, beside runs: listed, audited, opened and audited together."""

import json
import os
import shutil

import pytest

from tests.adapters.view.test_runs import make_run
from tests.evaluation.formats.test_lm_eval import DATE, RESULTS, SUMS
from voirdire.adapters.view import page_cache, runs, worker
from voirdire.adapters.view import run_summaries as module
from voirdire.adapters.view.runs import RunFinder
from voirdire.instruments import ListedData, listed_data

HOSTILE = "<img src=x onerror=alert(1)>{{ 7 * 7 }}"


def table(path, *models, items=40):
    """A table of results in which each model is right in fewer items than the one before."""
    rows = [
        f"i{item},{model},{float(item % (place + 2) > 0)}"
        for place, model in enumerate(models)
        for item in range(items)
    ]
    path.write_text("\n".join(["item,model,score", *rows]) + "\n")
    return path


def found_below(folder):
    finder = RunFinder(folder)
    finder.find()
    finder.tell({path: listed_data(path) for path in finder.unknown})
    return finder, finder.find()


def test_results_are_found_beside_runs_and_not_within_them(tmp_path):
    make_run(tmp_path / "run")
    table(tmp_path / "run" / "inner.csv", "a")
    table(tmp_path / "results.csv", "a")
    (tmp_path / "notes.md").write_text("# Notes")
    (tmp_path / ".hidden.csv").write_text((tmp_path / "results.csv").read_text())
    (tmp_path / "link.csv").symlink_to(tmp_path / "results.csv")
    _, found = found_below(tmp_path)
    assert {name: each.is_results for name, each in found.items()} == {"run": False, "results.csv": True}
    assert found["results.csv"].instrument == "evaluation" and found["results.csv"].begun is not None


def test_tables_in_which_no_results_are_recognised_are_named(tmp_path, get):
    table(tmp_path / "results.csv", "a")
    (tmp_path / "mine.csv").write_text("frage,system,punkte\n1,a,3\n2,a,4\n")
    (tmp_path / "notes.md").write_text("# Notes")
    finder, found = found_below(tmp_path)
    page = get("/", "/")[1].text
    assert finder.unread == ["mine.csv"] and list(found) == ["results.csv"]
    assert "no results were recognised in them" in page and "mine.csv" in page and "notes.md" not in page


def test_what_is_read_with_others_is_not_listed_for_itself_and_its_change_is_seen(tmp_path):
    (tmp_path / f"results_{DATE}.json").write_text(json.dumps(RESULTS))
    samples = tmp_path / f"samples_sums_{DATE}.jsonl"
    samples.write_text("".join(json.dumps(each) + "\n" for each in SUMS))
    finder, found = found_below(tmp_path)
    (only,) = found.values()
    os.utime(samples, (1, 1))
    assert only.name == f"results_{DATE}.json" and finder.find()[only.name].state != only.state


def test_a_file_is_looked_at_again_only_when_it_was_written(tmp_path):
    path = table(tmp_path / "results.csv", "a")
    finder, _ = found_below(tmp_path)
    assert finder.unknown == []
    path.write_text("nothing")
    finder.find()
    assert finder.unknown == [path]


def test_so_many_files_are_looked_at_and_it_is_said(tmp_path, get, monkeypatch):
    monkeypatch.setattr(runs, "MOST_FILES", 2)
    for name in ("a.csv", "b.csv"):
        table(tmp_path / name, "m")
    page = get("/", "/")[1].text
    assert "files and folders were looked at for results" in page and "/run/a.csv" in page and "b.csv" not in page


def test_while_files_are_looked_at_the_list_says_so_and_not_that_there_are_none(tmp_path, get):
    table(tmp_path / "results.csv", "m")
    first, second = (page.text for page in get("/", "/"))
    assert "Files in this folder are still being looked at" in first and "There are no runs" not in first
    assert "being looked at" not in second and "/run/results.csv" in second


def test_the_list_shows_the_verdict_and_the_models(tmp_path, get):
    make_run(tmp_path / "run")
    table(tmp_path / "results.csv", "acme/large", "acme/small")
    first, second, third = get("/", "/", "/?q=acme/small")
    assert "results.csv" not in first.text
    assert "1 run and 1 set of results." in second.text and "acme/large, acme/small" in second.text
    assert "Believe" in second.text and "checks fail" in second.text
    assert "1 set of results of 2." in third.text


def test_results_open_as_the_page_of_their_audit(tmp_path, get, monkeypatch):
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 20)
    table(tmp_path / "results.csv", HOSTILE, "acme/small")
    page = get("/", "/run/results.csv")[1]
    assert "The verdict" in page.text and "Items" in page.text and "All runs" in page.text
    assert "<img" not in page.text
    policy = page.headers["content-security-policy"]
    assert "script-src 'sha256-" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy


def test_damaged_results_say_so_in_the_list_and_on_their_page(tmp_path, get, monkeypatch):
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 20)
    (tmp_path / "results.csv").write_text("item,model,score\na,b,1\nc,d,e,f\n")
    _, listed, page = get("/", "/", "/run/results.csv")
    assert "problem" in listed.text and "row 2" in listed.text and "row 2" in page.text


def test_results_that_are_chosen_are_audited_together_and_not_with_runs(tmp_path, get, monkeypatch):
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 20)
    make_run(tmp_path / "run")
    for model in ("large", "small"):
        table(tmp_path / f"{model}.csv", model)
        shutil.copy(tmp_path / f"{model}.csv", tmp_path / "run")
    _, both, mixed = get("/", "/compare?run=large.csv&run=small.csv", "/compare?run=large.csv&run=run")
    assert "The verdict" in both.text and both.status_code == 200
    assert mixed.status_code == 400 and "be compared with results" in mixed.text


def test_a_file_that_ends_the_process_that_looks_is_no_results_and_the_others_are(tmp_path, get, monkeypatch):
    for name in ("bad.csv", "good.csv"):
        table(tmp_path / name, "m")
    original = module._ask

    async def ask(helper, what, *paths):
        if what == "listed" and any(path.name == "bad.csv" for path in paths):
            return module._ENDED
        return await original(helper, what, *paths)

    monkeypatch.setattr(module, "_ask", ask)
    page = get("/", "/")[1].text
    assert "/run/good.csv" in page and "/run/bad.csv" not in page


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv(page_cache.CACHE_ENV, str(tmp_path / "pages"))
    return tmp_path / "pages"


def test_the_page_of_results_is_kept_until_they_change_or_are_gone(kept, tmp_path, monkeypatch):
    path = table(tmp_path / "results.csv", "a", "b")
    first = worker.report([path])
    made = []
    monkeypatch.setattr(worker, "document_of", lambda paths: made.append(paths))
    assert worker.report([path]) == first and made == []
    page_cache.remove_stale()
    assert len(list(kept.iterdir())) == 1
    path.unlink()
    page_cache.remove_stale()
    assert list(kept.iterdir()) == []


def test_what_is_told_of_a_file_that_is_gone_does_no_harm(tmp_path):
    finder = RunFinder(tmp_path)
    finder.find()
    finder.tell({tmp_path / "gone.csv": ListedData("evaluation", (tmp_path / "gone.csv",))})
    assert finder.find() == {}
