"""Pages that are kept: made once for each state of a run, and for nobody else's eyes."""

import json
import shutil

import pytest

from voirdire.adapters.view.page_cache import CACHE_ENV, cached_figures, cached_page, remove_stale


@pytest.fixture
def kept(monkeypatch, tmp_path):
    monkeypatch.setenv(CACHE_ENV, str(tmp_path / "pages"))
    return tmp_path / "pages"


class Maker:
    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        return {"page": f"<p>{self.times} \U0001f600</p>", "policy": "p"}


def test_a_page_is_made_once_until_its_run_changes(kept, labels, tmp_path):
    run, make = shutil.copytree(labels, tmp_path / "run"), Maker()
    first = cached_page("report", [run], make)

    assert cached_page("report", [run], make) == first and make.times == 1
    (run / "noted.txt").write_text("more")
    assert cached_page("report", [run], make) != first and make.times == 2
    assert cached_page("comparison", [run], make) and make.times == 3


def test_a_secret_that_becomes_known_makes_it_again(kept, labels, monkeypatch):
    make = Maker()
    cached_page("report", [labels], make)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-proj-0123456789abcdefghij")
    cached_page("report", [labels], make)

    assert make.times == 2


def test_only_the_owner_reads_them_and_a_damaged_one_is_made_again(kept, labels):
    make = Maker()
    cached_page("report", [labels], make)
    (page,) = kept.iterdir()

    assert page.stat().st_mode & 0o077 == 0 and kept.stat().st_mode & 0o077 == 0
    page.write_bytes(page.read_bytes()[:40])
    assert cached_page("report", [labels], make)["page"].startswith("<p>2") and make.times == 2


def test_what_was_made_of_runs_that_are_gone_is_removed(kept, labels, tmp_path):
    run = shutil.copytree(labels, tmp_path / "run")
    for each in (run, labels):
        cached_page("report", [each], Maker())
        cached_figures(each, Maker())
    shutil.rmtree(run)
    remove_stale()

    assert len(list(kept.iterdir())) == 2


def test_nothing_is_kept_where_nothing_shall_be(monkeypatch, labels):
    monkeypatch.setenv(CACHE_ENV, "")
    make = Maker()
    cached_page("report", [labels], make), cached_page("report", [labels], make)

    assert make.times == 2


def test_a_report_made_ahead_is_there_when_it_is_asked_for(kept, labels, monkeypatch):
    from voirdire.adapters.view import worker

    assert worker.prepare([labels]) == {}
    monkeypatch.setattr(worker, "document_of", None)
    assert json.dumps(worker.report([labels])).count("<html") == 1


def test_figures_are_worked_out_once_until_their_run_changes(kept, labels, tmp_path, monkeypatch):
    from voirdire.adapters.view import worker

    run, found = shutil.copytree(labels, tmp_path / "run"), []
    work_out = worker._figures
    monkeypatch.setattr(worker, "_figures", lambda paths: found.append(work_out(paths)) or found[-1])
    first = worker.figures([run])
    assert worker.figures([run]) == first and first["figures"] and len(found) == 1
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept.iterdir())

    (run / "noted.txt").write_text("more")
    worker.figures([run])
    assert len(list(kept.iterdir())) == 1  # the last of each run
    monkeypatch.setenv(CACHE_ENV, "")
    worker.figures([run])
    assert len(found) == 3
