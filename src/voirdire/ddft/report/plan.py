"""What a run would take, and what each way of paying less saves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from voirdire.ddft.analysis.comparing.verdicts import called
from voirdire.ddft.analysis.planning.power import SmallestShown
from voirdire.ddft.analysis.planning.sources import PUBLISHED
from voirdire.ddft.plan import StudyEstimate
from voirdire.ddft.plan_savings import Saving
from voirdire.ddft.report.power import assumed_values
from voirdire.documents.cells import count, plain_table
from voirdire.documents.document import Block, Document, Text, detail, document, more
from voirdire.documents.run_description import estimate_blocks, estimate_line
from voirdire.text.counting import counted
from voirdire.text.money import dollars


def plan_document(expected: StudyEstimate, compared: Sequence[Saving], shown: SmallestShown | None = None) -> Document:
    """A plan's estimate and each model's price; then calls and tokens, and the same done in other ways."""
    models = {model.alias or model.spec: model for model in expected.models}
    line, estimate, *assumed = estimate_blocks("model", models, plan_line(expected, shown), expected.assumptions)
    prices = ((name, dollars(each.usd)) for name, each in models.items())
    return document(
        line,
        *(assumed_values(shown.metric, shown.assumed) if shown is not None else ()),
        plain_table("prices", ("model", "USD"), prices),
        *(
            Text(str(note), "warn")
            for note in (expected.simulated_jury, expected.rubric_unread, expected.self_judged, expected.few_to_compare)
            if note is not None
        ),
        *([Text(expected.thresholds.note)] if expected.thresholds.note else []),
        more("Calls and tokens by model, what is assumed, and what each option would save"),
        detail("estimate", estimate, *assumed),
        *([detail("savings", *_savings(compared), title="What each option would save")] if compared[1:] else []),
    )


def plan_line(expected: StudyEstimate, shown: SmallestShown | None = None) -> str:
    """What a plan takes, and which difference it can show, in one sentence."""
    shows = "" if shown is None else _shows(shown)
    return estimate_line(_counts(expected), expected, _time(expected), shows)


def _shows(shown: SmallestShown) -> str:
    if shown.difference is None:
        return f"{counted(shown.concepts, 'concept')} can show no difference between models"
    return (
        f"it can show a difference of {shown.difference:.2f} or more in {called(shown.metric)} between two models "
        f"(chance {100 * shown.power:.0f} %, {_by(shown)})"
    )


def _by(shown: SmallestShown) -> str:
    return "by the published study" if shown.source == PUBLISHED else f"by {shown.source}"


def _counts(expected: StudyEstimate) -> tuple[str, ...]:
    about = "about " if expected.share < 1.0 else ""
    most = "at most " if expected.at_most else about
    return (
        f"{about}{counted(expected.dialogues, 'dialogue')}",
        f"{most}{counted(expected.turns, 'turn')}",
        f"{most}{counted(expected.calls, 'call')}",
    )


def _savings(compared: Sequence[Saving]) -> Iterator[Block]:
    rows = (
        (
            each.option,
            count(each.estimate.calls),
            _thousands(each.estimate.input_tokens),
            f"{100 * (each.estimate.cached_tokens / each.estimate.input_tokens):.0f} %",
            _thousands(each.estimate.output_tokens),
            dollars(each.estimate.usd),
            _time(each.estimate),
            each.gives_up,
        )
        for each in compared
    )
    heads = ("option", "calls", "tokens in", "cached", "tokens out", "USD", "time", "gives up")
    yield plain_table("savings", heads, rows, numbers=6)
    if compared[0].estimate.share == 1.0 and not any("--stop-when" in each.option for each in compared):
        yield Text("A stopping rule (--stop-when) is expected to save nothing in so small a study.")


def _time(estimate: StudyEstimate) -> str:
    least, most = (f"{each:.0f}" if each >= 1 else "< 1" for each in (estimate.minutes, estimate.slow_minutes))
    minutes = f"{least} min" if least == most else f"{least} to {most} min"
    return f"{minutes} + up to {estimate.wait_hours:.0f} h" if estimate.wait_hours else minutes


def _thousands(tokens: int) -> str:
    return f"{tokens / 1_000:,.0f}k" if tokens >= 1_000 else f"{tokens}"
