"""What the user is told while a run goes on."""

from __future__ import annotations

import io
import re

import pytest

from voirdire.records import Usage
from voirdire.runs import ModelCounts, PlainProgress, RichProgress, Totals, Workload, open_progress
from voirdire.runs.progress_display import NotebookProgress
from voirdire.runs.progress_tally import Tally
from voirdire.runs.progress_text import brief, html_table, log_line, table_lines


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def tally_of(*models: ModelCounts, dialogues: int = 40, clock: Clock | None = None) -> Tally:
    tally = Tally(dialogues, clock or Clock())
    tally.begin(models)
    return tally


def pass_time(tally: Tally, clock: Clock, seconds: float, answers: int) -> None:
    """So many of each model's answers take this long."""
    tally._answered_before = {}
    now = [model.totals for model in tally.models]
    for model, totals in zip(tally.models, now, strict=True):
        model.totals = totals._replace(calls=totals.calls - answers)
    tally.call_done()
    clock.now += seconds
    for model, totals in zip(tally.models, now, strict=True):
        model.totals = totals


# --- counts ---------------------------------------------------------------------------------------------


def test_dialogues_that_ended_without_all_answers_count_as_failed() -> None:
    tally = tally_of(ModelCounts("a/b"), dialogues=2)
    tally.dialogue_done("a/b", failed=True)
    tally.dialogue_done("a/b")
    assert log_line(tally).startswith("2 of 2 dialogues done, 1 of them failed · ")


def test_a_model_counts_its_attempts_and_what_earlier_sessions_and_the_cache_had() -> None:
    model = ModelCounts("a/b", Totals(calls=10, errors=3, input_tokens=100, cost_usd=1.0, cached=2))
    assert model.answered == 9
    model.count(Usage(1000, 50), 0.5)
    model.count(None, None)
    model.count(Usage(10, 5), None)
    model.count_cached()
    assert model.totals == Totals(13, 4, 1110, 55, 1.5, 1, 3)
    assert model.answered == 12


def test_a_pause_of_the_provider_keeps_all_calls_waiting_and_a_retry_only_those_that_failed() -> None:
    model = ModelCounts("a/b", under_way=7, in_flight=2, retrying=1, retry_at=104.0)
    assert model.waiting(100.0) == (1, 4.0)
    model.paused(130.0)
    model.paused(110.0)  # an older answer does not shorten it
    assert model.waiting(100.0) == (5, 30.0)
    assert model.waiting(131.0) == (0, 0.0)
    model.retrying = 0
    model.free_at = 0.0
    assert model.waiting(100.0) == (0, 0.0)


def test_calls_are_expected_of_every_model_by_the_dialogues_of_each_subject() -> None:
    tally = tally_of(ModelCounts("a"), ModelCounts("b"), ModelCounts("judge"), ModelCounts("other"))
    assert tally.total().expected is None
    tally.expect(
        [Workload("a", 30, {"a": 5, "judge": 5}), Workload("b", 10, {"b": 5, "judge": 5, "other": 2})],
        names={"b": "bee"},
        estimated={"judge"},
    )
    rows = {row.name: (row.expected, row.estimated) for row in tally.rows()}
    assert rows == {"a": (150, False), "bee": (50, False), "judge": (200, True), "other": (20, False)}
    assert (tally.total().expected, tally.total().estimated) == (420, True)
    tally.dialogues_spared(20, "a")
    assert tally.total().expected == 220
    tally.models[3].totals = Totals(calls=21)  # a reply was asked for once more: what was expected was not exact
    assert (tally.rows()[3].expected, tally.rows()[3].estimated) == (21, True)


def test_calls_that_nobody_could_foresee_are_none_that_lack_once_all_dialogues_are_done() -> None:
    made = Totals(calls=3, cached=1)
    tally = tally_of(ModelCounts("subject", made), ModelCounts("judge", made), dialogues=1)
    tally.expect([Workload("subject", 1, {"subject": 5, "judge": 5})], estimated={"judge"})
    assert [(row.expected, row.estimated) for row in tally.rows()] == [(5, False), (5, True)]

    tally.dialogue_done("subject")
    assert [(row.expected, row.estimated) for row in tally.rows()] == [(5, False), (4, False)]
    assert "2 replies from the cache" in log_line(tally)


