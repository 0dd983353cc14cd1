"""The panel: several judges, each alone, and one decision per turn."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from voirdire.data.json_values import as_object
from voirdire.jury.consensus import consensus, unscored
from voirdire.jury.llm_judge import LLMJudge
from voirdire.jury.local_judge import SCALES, WORTH, LocalJudge, check_judge_spec, local_request
from voirdire.jury.rubric import dialogue_requests, judge_requests, prompt_hashes
from voirdire.jury.settings import JuryError, JuryRules
from voirdire.jury.structured_replies import Asks
from voirdire.models import simulated_role
from voirdire.records import CallFailure, Consensus, JudgeTask, Reply, Request, Stance, Verdict

TURNS = 5
"""Of a dialogue (DDFT 3)."""

REFERENCE = "reference"
"""The name under which the reference panel is asked for and recorded."""

_REFERENCE_PANEL = (
    "the reference panel: fixed rules that compare words and numbers. It understands nothing: use its scores for "
    'trials, not as results (documentation: "How good are the offline judges?").'
)
REFERENCE_BANNER = f"Judged by {_REFERENCE_PANEL}"


class Judge(Protocol):
    """One member of a panel."""

    @property
    def name(self) -> str:
        """How its verdicts are recorded; distinct within a panel."""
        ...

    async def judge(self, task: JudgeTask) -> Verdict:
        """The verdict on one turn. A judge that fails says so in `missing` and does not raise."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """What a panel decided on one turn: every judge's verdict, in the panel's order, and the consensus."""

    verdicts: tuple[Verdict, ...]
    consensus: Consensus

    @classmethod
    def unanswered(cls) -> Decision:
        """The decision on a turn whose call failed: no judge is asked, and there is no score."""
        return cls((), unscored("no answer"))

    def body(self) -> dict[str, Any]:
        """The decision as plain data, for the journal."""
        return as_object(self)


class ReferenceJudge:
    """The deterministic reference panel, as a judge: no model, no calls."""

    name = REFERENCE

    async def judge(self, task: JudgeTask) -> Verdict:
        """The verdict on one turn."""
        from voirdire.jury.reference_panel.judge import judge  # its lexicons are read only where it judges

        return judge(task)


class _Nobody:
    """Stands in for the asker while a jury is only checked."""

    async def ask(self, spec: str, request: Request, /) -> Reply | CallFailure:
        raise AssertionError(f"{spec} was asked while the jury was only checked")


class Panel:
    """Judges who decide together under the same rules.

    `jury_id` is a short, stable name of who judges and how: the judges, the rules, and the prompts they are shown.
    """

    def __init__(self, judges: Sequence[Judge], rules: JuryRules) -> None:
        """Make a panel of these judges.

        Raises:
            JuryError: no judges, two of one name, weights for another number of judges, or a quorum beyond the panel.
        """
        self.judges = tuple(judges)
        self.rules = rules
        _check(self.judges, rules)
        self.jury_id = _jury_id(self.judges, rules)

    async def decide(self, task: JudgeTask) -> Decision:
        """Ask all judges at once, and combine what they say of one turn.

        Raises:
            Exception: only what the asker raises to stop the whole run.
        """
        return self._decision(await asyncio.gather(*(judge.judge(task) for judge in self.judges)))

    async def decide_dialogue(self, tasks: Sequence[JudgeTask]) -> list[Decision]:
        """The same for several turns of one dialogue, in one call per LLM judge; other judges go turn by turn."""
        rows = await asyncio.gather(*(_judge_dialogue(judge, tasks) for judge in self.judges))
        return [self._decision(verdicts) for verdicts in zip(*rows, strict=True)]

    def _decision(self, verdicts: Sequence[Verdict]) -> Decision:
        return Decision(tuple(verdicts), consensus(verdicts, panel_size=len(self.judges), rules=self.rules))


def open_jury(names: Sequence[str], asker: Asks, rules: JuryRules) -> Panel:
    """Open a panel by names.

    `reference` is the reference panel. A local model is read through first-token probabilities (also `logprob:SPEC`,
    for any model that gives them), everything else is asked for structured verdicts (also `json:SPEC`, for a local
    model that is good enough to write them). A model named twice sits twice, as two judges.

    Raises:
        JuryError: no names, a model that must not judge, or rules that do not fit this panel.
    """
    times: Counter[str] = Counter()
    judges: list[Judge] = []
    for given in (name.strip() for name in names):
        times[given] += 1
        name = given if times[given] == 1 else f"{given}#{times[given]}"
        judges.append(_open_judge(given, name, asker, rules))
    return Panel(judges, rules.for_jury([judge.name.partition("#")[0] for judge in judges]))


def check_jury(names: Sequence[str], rules: JuryRules) -> None:
    """See that a jury of these names can sit under these rules, before any model is opened.

    Raises:
        JuryError: it can't; the sentence says why.
    """
    open_jury(names, _Nobody(), rules)


def judge_spec(name: str) -> str | None:
    """The model behind a judge's name; `None` for the reference panel.

    Raises:
        JuryError: no judge's name, or a model that must not judge.
    """
    kind, spec = _kind_and_spec(name.strip())
    return None if kind == "reference" else spec


def calls_per_turn(name: str, rules: JuryRules) -> float:
    """How many calls a judge makes per turn, on average; 0 for the reference panel.

    Raises:
        JuryError: no judge's name, or a model that must not judge.
    """
    kind, spec = _kind_and_spec(name)
    if kind == "reference":
        return 0.0
    if kind == "logprob":
        return 2.0  # one question for FAR, one for SAS
    whole = rules.granularity == "dialogue" and not spec.startswith("simulated/")
    return (2 if rules.separate_calls else 1) / (TURNS if whole else 1)


def asks_as_needed(name: str) -> bool:
    """Whether a judge's calls depend on the answers: one read through first-token probabilities asks what it has to.

    Raises:
        JuryError: no judge's name, or a model that must not judge.
    """
    return _kind_and_spec(name)[0] == "logprob"


def calls_on(name: str, tasks: Sequence[JudgeTask], rules: JuryRules) -> list[Request]:
    """The calls that a judge makes on these turns of one dialogue, if it has to ask all it can ask of each.

    A judge read through first-token probabilities asks less of answers that reject the trap or claim nothing.

    Raises:
        JuryError: no judge's name, or a model that must not judge.
    """
    kind, spec = _kind_and_spec(name)
    if kind == "reference" or not tasks:
        return []
    if kind == "logprob":
        return [local_request(task, scale, name) for task in tasks for scale in SCALES]
    if rules.granularity == "dialogue" and not spec.startswith("simulated/"):
        return list(dialogue_requests(tasks, rules, name))
    return [request for task in tasks for request in judge_requests(task, rules, name)]


def reference_stance(task: JudgeTask) -> Stance | None:
    """The stance that the reference panel reads from an answer to a trap; `None` without a trap."""
    from voirdire.jury.reference_panel.judge import judge

    return judge(task).stance


def banner(panel: Panel) -> str | None:
    """What must be said wherever results of this panel are shown; `None` where there is nothing to warn of."""
    warnings = []
    if any(isinstance(judge, ReferenceJudge) for judge in panel.judges):
        alone = len(panel.judges) == 1
        warnings.append(REFERENCE_BANNER if alone else f"One seat of the jury is {_REFERENCE_PANEL}")
    if any(isinstance(judge, LocalJudge) for judge in panel.judges):
        warnings.append(WORTH)
    seats = Counter(judge.name.partition("#")[0] for judge in panel.judges)
    warnings += [
        f"{name} has {number} seats on this jury: that it agrees with itself says nothing of how far judges agree."
        for name, number in seats.items()
        if number > 1
    ]
    return " ".join(warnings) or None


def _open_judge(given: str, name: str, asker: Asks, rules: JuryRules) -> Judge:
    kind, spec = _kind_and_spec(given)
    if kind == "reference":
        return ReferenceJudge()
    return LocalJudge(asker, spec, rules, name) if kind == "logprob" else LLMJudge(asker, spec, rules, name)


def _kind_and_spec(given: str) -> tuple[Literal["reference", "logprob", "json"], str]:
    """What kind of judge a name asks for, and the spec of its model."""
    if given == REFERENCE:
        return "reference", ""
    prefix, _, rest = given.partition(":")
    spec = rest if prefix in ("logprob", "json") else given
    if "/" not in spec:
        raise JuryError(f"{given!r} is not a judge: write {REFERENCE!r}, or PROVIDER/NAME, for example openai/gpt-5.1.")
    check_judge_spec(spec)
    if simulated_role(spec) == "subject":
        raise JuryError(f"{spec} is a subject, and can't judge: name a judge, such as simulated/judge.")
    reads_logprobs = prefix == "logprob" or (prefix != "json" and spec.startswith("local/"))
    return ("logprob" if reads_logprobs else "json"), spec


async def _judge_dialogue(judge: Judge, tasks: Sequence[JudgeTask]) -> list[Verdict]:
    if isinstance(judge, LLMJudge):
        return await judge.judge_dialogue(tasks)
    return [await judge.judge(task) for task in tasks]


def _check(judges: Sequence[Judge], rules: JuryRules) -> None:
    if not judges:
        raise JuryError(f"A jury needs at least one judge; name one, or {REFERENCE!r} for the reference panel.")
    names = [judge.name for judge in judges]
    for name in names:
        if names.count(name) > 1:
            raise JuryError(f"Two judges are named {name!r}; give each a name of its own, since verdicts hold it.")
    if rules.needed(len(judges)) > len(judges):
        raise JuryError(f"The quorum is {rules.quorum}, but the jury has {len(judges)}; lower it or name more judges.")
    rules.weights(len(judges))


def _jury_id(judges: Sequence[Judge], rules: JuryRules) -> str:
    only_reference = all(isinstance(judge, ReferenceJudge) for judge in judges)
    if only_reference and rules.no_claims == "null":
        return REFERENCE
    body = {
        "judges": [[type(judge).__name__, judge.name] for judge in judges],
        "rules": as_object(rules),
        "prompts": {} if only_reference else prompt_hashes(),
    }
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:6]
    short = [re.sub(r"[^\w.#-]", "-", judge.name.rpartition("/")[2]) for judge in judges]
    names = short if len(short) <= 3 else [*short[:2], f"{len(short) - 2}more"]
    return "+".join(names) + f"-{digest}"
