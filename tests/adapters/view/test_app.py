"""The pages, called as a browser calls them."""

import asyncio
import json
import os
import re
import shutil
from types import SimpleNamespace

import pytest

from tests.adapters.examples import STEADY, examined, stopped
from tests.adapters.view.conftest import InProcess
from tests.adapters.view.test_runs import make_run
from voirdire.adapters.view import page_cache, worker
from voirdire.adapters.view import run_summaries as module
from voirdire.adapters.view.runs import ListedRun
from voirdire.runs import RunFolder

HOSTILE = "<img src=x onerror=alert(1)>\"'{{ 7 * 7 }}?a=b&c#d%41"


@pytest.fixture
def copied(labels, tmp_path):
    for name in ("first", "second"):
        shutil.copytree(labels, tmp_path / name)


def test_the_list_comes_at_once_and_what_takes_time_follows(copied, get):
    first, second = get("/", "/")
    assert "being counted" in first.text and "hallucinated_pct" not in first.text
    assert second.text.count("finished: 6 answers") == 2 and "hallucinated_pct <b>" in second.text


def test_a_run_that_was_stopped_says_how_much_is_judged_beside_its_figures(get, tmp_path):
    stopped(tmp_path / "run")
    listed = get("/", "/")[1].text
    assert "ER <b>not yet</b></div>" in listed and ": Judged so far: 6 answers at turn 1, " in listed


def test_the_list_marks_a_run_with_cautions_and_says_why_a_figure_is_not_reliable(study, get, monkeypatch, tmp_path):
    monkeypatch.setenv(page_cache.CACHE_ENV, "")
    shutil.copytree(study, tmp_path / "sound")
    examined(tmp_path / "few", STEADY, levels="0", concepts="recursion,phoneme", jury="reference")
    listed = get("/", "/")[1].text
    assert listed.count('<a href="/run/few" id="cautions-few">see cautions</a>') == 1
    gate = "K, a factor of ER, rests on 6 turns that have a FAR, and a limit in voirdire gate needs 10"
    assert listed.count(gate) == 1


def test_the_list_says_what_er_is_above_its_table_and_why_a_model_has_none(study, get, monkeypatch, tmp_path):
    shutil.copytree(study, tmp_path / "run")
    cells = {"value": "–", "ends": "", "why": "K has no value", "doubt": "", "n": None}
    monkeypatch.setenv(page_cache.CACHE_ENV, "")
    monkeypatch.setattr(worker, "_cells", lambda name, figure: cells)
    listed = get("/", "/")[1].text
    assert 'no ER: <span class="why" dir="auto">K has no value</span>' in listed
    assert listed.index("Epistemic reliability (ER") < listed.index("<table>")


@pytest.mark.parametrize(("running", "state", "shown"), [(True, 2, True), (False, 1, True), (False, 2, False)])
def test_figures_of_an_earlier_state_are_shown_of_a_run_that_goes_on_only(tmp_path, running, state, shown):
    figures = [{"name": "ER", "value": "0.6"}]
    facts = module.Facts(figures={"figures": figures}, figures_of=((1, 1),))
    row = module.RunSummary(ListedRun("run", tmp_path, ((state, 1),), running), facts)
    assert row.figures == (figures if shown else None)


@pytest.mark.parametrize(("counted_of", "status"), [(1, "unknown"), (2, "finished")])
def test_a_run_that_has_just_ended_is_not_called_stopped_by_what_was_counted_before(tmp_path, counted_of, status):
    counts = [6, 6, "dialogues"] if counted_of == 2 else [4, 6, "dialogues"]
    facts = module.Facts(progress={"counts": counts}, progress_of=((counted_of, 1),))
    row = module.RunSummary(ListedRun("run", tmp_path, ((2, 1),), running=False), facts)
    assert row.status == status


@pytest.mark.parametrize(("took", "fresh"), [(0.2, 1.0), (60.0, 15.0)])
def test_figures_of_a_run_that_goes_on_are_fresher_the_less_they_take(get, tmp_path, monkeypatch, took, fresh):
    now = [100.0]

    async def ask(*_):
        now[0] += took
        return {}

    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(module, "_ask", ask)
    found = ListedRun("run", tmp_path, ((1, 1),), running=True)
    board = module.Board(tmp_path)
    board._runs, board._facts, board._seen = [found], {tmp_path: module.Facts()}, now[0]
    asyncio.run(board._fill())
    assert board._facts[tmp_path].figures_fresh - now[0] == pytest.approx(fresh)