def test_every_model_has_its_own_time_left_and_all_together_that_of_the_slowest() -> None:
    clock = Clock()
    fast, slow = ModelCounts("fast", Totals(calls=10), under_way=1), ModelCounts("slow", under_way=1)
    tally = tally_of(fast, slow, dialogues=60, clock=clock)
    tally.expect([Workload("fast", 30, {"fast": 1}), Workload("slow", 30, {"slow": 1})])
    fast.totals, slow.totals = Totals(calls=11), Totals(calls=1)
    tally.call_done()
    clock.now += 15
    assert [row.seconds_left for row in tally.rows()] == [None, None]
    fast.totals, slow.totals = Totals(calls=20), Totals(calls=6)
    assert [row.seconds_left for row in tally.rows()] == [15 / 9 * 10, 72.0]
    fast.under_way = 0  # it waits for what the other answers
    assert [row.seconds_left for row in tally.rows()] == [None, 72.0]
    assert tally.total().seconds_left == 72.0


def test_the_time_left_counts_the_calls_of_dialogues_under_way() -> None:
    clock, model = Clock(), ModelCounts("one")
    tally = tally_of(model, dialogues=8, clock=clock)
    tally.expect([Workload("one", 8, {"one": 5})])
    model.totals = Totals(calls=1)
    tally.call_done()
    for _ in range(6):
        tally.dialogue_done("one")
    clock.now += 380
    model.totals = Totals(calls=39)
    assert tally.seconds_left() == pytest.approx(380 / 3) and tally.total().seconds_left == 10


def test_after_resuming_the_time_left_is_told_by_the_calls_of_this_session_and_not_by_the_loading_of_a_model() -> None:
    clock, model = Clock(), ModelCounts("local", Totals(calls=160))
    tally = Tally(40, clock)
    tally.begin([model])
    tally.expect([Workload("local", 40, {"local": 5})])
    for _ in range(32):
        tally.dialogue_done("local")
    clock.now += 20  # the model is loaded
    for answered in range(161, 167):
        clock.now += 0.5
        model.totals = Totals(calls=answered)
        tally.call_done()
        if answered < 166:
            assert tally.total().seconds_left is None and "left" not in log_line(tally)
    assert tally.total().seconds_left == 0.5 * 34


def test_of_calls_side_by_side_the_first_are_waited_for_before_there_is_a_pace() -> None:
    clock, model = Clock(), ModelCounts("hosted", in_flight=8)
    tally = tally_of(model, dialogues=40, clock=clock)
    tally.expect([Workload("hosted", 40, {"hosted": 1})])
    for answered in range(1, 25):
        clock.now += 10 if answered % 8 == 1 else 0
        model.totals = Totals(calls=answered)
        tally.call_done()
        assert (tally.total().seconds_left is None) == (answered < 16)
    assert tally.total().seconds_left == 20  # 16 more calls, 8 every 10 s


def test_while_an_answer_is_waited_for_the_time_left_never_grows() -> None:
    clock, model = Clock(), ModelCounts("local", under_way=2)
    tally = tally_of(model, dialogues=40, clock=clock)
    tally.expect([Workload("local", 40, {"local": 1})])
    for answered in range(1, 11):
        clock.now += 6
        model.totals = Totals(calls=answered)
        tally.call_done()
    told = []
    for _ in range(20):
        told.append(tally.total().seconds_left)
        clock.now += 3
    assert told[:3] == [180, 177, 174] and set(told[2:]) == {174}
    model.totals = Totals(calls=11)
    tally.call_done()
    assert tally.total().seconds_left == pytest.approx((54 + 60) / 10 * 29)  # what the slow one took counts with it


def test_a_time_left_that_has_passed_without_an_answer_is_withdrawn() -> None:
    clock, fast, slow = Clock(), ModelCounts("fast", under_way=1), ModelCounts("slow", under_way=1)
    tally = tally_of(fast, slow, dialogues=12, clock=clock)
    tally.expect([Workload("", 12, {"fast": 1, "slow": 1})])
    for answered in range(1, 11):
        clock.now += 1
        fast.totals = Totals(calls=answered)
        tally.call_done()
        clock.now += 9
        slow.totals = Totals(calls=answered)
        tally.call_done()
    assert (tally.total().seconds_left, tally.rows()[1].seconds_left) == (20, 20)
    clock.now += 20
    assert tally.rows()[0].seconds_left is None, "29 s without an answer, and 20 were left"
    assert (tally.total().seconds_left, tally.rows()[1].seconds_left) == (10, 10)
    clock.now += 1
    assert tally.total().seconds_left is None and "left" not in log_line(tally)
    slow.totals = Totals(calls=11)
    tally.call_done()
    assert tally.total().seconds_left == pytest.approx(111 / 10), "an answer brings it back"


