"""What takes long says so on stderr where somebody watches, and only then."""

import io
import sys
import time

import pytest

from voirdire.cli._progress import computing


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "after", "said"),
    [(Terminal(), 0.0, "Making the report …\n"), (Terminal(), 60.0, ""), (io.StringIO(), 0.0, "")],
    ids=["slow", "fast", "no terminal"],
)
def test_a_line_tells_of_what_takes_long_in_a_terminal(monkeypatch, stream, after, said):
    monkeypatch.setattr(sys, "stderr", stream)
    with computing("Making the report", after=after):
        until = time.monotonic() + 2
        while said and not stream.getvalue() and time.monotonic() < until:
            time.sleep(0.001)
    assert stream.getvalue() == said
