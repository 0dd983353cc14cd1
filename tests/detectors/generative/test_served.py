"""A detector behind an OpenAI-compatible server: no torch, every call on record."""

import asyncio
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import isnan
from pathlib import Path

import pytest

from tests.support.fake_openai import control, start_fake_server, stats
from voirdire.detectors import DetectorError, DetectorOptions, Passage, open_detector
from voirdire.detectors.generative._detector import GenerativeDetector
from voirdire.detectors.generative.cognidet import NONE, format_reply
from voirdire.runs import Interrupted, RunFolder

PASSAGES = [Passage("The tower is high.", ("It is high.", "It is loved.")), Passage("It is old.", ("It is new.",))]


class Server(ThreadingHTTPServer):
    request_queue_size = 100
    """Connections at once; one too many would be tried again after a second."""


@contextmanager
def saying(
    text: str, finish_reason: str = "stop", on_first: Callable[[], None] | None = None
) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """A server that always says the same; yields its base URL and the requests that came."""
    asked: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            if len(asked) == 1 and on_first:
                on_first()
            message = {"role": "assistant", "content": text}
            reply = {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "served",
                "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
            body = json.dumps(reply).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def served(base_url: str, folder: Path | None = None, kind: str = "cognidet") -> GenerativeDetector:
    detector = open_detector(f"{kind}:openai-api/served", DetectorOptions(base_url=base_url, folder=folder))
    assert isinstance(detector, GenerativeDetector)
    return detector


def test_a_served_cognidet_lists_sentences() -> None:
    with saying(format_reply(["It is loved."])) as (base_url, asked):
        detector = served(base_url)
        assert detector.flag_many(PASSAGES) == [[0, 1], [0]]
    assert detector.unplaced == ("It is loved.",)  # it is no sentence of the second answer
    assert {request["temperature"] for request in asked} == {0.0}
    assert "The tower is high." in json.dumps(asked)


def test_a_served_reply_that_was_cut_leaves_sentences_open() -> None:
    with saying(format_reply(["It is high.", "It is"]), "length") as (base_url, _):
        scores = served(base_url).flag(*PASSAGES[0])
    assert scores[0] == 1
    assert isnan(scores[1])


def test_the_span_detectors_can_be_served_too() -> None:
    with saying('{"hallucination list": ["loved"]}') as (base_url, _):
        assert served(base_url, kind="ragtruth").flag(*PASSAGES[0]) == [0, 1]
    with saying("It is high. <subjective>It is loved.</subjective>") as (base_url, _):
        assert served(base_url, kind="fava").flag(*PASSAGES[0]) == [0, 1]


def test_it_can_be_asked_where_an_event_loop_runs() -> None:
    async def notebook(detector: GenerativeDetector) -> list[float]:
        return detector.flag(*PASSAGES[0])

    with saying(format_reply(["It is loved."])) as (base_url, _):
        assert asyncio.run(notebook(served(base_url))) == [0, 1]


def test_calls_are_recorded_and_not_repeated_and_a_failed_one_is_tried_again(tmp_path: Path) -> None:
    with start_fake_server(plan="400,ok") as base_url:
        first = served(base_url, tmp_path)
        first.flag_many(PASSAGES)
        assert sum("the call failed" in fault for fault in first.faults) == 1
        served(base_url, tmp_path).flag_many(PASSAGES)
        assert stats(base_url)["total"] == 3
        served(base_url, tmp_path).flag_many(PASSAGES)
        assert stats(base_url)["total"] == 3
        control(base_url, plan="")
        with RunFolder.open(tmp_path / "cognidet-openai-api-served") as folder:
            assert folder.manifest["detector"] == "cognidet:openai-api/served"
            assert [entry.slot.role for entry in folder.journal.replies()] == ["detector", "detector"]


def test_an_interrupted_call_gives_no_half_of_the_scores_and_goes_on_later(tmp_path: Path) -> None:
    passages = [Passage(f"Context {number}.", ("It is so.",)) for number in range(25)]
    with saying(NONE, on_first=lambda: os.kill(os.getpid(), signal.SIGINT)) as (base_url, asked):
        with pytest.raises(Interrupted):
            served(base_url, tmp_path).flag_many(passages)
        answered = len(asked)
        assert 0 < answered < 25
        assert served(base_url, tmp_path).flag_many(passages) == [[0]] * 25
        assert len(asked) == 25


def test_a_server_that_refuses_everything_is_an_error() -> None:
    with start_fake_server(key="another") as base_url, pytest.raises(DetectorError, match=r"judged nothing.*auth"):
        served(base_url).flag_many(PASSAGES)


def test_a_server_without_an_address_is_said_at_once() -> None:
    with pytest.raises(DetectorError, match="base"):
        open_detector("cognidet:openai-api/served")
