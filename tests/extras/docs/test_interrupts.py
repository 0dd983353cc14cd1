"""A notebook's Stop button, in a real kernel, against a server of models in a process of its own."""

import os
import time
from queue import Empty

import pytest
from jupyter_client.manager import start_new_kernel

from tests.extras.docs._collect import ROOT
from tests.support.fake_openai import start_fake_server, stats

CELLS = {
    "the paper's quick start": """
from ddft import CognitiveProfiler
p = CognitiveProfiler(
    model="openai-api/subject", base_url={url!r}, run={run!r}
).run_complete_assessment()
""",
    "vd.run": """
import voirdire as vd
run = vd.run(models=["openai-api/subject"], base_url={url!r}, out={run!r}, preset="quick")
""",
}
IN_FULL = """
import voirdire as vd
run = vd.run(models=["simulated/steady"], jury=["simulated/judge"], concepts=["recursion", "phoneme"], preset="quick")
print(len(run.calls), run.path)
run
"""


CHART = """
import altair
import voirdire as vd
altair.renderers.enable("svg")
run = vd.run(models=["simulated/steady"], jury=["simulated/judge"], preset="quick", progress=False)
chart = run.plot().properties(title="One model")
chart.save("chart.html")
chart
"""


@pytest.fixture
def kernel(tmp_path):
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    manager, client = start_new_kernel(cwd=str(tmp_path), env={**os.environ, "PYTHONPATH": paths})
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def ended(client, code, meanwhile=lambda: None):
    """Run a cell to its end: what it printed, the name of its error and what it says, and what it shows.

    Of outputs that are replaced, as progress is, all versions count as printed; so does what is shown of an error.
    """
    asked, said, error, shown, begun = client.execute(code), "", None, {}, False
    while True:
        try:
            message = client.get_iopub_msg(timeout=60)
        except Empty:
            raise AssertionError(f"The cell did not end. It said: {said}") from None
        if message["parent_header"].get("msg_id") != asked:
            continue
        kind, content = message["msg_type"], message["content"]
        said += content.get("text", "") if kind == "stream" else ""
        said += content["data"]["text/plain"] + "\n" if kind in ("display_data", "update_display_data") else ""
        said += "\n".join(content["traceback"]) if kind == "error" else ""
        error = (content["ename"], content["evalue"]) if kind == "error" else error
        shown = content["data"] if kind == "execute_result" else shown
        if kind == "status" and content["execution_state"] == "idle":
            return said, error, shown
        if not begun:
            begun = True
            meanwhile()


@pytest.mark.parametrize("cell", CELLS.values(), ids=CELLS)
def test_the_stop_button_stops_a_run_whose_calls_hang_and_the_same_cell_goes_on(kernel, tmp_path, cell):
    manager, client = kernel
    path = tmp_path / "r"
    answered, hanging, calls = 12, 6, 2 * 3 * 5
    with start_fake_server(plan=["ok"] * answered + ["hang"] * hanging) as url:
        cell = cell.format(url=url, run=str(path))

        def stop():
            while stats(url)["total"] < answered + hanging:
                time.sleep(0.02)
            manager.interrupt_kernel()

        said, error, _ = ended(client, cell, stop)
        assert error == (
            "Interrupted",
            f"Interrupted. Every answer so far is kept in {path}. To go on, run the same command or cell again.",
        )
        assert "Stopping: answers that arrive within 2 s are kept, and the others asked again." in said
        assert stats(url)["total"] == answered + hanging  # no call was made after the button
        said, error, _ = ended(client, cell)
        assert error is None
        assert stats(url)["total"] == hanging + calls  # what had arrived was not asked for again
        assert "6 of 6 dialogues" in said  # and the cell shows how far it is


def test_a_cell_that_is_run_twice_shows_the_verdict_and_goes_on_with_the_same_run(kernel):
    _, client = kernel
    first, error, shown = ended(client, IN_FULL)
    assert error is None
    assert "not a leaderboard" in shown["text/html"] and "simulated/steady</td>" in shown["text/html"]
    assert shown["text/plain"].startswith("Run runs/steady-quick-")
    again, error, shown_again = ended(client, IN_FULL)
    assert error is None and shown_again == shown
    assert "is not asked again" in again and "is not asked again" not in first
    assert first.splitlines()[-1] == again.splitlines()[-1]  # as many calls, in the same folder


def test_a_cell_shows_a_runs_chart_as_altair_does_and_changes_it_as_altair_can(kernel, tmp_path):
    _, client = kernel
    _, error, shown = ended(client, CHART)
    assert error is None
    assert "One model" in shown["image/svg+xml"] and "simulated/steady" in shown["image/svg+xml"]
    assert shown["text/plain"].startswith("alt.FacetChart(")
    assert "simulated/steady" in (tmp_path / "chart.html").read_text()


WRONG = {
    "vd.run": ('vd.run(models=["nobody/x"])', "SpecError: "),
    "vd.detect": (
        'def check():\n    vd.detect("x", "y", detector="none")\ncheck()',
        "DetectorError: There is no detector",
    ),
    "vd.load": ('vd.load("/nowhere")', "RunFolderError: "),
    "vd.compare": ('vd.compare("/nowhere", "/elsewhere")', "RunFolderError: "),
    "vd.assert_floor": ('vd.assert_floor("/nowhere", min={"ER": 0.5})', "GateError: "),
}


@pytest.mark.parametrize(("cell", "begins"), WRONG.values(), ids=WRONG)
def test_an_error_of_ours_is_one_sentence_in_a_cell_and_any_other_keeps_its_traceback(kernel, cell, begins):
    _, client = kernel
    said, error, _ = ended(client, f"import voirdire as vd\n{cell}")
    assert said.startswith(begins) and "\n" not in said and said.endswith(".")
    assert said == f"{error[0]}: {error[1]}"
    said, error, _ = ended(client, "1 / 0")
    assert error[0] == "ZeroDivisionError" and "Traceback" in said and "1" in said


def test_a_cell_shows_every_model_of_a_run_and_its_table_is_replaced_not_repeated(kernel):
    _, client = kernel
    asked, outputs = client.execute(IN_FULL), []
    while True:
        message = client.get_iopub_msg(timeout=60)
        if message["parent_header"].get("msg_id") != asked:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind in ("display_data", "update_display_data"):
            outputs.append((kind, content["transient"]["display_id"], content["data"]))
        if kind == "status" and content["execution_state"] == "idle":
            break
    assert [kind for kind, *_ in outputs].count("display_data") == 1
    assert len({name for _, name, _ in outputs}) == 1
    last = outputs[-1][2]
    assert all(f"simulated/{name}: 30 of 30 calls" in last["text/plain"] for name in ("steady", "judge"))
    assert "<td>simulated/judge</td><td>30/30</td>" in last["text/html"]
