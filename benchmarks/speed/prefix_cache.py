"""What share of a study's input tokens providers' prefix caches would serve, and whether `plan` says the same.

    python -m benchmarks.speed.prefix_cache [--small] [--run RUN]

A study is held in this process: the packaged concepts, five levels, five turns, one judge, answers as long as the
published ones. Or a run that is there is read. Every prompt is taken as it was sent, schema first, in the order in
which the calls were made, and shown to a cache with a provider's published rules (`voirdire.models.caching`). Three
things favour the cache: nothing is forgotten between two calls of a run, every request finds the machine that served
the earlier ones, and an earlier call has always begun to answer. Tokens are those of o200k_base where `bpe-openai` is
installed, and else 4.4 characters each.

The last rows are the same calls with a mark on every call's fences, as it was before November 2026, and with the turn
that is judged put where the next call has it as an earlier turn, which would change every judge's prompt.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.speed._instant import InstantModel
from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.expected_calls import CHARACTERS_PER_TOKEN, expected_calls
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.study import StudyPlan, run_dialogues
from voirdire.jury import open_jury
from voirdire.models.caching import CacheRules, PrefixCache, Prompt, cache_rules
from voirdire.records import Reply, Settings, Usage, WireMessage
from voirdire.runs import Journal, Runner, RunOptions

ANSWER_CHARACTERS = 1_651  # mean of the 1,800 published answers
SUBJECT, JUDGE = "x/subject", "x/judge"
MODELS = (
    "openai/gpt-5.1",
    "anthropic/claude-sonnet-4-5",
    "anthropic/claude-opus-4-5",
    "google/gemini-2.5-pro",
    "google/gemini-3-pro",
    "deepseek/deepseek-chat",
)
"""One for each set of rules."""

_FENCE = "<<<BEGIN "
_MARK = re.compile(r"\b[0-9a-f]{24}\b")
_WORDS = (
    "the concept holds that a base case ends what would otherwise call itself for ever and each step makes the problem "
    "smaller until nothing is left to divide while its history reaches from logic to programs"
).split()


class Sent(NamedTuple):
    """One call as it was sent."""

    role: str
    dialogue: str
    turn: int
    prompt: Prompt


def _answer(messages: Sequence[WireMessage], schema: Mapping[str, Any] | None, settings: Settings, seed: int) -> Reply:
    """Prose of the published length, or a verdict that fits the schema."""
    from tests.support.fake_replies import fake_reply

    if schema is None:
        return Reply(_prose(seed), "stop", Usage(), "instant")
    body = {"messages": [], "response_format": {"type": "json_schema", "json_schema": {"schema": schema}}}
    return Reply(fake_reply(body, f"{seed}")["choices"][0]["message"]["content"], "stop", Usage(), "instant")


def _prose(seed: int) -> str:
    rng, text = random.Random(seed), ""
    while len(text) < ANSWER_CHARACTERS:
        text += rng.choice(_WORDS) + " "
    return text.strip().capitalize() + "."


def study(preset: str, granularity: str, small: bool) -> StudyPlan:
    """What is held: one subject, one judge."""
    concepts = ["recursion", "natural-selection"] if small else []
    chosen = changed_preset(load_preset(preset), concepts=concepts, granularity=granularity)
    return StudyPlan((SUBJECT,), tuple(find_concepts(chosen.concepts)), chosen, jury=(JUDGE,))


async def held(plan: StudyPlan, path: Path, connections: int = 20) -> None:
    """Hold it."""
    with Journal.open(path) as journal:
        models = {name: InstantModel(name, _answer) for name in (SUBJECT, JUDGE)}
        async with Runner(journal, models, connections=connections) as runner:
            panel = open_jury(plan.jury, runner, plan.preset.jury)
            stopped = await run_dialogues(plan, journal, runner, panel, RunOptions(connections=connections))
    if stopped is not None:
        raise SystemExit(stopped)


def calls_of(journal_path: Path) -> list[Sent]:
    """Every call of a journal, in the order of asking. Models are told apart by their names before the prompt."""
    with Journal.open(journal_path, read_only=True) as journal:
        frame = journal.calls_frame(bodies=True).sort_values(["started_at", "id"])
    return [
        Sent(row["role"], row["dialogue"], row["turn"], _prompt(row["model"], row["schema"], row["messages"]))
        for row in frame.to_dict("records")
    ]


def _prompt(model: str, schema: Any, messages: Sequence[Mapping[str, str]]) -> Prompt:
    """As `caching.prompt_of`, of what a journal keeps."""
    text, ends = f"{model}{schema or ''}" if isinstance(schema, str) else model, []
    chat = any(message["role"] == "assistant" for message in messages)
    for message in messages:
        start = len(text) + len(message["role"])
        text += message["role"] + message["content"]
        fence = message["content"].find(_FENCE)
        if chat or fence > 0:
            ends.append(len(text) if chat else start + fence)
    return Prompt(text, tuple(ends))


class Ruler(NamedTuple):
    """How prompts are measured."""

    name: str
    per_token: float
    """Characters a token of a measured prompt."""
    block: int
    encode: Callable[[str], Sequence[int]] | None

    def measured(self, calls: Sequence[Sent]) -> list[Sent]:
        """The calls, each token as one character where tokens can be told."""
        return [call._replace(prompt=self._measured(call.prompt)) for call in calls] if self.encode else list(calls)

    def _measured(self, prompt: Prompt) -> Prompt:
        assert self.encode is not None
        text, ends, start = "", [], 0
        for end in (*prompt.ends, len(prompt.text)):
            text += "".join(chr(0x10000 + token) for token in self.encode(prompt.text[start:end]))
            ends.append(len(text))
            start = end
        return Prompt(text, tuple(ends[: len(prompt.ends)]))

    def cache(self, rules: CacheRules) -> PrefixCache:
        """A cache that works on measured prompts."""
        return PrefixCache(rules, self.per_token, self.block)


def ruler() -> Ruler:
    """o200k_base, or characters."""
    try:
        import bpe_openai
    except ImportError:
        return Ruler(f"{CHARACTERS_PER_TOKEN} characters a token", CHARACTERS_PER_TOKEN, 32, None)
    return Ruler("tokens of o200k_base", 1.0, 1, bpe_openai.get_encoding("o200k_base").encode)


def shares(calls: Sequence[Sent], role: str, by: Ruler) -> dict[str, float]:
    """Of the input tokens of a role, what each provider's cache serves."""
    mine = by.measured([call for call in calls if call.role == role])
    total = sum(len(call.prompt.text) for call in mine) / by.per_token
    found = {}
    for model in MODELS:
        rules = cache_rules(model)
        assert rules is not None
        cache = by.cache(rules)
        found[model] = sum(cache.ask(call.prompt).read for call in mine) / total
    return found


