"""`voirdire ddft plan`: what a run would take."""

from __future__ import annotations

from voirdire.cli._output import answer
from voirdire.cli.ddft._app import app
from voirdire.cli.ddft._options import (
    BASE_URL,
    CONCEPTS,
    CONNECTIONS,
    GRANULARITY,
    INTERVIEWER,
    JSON,
    JURY,
    LEVELS,
    MODEL,
    PRESET,
    SAMPLES,
    TRAP,
    preset_of,
    study_of,
)


@app.command(
    epilog="Example: voirdire ddft plan -m openai/gpt-5.1 --jury openai/gpt-5.1,anthropic/claude-opus-4-1 -p sound"
)
def plan(
    model: list[str] = MODEL,
    interviewer: str = INTERVIEWER,
    jury: str = JURY,
    preset: str = PRESET,
    concepts: str | None = CONCEPTS,
    levels: str | None = LEVELS,
    trap: str | None = TRAP,
    samples: int | None = SAMPLES,
    granularity: str | None = GRANULARITY,
    base_url: str | None = BASE_URL,
    connections: int = CONNECTIONS,
    json: bool = JSON,
) -> None:
    """Say what a run would take - calls, tokens, money, time - before anything is spent."""
    from voirdire.cli.show import run as show_run
    from voirdire.ddft.plan import estimate

    study = study_of(
        model, interviewer, jury, preset_of(preset, concepts, levels, trap, samples, granularity), base_url, 0, False
    )
    expected = estimate(study, connections)
    answer(expected.as_dict(), lambda: show_run.plan(expected), as_json=json)