def test_the_time_that_the_first_call_takes_counts_in_the_time_left_of_dialogues() -> None:
    clock, model = Clock(), ModelCounts("local")
    tally = tally_of(model, dialogues=10, clock=clock)
    tally.expect([Workload("local", 10, {"local": 1})])
    clock.now += 500
    for _ in range(4):
        tally.dialogue_done("local")  # found complete in the journal
    clock.now += 30
    model.totals = Totals(calls=1)
    tally.call_done()
    tally.dialogue_done("local")
    assert tally.seconds_left() == 30 * 5


def test_a_session_that_stops_has_no_time_left() -> None:
    clock, model = Clock(), ModelCounts("one")
    tally = tally_of(model, dialogues=60, clock=clock)
    tally.expect([Workload("one", 60, {"one": 1})])
    model.totals = Totals(calls=10)
    tally.call_done()
    clock.now += 10
    model.totals = Totals(calls=20)
    assert "40 s left" in log_line(tally)
    model.stopped = True
    assert "left" not in log_line(tally)


def test_time_left_follows_the_pace_of_this_session() -> None:
    clock = Clock()
    tally = Tally(100, clock)
    tally.done = 60  # found complete in the journal
    assert tally.seconds_left() is None
    tally.call_done()
    assert tally.seconds_left() is None
    clock.now += 120
    tally.done = 70
    assert tally.seconds_left() == 360
    assert log_line(tally).endswith("6 min left")
    clock.now += 12_000
    assert log_line(tally).endswith(" h left")


def test_time_left_is_that_of_the_slowest_model_not_of_the_mean() -> None:
    clock = Clock()
    tally = Tally(120, clock)
    tally.expect([Workload("fast", 60), Workload("slow", 60)])
    tally.dialogue_done("slow")  # of an earlier session: says nothing of the pace
    tally.call_done()
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
    assert "left" not in log_line(tally)


def test_the_share_that_is_done_counts_calls_where_their_number_is_known() -> None:
    subject = ModelCounts("a", Totals(936))
    tally = Tally(72)
    tally.done = 18
    assert tally.share_done == 0.25
    tally.begin([subject])
    tally.expect([Workload("a", 72, {"a": 15})])
    assert log_line(tally).startswith(
        "0 of 72 dialogues done · 86 % of all calls done · "
    ) and "936 of 1,080 calls" in log_line(tally)
    assert tally.share_done == 936 / 1080
    assert Tally(0).share_done == 1


# --- words ----------------------------------------------------------------------------------------------


def test_one_line_has_all_that_the_rows_have() -> None:
    subject = ModelCounts("a/subject", Totals(999, 4, 5000, 50, 1.0), 14, 2, 3, 12, 1, free_at=134.0)
    judge = ModelCounts("b/judge", Totals(20, 0, 1000, 0, 0.5), 1, 1)
    tally = tally_of(subject, judge)
    tally.expect([Workload("a/subject", 40, {"a/subject": 50, "b/judge": 1.15})], estimated={"b/judge"})
    tally.done = 3
    assert log_line(tally) == (
        "3 of 40 dialogues done · 49 % of all calls done · 6,000 tokens in, 50 out · 1,015 of about 2,046 calls · "
        "3 running · 12 waiting for up to 34 s · 12 retries · 1 failed · $1.50 | "
        "a/subject: 995 of 2,000 calls, 2 running, 12 waiting for up to 34 s, 12 retries, 1 failed, $1.00 | "
        "b/judge: 20 of about 46 calls, 1 running, $0.5000"
    )


def test_a_limit_that_a_provider_has_lowered_is_shown_beside_its_model() -> None:
    limited = ModelCounts("a/limited", Totals(5), at_once=4, rate_limits=2)
    said = "at most 4 at once after 2 rate limits"
    assert f" · {said} · " in log_line(tally_of(limited))
    assert log_line(tally_of(limited, ModelCounts("b"))).count(said) == 1
    heads, *rows = table_lines(tally_of(limited, ModelCounts("b")), 80)
    assert heads.split() == ["model", "calls", "running", "limit", "retries", "cost", "left"]
    assert ["4 at once" in row for row in rows] == [True, False, False]
    assert "<td>4 at once</td>" in html_table(tally_of(limited))
    limited.at_once = None  # it has grown back
    assert "at once" not in log_line(tally_of(limited)) + html_table(tally_of(limited))


