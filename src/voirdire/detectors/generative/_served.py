"""Models behind an OpenAI-compatible server (vLLM, llama.cpp …), called like any other model of a run."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from voirdire.data.prompt_files import load_prompt
from voirdire.detectors.base import DetectorOptions
from voirdire.detectors.generative._detector import Chat, GeneratedText, WritingTask
from voirdire.detectors.records import DetectorError
from voirdire.models import ModelOptions, SpecError, open_model
from voirdire.records import CallFailure, Message, Reply, Request, Settings, Slot
from voirdire.runs import DEFAULTS, Runner, open_run, options_for, run_blocking, run_workers

ROLE = "detector"


class ServedWriter:
    """One call an answer, recorded in a run folder of the detector's own; what is on record is not asked again."""

    def __init__(self, name: str, spec: str, prompt: str, options: DetectorOptions) -> None:
        """Get ready to call; nothing is sent yet.

        Args:
            name: of the detector.
            spec: of the model.
            prompt: name of the prompt, for the run's record.
            options: the server's address, the run folder and the seed.

        Raises:
            DetectorError: the model can't be opened.
        """
        self._name = name
        self._spec = spec
        self._taken = {spec: options_for(spec, options.base_url)}
        self._prompt = prompt
        self._options = options
        try:
            run_blocking(_try_to_open(spec, self._taken[spec]))
        except SpecError as error:
            raise DetectorError(str(error)) from error

    def write(self, tasks: Sequence[WritingTask]) -> list[GeneratedText]:
        """See `Writer.write`.

        Raises:
            DetectorError: it was stopped; what was answered is on record.
            Interrupted: by Ctrl-C or a signal; the same holds.
            RunFolderError: the run folder is that of another run.
        """
        with ExitStack() as stack:
            parent = self._options.folder or Path(stack.enter_context(TemporaryDirectory(prefix="voirdire-")))
            own = re.sub(r"[^A-Za-z0-9.-]+", "-", self._name)  # several detectors may share the folder above it
            return run_blocking(self._write(tasks, parent / own))

    async def _write(self, tasks: Sequence[WritingTask], path: Path) -> list[GeneratedText]:
        written: list[GeneratedText | None] = [None] * len(tasks)
        queue = iter(enumerate(tasks))
        async with open_run(path, self._manifest(), self._taken, DEFAULTS, seed=self._options.seed) as (_, runner):
            workers = [self._work(queue, runner, written) for _ in range(DEFAULTS.connections)]
            stopped = await run_workers(workers, runner)
        if stopped is not None:
            raise DetectorError(f"{self._name}: {stopped} What was answered is on record where there is a run folder.")
        return [each for each in written if each is not None]

    async def _work(
        self, queue: Iterator[tuple[int, WritingTask]], runner: Runner, written: list[GeneratedText | None]
    ) -> None:
        for place, task in queue:
            written[place] = _written(await runner.ask(self._spec, self._request(task)))

    def _request(self, task: WritingTask) -> Request:
        messages: Chat = [{"role": "user", "content": task.prompt}] if isinstance(task.prompt, str) else task.prompt
        digest = hashlib.sha256(json.dumps(messages).encode()).hexdigest()
        return Request(
            Slot(digest[:32], 0, ROLE, self._name),
            tuple(Message.of(each["role"], each["content"]) for each in messages),  # type: ignore[arg-type]
            Settings(max_tokens=task.max_tokens, temperature=0.0),
        )

    def _manifest(self) -> dict[str, Any]:
        return {
            "instrument": ROLE,
            "detector": self._name,
            "base_url": self._options.base_url,
            "seed": self._options.seed,
            "prompts": {self._prompt: load_prompt(self._prompt).sha256},
        }


def _written(reply: Reply | CallFailure) -> GeneratedText:
    if isinstance(reply, CallFailure):
        return GeneratedText("", False, f"the call failed ({reply.kind}): {reply.message}")
    if reply.finish_reason == "refusal":
        return GeneratedText("", False, "the model refused.")
    return GeneratedText(reply.text, reply.finish_reason != "length")


async def _try_to_open(spec: str, options: ModelOptions) -> None:
    """A wrong address or name is said when the detector is opened, not at its first use."""
    await open_model(spec, options).aclose()