def test_what_is_known_of_a_run_that_has_not_changed_is_not_worked_out_again(copied, get, monkeypatch):
    asked = []
    original = module._ask
    monkeypatch.setattr(
        module, "_ask", lambda helper, what, *paths: asked.append(what) or original(helper, what, *paths)
    )
    get("/", "/", "/", "/")
    assert sorted(asked) == sorted(["listed", *["figures", "progress"] * 2])


def test_the_report_of_a_run_that_was_listed_is_there_when_it_is_opened(copied, get, monkeypatch, tmp_path):
    monkeypatch.setenv(page_cache.CACHE_ENV, str(tmp_path / ".pages"))
    get("/")
    monkeypatch.setattr("voirdire.adapters.view.worker.document_of", None)
    assert 'id="page-contents"' in get("/run/first").text


def test_a_list_that_was_seen_before_is_whole_at_once_after_a_restart(copied, get, monkeypatch, tmp_path):
    monkeypatch.setenv(page_cache.CACHE_ENV, str(tmp_path / ".pages"))
    seen = get("/", "/")[1].text
    asked = []
    ask = InProcess.ask
    monkeypatch.setattr(
        InProcess, "ask", lambda helper, line: asked.append(json.loads(line)["what"]) or ask(helper, line)
    )
    assert get("/").text == seen and "hallucinated_pct <b>" in seen
    assert "figures" not in asked and "progress" not in asked


def test_no_report_is_made_ahead_while_a_run_goes_on(copied, get, monkeypatch, tmp_path):
    monkeypatch.setenv(page_cache.CACHE_ENV, str(tmp_path / ".pages"))
    with RunFolder.open(tmp_path / "second"):
        get("/")
    assert list((tmp_path / ".pages").glob("*.page.gz")) == []


def test_while_somebody_waits_for_a_page_nothing_else_is_computed(copied, get, monkeypatch):
    happened = []
    for name in ("pause", "resume"):
        monkeypatch.setattr(InProcess, name, lambda _, name=name: happened.append(name))
    ask = InProcess.ask
    monkeypatch.setattr(
        InProcess, "ask", lambda helper, line: happened.append(json.loads(line)["what"]) or ask(helper, line)
    )
    monkeypatch.setattr(module, "_BREATH", 0)
    get("/report/first", "/live/list")
    made = happened.index("report")
    assert happened[:made].count("pause") > happened[:made].count("resume") and "resume" in happened[made:]


def test_a_run_under_way_shows_how_far_it_is_and_is_not_changed(get, labels, tmp_path):
    shutil.copytree(labels, tmp_path / "run")
    with RunFolder.open(tmp_path / "run"):
        before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()}
        page = get("/", "/run/run")[1].text
        assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()} == before
    assert "running: 6 of 6 answers done, 0 calls" in page and "Report so far" in page


def test_how_far_a_run_under_way_is_does_not_wait_for_its_figures(labels, tmp_path, monkeypatch):
    calls = iter(range(1, 9))

    async def ask(helper, what, *paths):
        if what == "figures":
            await asyncio.Event().wait()
        return {"counts": (next(calls), 6, "answers")} if what == "progress" else {}

    async def main():
        board = module.Board(tmp_path)
        shown = []
        for moment in (1, 2, 3):
            os.utime(tmp_path / "run" / "journal.sqlite", (moment, moment))
            shown.append((await board.rows())["run"].facts.counts)
        board._filling.cancel()
        return shown

    monkeypatch.setattr(module, "_ask", ask)
    shutil.copytree(labels, tmp_path / "run")
    with RunFolder.open(tmp_path / "run"):
        assert asyncio.run(main()) == [(each, 6, "answers") for each in (1, 2, 3)]


def test_a_finished_run_opens_as_its_report(copied, get, monkeypatch):
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 20)
    answer = get("/run/first")
    assert 'All runs</a> › <span dir="auto">first</span></p>' in answer.text and 'id="page-contents"' in answer.text
    policy = answer.headers["content-security-policy"]
    assert "script-src 'sha256-" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"


def test_while_a_report_is_being_made_the_page_says_so_and_then_it_is_there(copied, get, monkeypatch):
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 0)
    shell, live = get("/run/first", "/live/run/first")
    assert "The report is being made" in shell.text
    assert live.status_code in (200, 205)


def test_the_verdict_is_there_before_the_report(get, study, tmp_path, monkeypatch):
    shutil.copytree(study, tmp_path / "run")
    monkeypatch.setattr("voirdire.adapters.view.app._FIRST", 20)
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 0)
    page = get("/run/run").text
    assert 'id="page-contents"' not in page and "The report is being made" in page
    assert '<h2 id="page-title-1" dir="auto">Verdict</h2>' in page and '<div class="chart"' in page
    assert "style=" not in page and "<script>" not in page