def test_an_unknown_price_is_said_to_be_unknown_and_a_free_run_costs_nothing() -> None:
    assert log_line(tally_of(ModelCounts("a", Totals(1, unknown_price=1)))).endswith("1 call · unknown")
    known_in_part = Totals(2, cost_usd=0.25, unknown_price=1)
    assert log_line(tally_of(ModelCounts("a", known_in_part))).endswith("2 calls · $0.2500 and more")
    assert log_line(tally_of(ModelCounts("a", Totals(1)))).endswith("1 call · $0.00")
    assert log_line(tally_of(ModelCounts("a", in_flight=2))).endswith("0 calls · 2 running, no answer yet · $0.00")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (119, "119 s"), (120, "2 min"), (3599, "60 min"), (7200, "2.0 h"), (360_000, "100.0 h")],
)
def test_times_are_brief(seconds: float, said: str) -> None:
    assert brief(seconds) == said


LONG = "openai-api/an-organisation/a-model-with-a-very-long-name-2026-05-preview-"
FIGURES = ["24,380/48,000", "120", "3,001, 34 s", "1,234", "17", "$1,234.56", "2.5 h"]


def busy(*names: str) -> Tally:
    """Every model with figures that need a lot of room."""
    clock = Clock()
    models = [
        ModelCounts(name, Totals(24_397, 17, cost_usd=1234.56), 3121, 120, 5, 1234, 17, free_at=34 + 100 + 3600.0)
        for name in names
    ]
    tally = tally_of(*models, dialogues=9600 * len(models), clock=clock)
    tally.expect([Workload(name, 9600, {name: 5}) for name in names])
    pass_time(tally, clock, 3600, 9_290)
    return tally


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("names", [["a/b"], [f"{LONG}one", f"{LONG}two"]], ids=["short", "long"])
def test_names_are_shortened_and_figures_never(width: int, names: list[str]) -> None:
    lines = table_lines(busy(*names), width)
    assert all(len(line) <= width for line in lines)
    text = " ".join("\n".join(lines).split())
    for figure in FIGURES:
        assert len(re.findall(rf"(?<!\S){re.escape(figure)}(?!\S)", text)) >= len(names), (figure, text)
    shown = [line.split()[0] for line in lines if line.strip().startswith((names[0][:3], "a-model", "an-org"))]
    assert len(set(shown)) == len(names)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_an_ordinary_run_has_a_row_for_each_model_and_one_for_all(width: int) -> None:
    clock = Clock()
    models = [
        ModelCounts(f"{LONG}one", Totals(120, cost_usd=0.42), 12, 12, 0, 3),
        ModelCounts("anthropic/claude-opus-4-1", Totals(98, cost_usd=1.2), 14, 0, 2, 2, free_at=160.0),
    ]
    tally = tally_of(*models, clock=clock)
    tally.expect([Workload("a", 40, {models[0].spec: 5, models[1].spec: 5})])
    pass_time(tally, clock, 30, 80)
    lines = table_lines(tally, width)
    assert lines[0].split() == ["model", "calls", "running", "waiting", "retries", "cost", "left"]
    assert [line.split()[1:] for line in lines[1:]] == [
        ["120/200", "12", "3", "$0.4200", "30", "s"],
        ["98/200", "0", "14,", "30", "s", "2", "$1.20", "38", "s"],
        ["218/400", "12", "14,", "30", "s", "5", "$1.62", "38", "s"],
    ]
    assert len({len(line) for line in lines}) == 1
    assert lines[2].startswith(" anthropic/claude-opus-4-1" if width > 60 else " claude-o")


def test_columns_that_have_nothing_to_say_are_left_out_and_a_low_terminal_names_who_is_missing() -> None:
    models = [ModelCounts(f"a/{number}", Totals(5)) for number in range(6)]
    tally = tally_of(*models)
    tally.expect([Workload(model.spec, 1 + (at > 2), {model.spec: 5}) for at, model in enumerate(models)])
    head, *rows, left_out = table_lines(tally, 80, most=3)
    assert head.split() == ["model", "calls", "running", "retries", "cost", "left"]
    assert [row.split()[:2] for row in rows] == [["a/3", "5/10"], ["a/4", "5/10"], ["a/5", "5/10"], ["total", "30/45"]]
    assert left_out == " and 3 more models, in the total"


def test_a_name_can_bring_no_escapes_to_the_terminal_and_no_markup_to_the_notebook() -> None:
    tally = tally_of(ModelCounts("a/\x1b[2J<b>"), ModelCounts("c"))
    assert "\x1b" not in "\n".join([*table_lines(tally, 80), log_line(tally), html_table(tally)])
    assert "&lt;b&gt;" in html_table(tally)


# --- displays -------------------------------------------------------------------------------------------


