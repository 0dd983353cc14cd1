import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest

from tests.cli.here import voirdire
from voirdire.cognibench import detection_workers as workers
from voirdire.cognibench.detection import Count
from voirdire.cognibench.detection_workers import DetectTask, default_workers, detect_items
from voirdire.cognibench.formats import Problems, iter_entries
from voirdire.cognibench.records import CognibenchError

TASK = DetectTask("lexical")


@pytest.fixture(scope="module")
def pool():
    """Two processes for all tests, unless they look at how such processes end."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.fixture
def soon(monkeypatch, pool):
    """Other processes work from the second chunk on."""
    monkeypatch.setattr(workers, "FEW", workers.CHUNK)
    lent = SimpleNamespace(submit=pool.submit, shutdown=lambda **_: None)
    monkeypatch.setattr(workers, "ProcessPoolExecutor", lambda *_, **__: lent)


def write(path, count=150, **last):
    """Answers of two sentences; every tenth stands there under the id of the one before, with a label on nothing."""
    entries = [
        {
            "id": f"a{number - (number % 10 == 9)}",
            "context": f"House {number} is red. It was built in {1800 + number}.",
            "answer": f"House {number} is red. It was built in {1800 + number + number % 2}.",
            **({"labels": {"Nowhere.": True}} if number % 10 == 9 else {}),
        }
        for number in range(count)
    ]
    path.write_text("\n".join(json.dumps(each) for each in [*entries, *([last] if last else [])]))
    return path


def found(path, processes):
    problems, count = Problems(), Count()
    detected = list(detect_items(iter_entries(path), TASK, workers=processes, tell=problems, count=count))
    return detected, problems.sentences(), count


def test_several_processes_give_what_one_gives_in_the_same_order(tmp_path, soon):
    path = write(tmp_path / "data.jsonl")
    one, several = found(path, 1), found(path, 2)
    assert one == several
    assert [each.answer.id for each in one[0]][8:12] == ["a8", "a8#2", "a10", "a11"]
    assert one[2].answers == 150
    assert one[1][0].startswith("Labels that stand on no sentence of their answer: 15 (")


def test_answers_of_a_data_set_that_is_read_as_a_whole_go_the_same_way(soon, tmp_path):
    path = write(tmp_path / "data.jsonl", 70)
    (tmp_path / "set").mkdir()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    sources = [{"source_id": f"s{n}", "source_info": each["context"]} for n, each in enumerate(lines)]
    responses = [
        {"id": f"r{n}", "source_id": f"s{n}", "response": each["answer"], "labels": [], "split": "test"}
        for n, each in enumerate(lines)
    ]
    (tmp_path / "set" / "source_info.jsonl").write_text("\n".join(map(json.dumps, sources)))
    (tmp_path / "set" / "response.jsonl").write_text("\n".join(map(json.dumps, responses)))
    assert found(tmp_path / "set", 2) == found(tmp_path / "set", 1)


def test_what_stands_before_a_fault_is_given_first(tmp_path, soon):
    path = write(tmp_path / "data.jsonl")
    path.write_text(path.read_text() + "\nno JSON\n")
    seen = []
    with pytest.raises(CognibenchError, match="line 151: it is no JSON"):
        for each in detect_items(iter_entries(path), TASK, workers=2):
            seen.append(each.answer.id)
    assert len(seen) == 150


def test_an_entry_that_is_no_answer_is_named_whoever_reads_it(tmp_path, soon):
    path = write(tmp_path / "data.jsonl", context="c")
    with pytest.raises(CognibenchError, match="line 151: it has no answer"):
        list(detect_items(iter_entries(path), TASK, workers=2))


def test_few_answers_start_no_process(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "ProcessPoolExecutor", None)
    assert len(found(write(tmp_path / "data.jsonl"), 2)[0]) == 150


def test_detectors_that_load_weights_or_ask_a_model_have_one_process(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    assert [default_workers(name) for name in ("lexical", "lexical-learned:x", "nli:m", "llm:openai/x")] == [3, 3, 1, 1]


def test_a_detector_that_asks_a_model_has_one_process(tmp_path):
    path = write(tmp_path / "data.jsonl", 2)
    done = voirdire("detect", path, "--detector", "llm:openai/gpt-5.1", "--workers", "2", check=False)
    assert (done.returncode, "from one process: leave out --workers" in done.stderr) == (1, True)


def test_parquet_comes_out_as_json_lines_do(tmp_path):
    path = write(tmp_path / "data.jsonl", 30)
    voirdire("detect", path, "-o", tmp_path / "out.jsonl")
    voirdire("detect", path, "-o", tmp_path / "out.parquet")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == [{"model": None, **line} for line in lines]


def test_a_parquet_file_stands_under_its_name_only_when_it_is_complete(tmp_path):
    path = write(tmp_path / "data.jsonl", 30, context="c")
    assert voirdire("detect", path, "-o", tmp_path / "out.parquet", check=False).returncode == 1
    assert not (tmp_path / "out.parquet").exists()


def test_killed_it_leaves_nothing_half_written_and_says_so(tmp_path, monkeypatch):
    path = write(tmp_path / "data.jsonl", 3)
    monkeypatch.setattr(workers, "detect", lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM) or [])
    done = voirdire("detect", path, "-o", tmp_path / "out.jsonl", check=False)
    assert done.returncode == 130 and "Interrupted. Files are as they were before" in done.stderr
    assert list(tmp_path.iterdir()) == [path]


def hears_ctrl_c():
    """Also where the tests themselves run in the background, and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_all_processes_and_none_of_them_complains(tmp_path):
    path = write(tmp_path / "data.jsonl", 6_000)
    command = [sys.executable, "-m", "voirdire", "detect", str(path), "--workers", "2", "--json"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes, start_new_session=True, preexec_fn=hears_ctrl_c) as process:
        for _ in range(workers.FEW + 300):  # by then, others are at work
            assert process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it: all of them are told
        _, told = process.communicate()  # ends when no process holds the pipes any more
    assert process.returncode == 130, told[-3000:]
    assert "Traceback" not in told
