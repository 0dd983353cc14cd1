"""What the user is told while a run goes on."""

from __future__ import annotations

import io

import pytest

from voirdire.records import Usage
from voirdire.runs import PlainProgress, RichProgress, Totals, open_progress
from voirdire.runs.progress import NotebookProgress, Tally


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_tells_dialogues_calls_tokens_and_money() -> None:
    tally = Tally(40, totals=Totals(calls=999, input_tokens=5000, cost_usd=1.0))
    tally.done = 3
    tally.call_done(Usage(1000, 50), 0.5)
    tally.call_done(None, None)
    assert tally.line() == "3/40 dialogues · 1,001 calls (1 failed) · 6,000 tokens in, 50 out · $1.50"


def test_an_unknown_price_is_said_to_be_unknown() -> None:
    tally = Tally(1)
    tally.call_done(Usage(10, 5), None)
    assert "cost unknown" in tally.line()
    tally.call_done(Usage(10, 5), 0.25)
    assert "$0.2500 and 1 call of unknown price" in tally.line()


def test_a_free_run_costs_nothing() -> None:
    tally = Tally(1)
    tally.call_done(Usage(10, 5), 0.0)
    assert "$0.00" in tally.line()


def test_time_left_follows_the_pace_of_this_session() -> None:
    clock = Clock()
    tally = Tally(100, clock)
    tally.done = 60  # found complete in the journal
    assert tally.seconds_left() is None
    tally.call_done(Usage(), 0.0)
    assert tally.seconds_left() is None
    clock.now += 120
    tally.done = 70
    assert tally.seconds_left() == 360
    assert tally.line().endswith("6 min 00 s left")
    clock.now += 12_000
    assert "h " in tally.line()


def test_time_left_is_that_of_the_slowest_model_not_of_the_mean() -> None:
    clock = Clock()
    tally = Tally(120, clock)
    tally.expect({"fast": 60, "slow": 60})
    tally.dialogue_done("slow")  # of an earlier session: says nothing of the pace
    tally.call_done(Usage(), 0.0)
    clock.now += 60
    for _ in range(60):
        tally.dialogue_done("fast")
    assert tally.seconds_left() is None  # nothing is known of the slow one yet
    for _ in range(10):
        tally.dialogue_done("slow")
    assert tally.done == 71
    assert tally.seconds_left() == 60 / 10 * 49
    tally.dialogues_spared(29, "slow")
    assert tally.seconds_left() == 60 / 10 * 20
    for _ in range(20):
        tally.dialogue_done("slow")
    assert tally.seconds_left() == 0
    assert "left" not in tally.line()


def test_plain_lines_come_every_few_seconds_at_most_and_one_at_the_end() -> None:
    clock, stream = Clock(), io.StringIO()
    with PlainProgress(1000, stream, every=5, clock=clock) as progress:
        progress.begin(Totals(calls=7))
        for _ in range(1000):
            clock.now += 0.011
            progress.call_done(Usage(1, 1), 0.0)
            progress.dialogue_done()
        progress.say("A model has gone.")
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2 + 1 + 1
    assert lines[2] == "A model has gone."
    assert lines[3].startswith("1000/1000 dialogues · 1,007 calls")


def test_a_terminal_gets_a_bar_and_a_file_gets_lines() -> None:
    assert isinstance(open_progress(3, io.StringIO()), PlainProgress)
    terminal = Terminal()
    with open_progress(3, terminal) as progress:
        assert isinstance(progress, RichProgress)
        progress.begin(Totals())
        progress.call_done(Usage(10, 5), 0.02)
        progress.dialogue_done()
        progress.say("[bold]as it is[/bold]")
    assert "1/3 dialogues" in terminal.getvalue()
    assert "$0.0200" in terminal.getvalue()
    assert "[bold]as it is[/bold]" in terminal.getvalue()


def test_dialogues_that_need_not_be_held_are_no_longer_waited_for() -> None:
    for progress in (PlainProgress(40, io.StringIO()), RichProgress(40, io.StringIO())):
        with progress:
            progress.dialogue_done()
            progress.dialogues_spared(30)
        assert progress._tally.line().startswith("1/10 dialogues")


class Gone(io.StringIO):
    """A terminal, or a pipe, that can go away."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal
        self.gone = False

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        if self.gone:
            raise OSError(5, "Input/output error")
        return super().write(text)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_terminal_or_a_pipe_that_is_gone_does_not_end_a_run(terminal: bool) -> None:
    stream = Gone(terminal)
    with open_progress(2, stream) as progress:
        stream.gone = True
        progress.call_done(Usage(1, 1), 0.0)
        progress.say("told to nobody")
        progress.dialogue_done()


def test_in_a_notebook_one_line_is_written_over_and_what_is_told_has_its_own() -> None:
    stream = io.StringIO()
    with NotebookProgress(2, stream) as progress:
        progress.call_done(Usage(1, 1), 0.0)
        progress._show()
        progress.say("Stopping.")
    first, told, last = stream.getvalue().split("\n")
    assert first.startswith("\r0/2 dialogues · 1 call · 1 token in, 1 out")
    assert told == "Stopping."
    assert last.startswith("\r0/2 dialogues")