def test_the_last_line_is_not_said_twice() -> None:
    clock, stream, model = Clock(), io.StringIO(), ModelCounts("a", Totals(calls=7))
    with PlainProgress(1, stream, every=5, clock=clock) as progress:
        progress.begin([model])
        clock.now += 6
        progress.dialogue_done()
    assert len(stream.getvalue().splitlines()) == 1


def test_plain_lines_come_every_few_seconds_at_most_and_one_at_the_end() -> None:
    clock, stream, model = Clock(), io.StringIO(), ModelCounts("a", Totals(calls=7))
    with PlainProgress(1000, stream, every=5, clock=clock) as progress:
        progress.begin([model])
        for _ in range(1000):
            clock.now += 0.011
            model.count(Usage(1, 1), 0.0)
            progress.call_done()
            progress.dialogue_done()
        progress.say("A model has gone.")
    lines = stream.getvalue().splitlines()
    assert len(lines) == 2 + 1 + 1
    assert lines[2] == "A model has gone."
    assert lines[3].startswith("1,000 of 1,000 dialogues done · 1,000 tokens in, 1,000 out · 1,007 calls")


def test_in_a_long_run_plain_lines_become_rare() -> None:
    clock, stream = Clock(), io.StringIO()
    with PlainProgress(100_000, stream, every=5, clock=clock) as progress:
        for _ in range(10 * 3600):
            clock.now += 1
            progress.dialogue_done()
    assert 600 < len(stream.getvalue().splitlines()) < 700  # one a minute for most of ten hours


def test_a_terminal_gets_rows_and_a_file_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert isinstance(open_progress(3, io.StringIO()), PlainProgress)
    terminal, model = Terminal(), ModelCounts("a/model")
    with open_progress(3, terminal) as progress:
        assert isinstance(progress, RichProgress)
        progress.begin([model])
        model.count(Usage(10, 5), 0.02)
        progress.call_done()
        progress.dialogue_done()
        progress.say("[bold]as it is[/bold]")
    text = terminal.getvalue()
    assert "1 of 3 dialogues done" in text
    assert len(re.findall(r"^ (?:a/model|total) +1 +0 +0 +\$0\.0200 *\S*$", text, re.MULTILINE)) >= 2
    assert "[bold]as it is[/bold]" in text


def test_of_a_run_that_is_stopped_the_display_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    terminal, model = Terminal(), ModelCounts("a/model")
    progress = RichProgress(3, terminal)
    with progress:
        progress.begin([model])
        progress.call_done()
        progress._live.refresh()
        assert progress.stopping("Stopping: calls in flight are awaited and kept.")
        progress._live.refresh()
    text = terminal.getvalue()
    assert "Stopping: calls in flight are awaited and kept." in text
    after = text.rpartition("Stopping")[2].partition("\n")[2]
    assert not re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", after).strip()


def test_a_display_of_lines_leaves_it_to_others_to_say_that_the_run_stops() -> None:
    assert not PlainProgress(3, io.StringIO()).stopping("Stopping.")


def test_a_terminal_that_can_draw_nothing_over_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(open_progress(3, Terminal()), PlainProgress)


def test_dialogues_that_need_not_be_held_are_no_longer_waited_for() -> None:
    for progress in (PlainProgress(40, io.StringIO()), RichProgress(40, io.StringIO())):
        with progress:
            progress.dialogue_done()
            progress.dialogues_spared(30)
        assert log_line(progress._tally).startswith("1 of 10 dialogues")


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
        progress.begin([ModelCounts("a", Totals(1))])
        stream.gone = True
        progress.call_done()
        progress.say("told to nobody")
        progress.dialogue_done()


def test_in_a_notebook_one_table_is_replaced_and_what_is_told_has_its_own_place() -> None:
    shown: list[tuple[str, str, bool]] = []
    stream, model = io.StringIO(), ModelCounts("a/<model>")

    def publish(output, again):  # type: ignore[no-untyped-def]
        shown.append((output["text/plain"], output["text/html"], again))

    with NotebookProgress(2, stream, publish=publish) as progress:
        progress.begin([model])
        model.count(Usage(1, 1), 0.0)
        progress.call_done()
        progress._show()
        progress.say("Stopping.")
        progress.dialogue_done()
    assert stream.getvalue() == "Stopping.\n"
    (first, first_table, again), (last, last_table, replaced) = shown
    assert first.startswith("0 of 2 dialogues done · 1 token in, 1 out · 1 call") and last.startswith(
        "1 of 2 dialogues"
    )
    assert (again, replaced) == (False, True)
    assert "<td>a/&lt;model&gt;</td><td>1</td>" in first_table and "1 of 2 dialogues" in last_table