def beginnings(calls: Sequence[Sent], role: str, by: Ruler) -> Iterator[tuple[int, float, float]]:
    """(Turn, tokens, tokens of the longest beginning that was sent before), means."""
    cache, by_turn = by.cache(CacheRules(0)), defaultdict(list)
    for call in by.measured([call for call in calls if call.role == role]):
        by_turn[call.turn].append((len(call.prompt.text) / by.per_token, cache.ask(call.prompt).read))
    for turn, rows in sorted(by_turn.items()):
        length, known = (sum(column) / len(rows) for column in zip(*rows, strict=True))
        yield turn, length, known


def remarked(calls: Sequence[Sent]) -> list[Sent]:
    """The same with a mark of its own on every call's fences."""

    def fresh(call: Sent) -> Sent:
        mark = f"{random.Random(f'{call.dialogue}/{call.turn}').getrandbits(96):024x}"
        return call._replace(prompt=call.prompt._replace(text=_MARK.sub(mark, call.prompt.text)))

    return [fresh(call) for call in calls]


def reordered(calls: Sequence[Sent]) -> list[Sent]:
    """The same without the line between the earlier turns and the one that is judged, and what stands around it."""
    gone = re.compile(
        r"Earlier in the dialogue\. .*?\n\n|Now the turn that you judge\.\n\n|Fabricated item .*?\n.*?\n\n", re.DOTALL
    )

    def moved(call: Sent) -> Sent:
        text = gone.sub("", call.prompt.text)
        fence = text.find(_FENCE)
        return call._replace(prompt=Prompt(text, (fence,) if fence > 0 else ()))

    return [moved(call) for call in calls if call.role == "judge"]


def _print(name: str, found: Mapping[str, float]) -> None:
    print(f"{name:<44}" + "".join(f"{found[model]:>10.0%}" for model in MODELS))


def report(name: str, path: Path, plan: StudyPlan | None) -> None:
    """Print what caches would do for one run."""
    calls, by = calls_of(path), ruler()
    roles = list(dict.fromkeys(call.role for call in calls))
    print(f"\n{name} ({by.name})")
    for role in roles:
        for turn, length, known in beginnings(calls, role, by):
            which = f"turn {turn}" if turn else "a dialogue"
            print(f"  {role}, {which}: {length:,.0f} tokens, {known:,.0f} of them the beginning of an earlier call")
    print(f"{'served':<44}" + "".join(f"{model.rpartition('/')[2][-9:]:>10}" for model in MODELS))
    for role in roles:
        _print(role, shares(calls, role, by))
        if plan is not None:
            _print(f"{role}, as plan expects", planned(plan, role))
    if plan is not None and plan.preset.jury.granularity == "turn":
        variants: Mapping[str, Callable[[Sequence[Sent]], list[Sent]]] = {
            "judge, a mark on every call": remarked,
            "judge, turns in a row": reordered,
        }
        for variant, change in variants.items():
            _print(variant, shares(change(calls), "judge", by))


def planned(plan: StudyPlan, role: str) -> dict[str, float]:
    """The same share as `plan` expects it."""
    found = {}
    for model in MODELS:
        asked = replace(plan, models=(model,), jury=(f"json:{model}",))
        expected = next(each for each in expected_calls(asked) if each.role == role)
        found[model] = expected.cached_tokens / expected.input_tokens
    return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="Two concepts instead of eight.")
    parser.add_argument("--run", type=Path, help="A run folder to read instead.")
    options = parser.parse_args()
    if options.run is not None:
        report(str(options.run), options.run / "journal.sqlite", None)
        return
    with tempfile.TemporaryDirectory() as folder:
        for granularity in ("turn", "dialogue"):
            plan, path = study("sound", granularity, options.small), Path(folder) / f"{granularity}.sqlite"
            asyncio.run(held(plan, path))
            report(f"sound, --granularity {granularity}", path, plan)


if __name__ == "__main__":
    main()