def test_a_run_whose_report_is_kept_opens_without_anything_being_computed(get, study, tmp_path, monkeypatch):
    monkeypatch.setenv(page_cache.CACHE_ENV, str(tmp_path / ".pages"))
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 20)
    shutil.copytree(study, tmp_path / "run")
    first = get("/report/run").text
    asked = []
    ask = InProcess.ask
    monkeypatch.setattr(
        InProcess, "ask", lambda helper, line: asked.append(json.loads(line)["what"]) or ask(helper, line)
    )
    assert get("/run/run").text == first
    assert "overview" not in asked and "report" not in asked


def test_a_run_without_a_report_says_why_on_its_page(get, tmp_path, monkeypatch):
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 20)
    make_run(tmp_path / "calls", instrument="detector")
    page, live = get("/run/calls", "/live/run/calls")
    assert page.status_code == live.status_code == 200
    assert "There is no report on" in page.text and "There is no report on" in live.text


def test_search_works_without_script(copied, get, tmp_path):
    make_run(tmp_path / "other", models=["a/b"])
    found = get("/?q=A%2Fb").text
    assert "1 run of 3." in found and "/run/other" in found and "/run/first" not in found
    assert "Nothing matches" in get("/?q=nothing").text


def test_runs_are_compared_and_what_can_not_be_is_said(copied, get, tmp_path, monkeypatch):
    monkeypatch.setattr("voirdire.adapters.view.app._MOMENT", 20)
    make_run(tmp_path / "other")
    assert "Side by side" in get("/compare?run=first&run=second").text
    one, twice, strange, mixed = get(
        "/compare?run=first",
        "/compare?run=first&run=first",
        "/compare?run=first&run=none",
        "/compare?run=first&run=other",
    )
    assert one.status_code == twice.status_code == 400 and "Choose from 2 to 20 runs" in one.text
    assert strange.status_code == 404 and "no run of this name" in strange.text
    assert mixed.status_code == 400 and "Runs of different instruments can&#39;t be compared" in mixed.text


def test_names_and_models_are_shown_as_text_and_open_by_their_address(get, tmp_path):
    make_run(tmp_path / HOSTILE, models=[HOSTILE], instrument=HOSTILE)
    page, found = get("/", f"/?q={HOSTILE[:4]}")
    for each in (page, found):
        assert (
            "<img" not in each.text and "{{ 7 * 7 }}" in each.text and "&lt;img src=x onerror=alert(1)&gt;" in each.text
        )
    address = re.search(r'href="(/run/[^"]+)"', page.text)[1]
    opened = get(address)
    assert opened.status_code == 200 and "<img" not in opened.text


def test_a_name_that_is_no_utf_8_does_no_harm(get, tmp_path):
    make_run(tmp_path / "odd-\udcff")
    page = get("/").text
    assert "odd-?" in page
    assert get("/run/odd-%3F").status_code == 200


def test_a_damaged_run_is_said_in_its_row_and_can_not_be_chosen(get, tmp_path):
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "run.json").write_text("{")
    page, opened = get("/", "/run/half")
    assert "is damaged" in page.text and 'value="half"' not in page.text
    assert opened.status_code == 200 and "is damaged" in opened.text


@pytest.mark.parametrize(
    "path",
    ["/run/../../etc/passwd", "/run/%2e%2e/x", "/run//etc/passwd", "/run/", "/report/%2e%2e", "/live/run/x"],
)
def test_only_what_was_found_opens(get, tmp_path, path):
    make_run(tmp_path / "run")
    answer = get(path)
    assert answer.status_code == 404 and "root:" not in answer.text


def test_other_names_and_other_methods_are_refused(get):
    refused = get("/", name="elsewhere.example")
    assert refused.status_code == 421 and "the address that voirdire view printed" in refused.text
    assert get("/", method="POST").status_code == 405
    assert get("/", method="POST", headers={"Origin": "https://elsewhere.example"}).status_code == 403


def test_pages_hold_no_script_or_style_of_their_own_and_ask_nothing_of_others(copied, get, tmp_path):
    for page in get("/", "/run/none", "/compare", "/"):
        assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:|https?://", page.text)
        assert "unsafe" not in page.headers["content-security-policy"]


def test_an_empty_folder_says_what_a_run_is(get):
    assert "There are no runs and no results in this folder." in get("/").text
