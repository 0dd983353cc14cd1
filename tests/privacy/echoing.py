"""A server that repeats what it must not: the keys it was sent, in errors, headers, cookies, redirects and replies."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar

from tests.support.fake_replies import fake_reply


class _Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen: ClassVar[Counter] = Counter()
    """Calls by model, as a fault comes before the first reply of each."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = " ".join(f"{name}: {value}" for name, value in self.headers.items())
        self.server.authorized.append(self.headers.get("Authorization"))  # type: ignore[attr-defined]
        model = str(body["model"])
        first = model not in self.seen
        self.seen[model] += 1
        if first and not model.startswith("talks"):
            self._answer(int(model.partition("-")[0]), {"error": {"message": f"no good: {said} {self.path}"}}, said)
            return
        reply = fake_reply(body, f"{self.seen[model]:064x}")
        message = reply["choices"][0]["message"]
        if "response_format" not in body:
            message["content"] += f" My key is {said}."
        else:
            told = json.loads(message["content"])
            message["content"] = json.dumps(
                {
                    name: f"{value} {said}" if isinstance(value, str) and " " in value else value
                    for name, value in told.items()
                }
            )
        reply["model"] = f"model of {self.headers.get('Authorization')}"
        self._answer(200, reply, said)

    def _answer(self, status: int, content: dict, said: str) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("X-Echo", said)
        self.send_header("Set-Cookie", f"who={self.headers.get('Authorization', '').replace(' ', '_')}")
        if 300 <= status < 400:
            self.send_header("Location", f"http://elsewhere.invalid/{self.headers.get('Authorization')}")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def echoing() -> Iterator[ThreadingHTTPServer]:
    """The server, while the block runs; `server_address` says where, `authorized` what it was shown."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Echo", (_Echo,), {"seen": Counter()}))
    server.authorized = []  # type: ignore[attr-defined]
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
