"""A process that runs commands while everything it says, logs, traces and connects to is written down.

    python -m tests.privacy.watched FOLDER < COMMANDS

COMMANDS is a JSON list of lists of words. FOLDER gets said.txt (what was printed), log.txt (all loggers at DEBUG),
spans.txt (OpenTelemetry), frames.txt (tracebacks with their local variables), network.json (audit events) and
codes.json (how each command ended).
"""

import json
import logging
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

_NETWORK = (
    *("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.sendto"),
    *("socket.sendmsg", "urllib.Request", "http.client.connect", "ftplib.connect", "smtplib.connect"),
)


def main() -> None:
    folder, commands = Path(sys.argv[1]), json.load(sys.stdin)
    reached: list[list[str]] = []

    def watch(event: str, arguments: tuple) -> None:
        if event in _NETWORK:
            reached.append(
                [event, str(arguments[1] if event.startswith("socket.") and len(arguments) > 1 else arguments)]
            )

    sys.addaudithook(watch)  # before anything of ours is imported
    logging.basicConfig(level=logging.DEBUG, filename=folder / "log.txt")
    _trace(folder / "spans.txt")
    with (folder / "said.txt").open("w") as said, redirect_stdout(said), redirect_stderr(said):
        codes = [[*words[:2], _run(words)] for words in commands]
    with (folder / "frames.txt").open("w") as frames:
        _fail(frames, _failing(commands[0][commands[0].index("--base-url") + 1]))
    (folder / "network.json").write_text(json.dumps(reached))
    (folder / "codes.json").write_text(json.dumps(codes))


def _run(words: list[str]) -> int:
    from voirdire.cli import main as voirdire

    sys.argv = ["voirdire", *words]
    try:
        voirdire()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _trace(path: Path) -> None:
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor

    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=path.open("w"))))
    trace.set_tracer_provider(provider)


def _failing(base_url: str) -> list:
    """What can't be opened or called, and shows an address where it is shown itself."""
    from voirdire.ddft.presets import RoleOptions
    from voirdire.detectors.base import DetectorOptions
    from voirdire.models import ModelOptions

    door = {"api_key_env": "VOIRDIRE_DOOR"}
    return [
        ("openai-api/401-frames", ModelOptions(base_url=base_url, **door)),
        ("openai-api/400-frames", ModelOptions(base_url=base_url, **door)),
        ("openai-api/x", ModelOptions(base_url=base_url.removeprefix("http://"))),
        ("groq/x", ModelOptions(base_url="http://no.invalid", **door)),
        ("azure/x", ModelOptions(base_url=base_url, **door)),
        ("nobody/x", RoleOptions(base_url=base_url)),
        ("nobody/x", DetectorOptions(base_url=base_url)),
    ]


def _fail(frames, failing: list) -> None:
    """Write down tracebacks with the local variables of every frame, as some logging does."""
    import asyncio

    from voirdire.models import open_model
    from voirdire.records import Settings, WireMessage

    async def ask(spec, options) -> None:
        model = open_model(spec, options)
        try:
            await model.complete([WireMessage("user", "?")], Settings(max_tokens=16))
        finally:
            await model.aclose()

    for spec, options in failing:
        try:
            asyncio.run(ask(spec, options))
        except Exception as error:
            shown = traceback.TracebackException.from_exception(error, capture_locals=True)
            frames.write("".join(shown.format()))


if __name__ == "__main__":
    main()
