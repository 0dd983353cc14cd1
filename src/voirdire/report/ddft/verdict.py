"""The verdict: one paragraph that somebody who knows nothing of the method understands, and what must not be missed."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.profile import Profile
from voirdire.report.ddft import _asked as asked
from voirdire.report.ddft._metrics import root_of
from voirdire.report.ddft._shown import counted, listed, metric_interval, number, percent, percents
from voirdire.report.ddft.material import Material
from voirdire.report.ddft.verdict_study import how_they_differ
from voirdire.report.document import Block, Notice, Section, Text

WIDE = 0.2
"""Between its ends, an interval of ER this wide holds models that a reader would call different."""

_FAILING = {
    "concept_named": "the questions do not say which concept is meant",
    "context_delivered": "the model was not given the text that the test promises",
    "clarification_rate": "many first answers only ask what is meant",
    "trap_signalled": "the questions give the trap away",
    "question_length": "the questions are too long",
    "compression_effect": "taking the reference away changes nothing: it did not reach the model, or is not needed",
    "judge_agreement": "the judges hardly agree",
    "hoc_monotone": "accuracy fails and comes back at random",
    "self_judging": "models were judged by themselves or their own kin",
    "missing_verdicts": "too many verdicts are missing",
    "truncated_responses": "most answers were cut off",
    "duplicate_dialogues": "dialogues repeat one another",
}


def verdict(material: Material) -> Section:
    """What was asked, how it went, how sure that is, and what it must not be taken to say."""
    only = material.only
    sentences = [*_unsound(material), *asked.what_was_asked(material)]
    if only is None:
        sentences += how_they_differ(material)
    else:
        sentences += [*_accuracy(only), *_trap(material, only), *_danger(only), *_overall(only), *_how_sure(only)]
    sentences += [*_judged_by(material), *_incomplete(material), _not_to_be_used_for(only)]
    paragraph = Text(" ".join(sentences), "bad" if _failed(material) else "")
    return Section("verdict", "Verdict", (*_notices(material), paragraph))


def _notices(material: Material) -> Iterator[Block]:
    """Banners of juries, incomplete runs, runs that are different tests."""
    for result in material.runs.results:
        if result.stopped:
            where = f"The run {result.path}" if len(material.held) > 1 else "The run"
            yield Notice(f"{where} is not complete: {result.stopped}")
    for caution in material.runs.cautions:
        if not any(result.stopped and caution.endswith(result.stopped) for result in material.runs.results):
            yield Notice(caution)


def _failed(material: Material) -> dict[str, list[str]]:
    """Ids of failing checks by run; only the runs that have any."""
    return {str(result.path): result.failed_checks for result in material.runs.results if result.failed_checks}


def _unsound(material: Material) -> Iterator[str]:
    failed = _failed(material)
    if not failed:
        return
    checks = len(material.runs.results[0].checks)
    ids = list(dict.fromkeys(check for of_run in failed.values() for check in of_run))
    why = "; ".join(_FAILING.get(check, check) for check in ids)
    where = "" if len(material.held) == 1 else f" in {len(failed)} of {len(material.held)} runs"
    verb = "fails" if len(ids) == 1 else "fail"
    yield (
        f"The test itself was not sound: {len(ids)} of its {checks} checks {verb}{where} ({why}). "
        "What follows describes what happened here, and can't be held for or against any model."
    )


def _accuracy(profile: Profile) -> Iterator[str]:
    k = profile.metrics["K"]
    if k.value is None:
        yield f"How accurate it is about the subject can't be said: {root_of(k.reason)}."
        return
    yield (
        f"In the three questions about the subject its answers score {number(k.value, 2)} of 1 for accuracy"
        f"{_interval(profile, 'K', 2)}."
    )
    first, last = profile.curves[0], profile.curves[-1]
    if first.far is not None and last.far is not None and first.level < last.level:
        yield (
            f"Over all questions accuracy goes from {first.far:.2f} at compression {first.level:g} to "
            f"{last.far:.2f} at {last.level:g}."
        )


def _trap(material: Material, profile: Profile) -> Iterator[str]:
    share = profile.metrics["V_E"]
    if share.value is None:
        if asked.sets_traps(material):
            yield f"Whether it rejects inventions can't be said: {root_of(share.reason)}."
        return
    stances = asked.stances_at_the_trap(material)
    found = (("rejected", "rejected"), ("questioned", "doubted"), ("accepted", "took for real"))
    counts = [(int((stances == stance).sum()), verb) for stance, verb in found]
    told = [f"{verb} {count}" for count, verb in counts if count]
    interval = profile.intervals.get("V_E")
    reach = "" if interval is None else f" (of inventions like these it may reject {_reach(interval)})"
    yield f"Of {counted(share.n, 'invention')} it {listed(told)}{reach}."


def _reach(interval: tuple[float, float, float, str]) -> str:
    return percents((interval[0], interval[1]))


def _danger(profile: Profile) -> Iterator[str]:
    share = profile.danger_zone_pct
    if share is None:
        return
    interval = profile.intervals.get("danger_zone_pct")
    reach = "" if interval is None else f" ({metric_interval('danger_zone_pct', interval)} %)"
    yield (
        f"In {percent(share / 100)} of its turns{reach} it was fluent and wrong at once, the failure that a reader is "
        "least likely to notice."
    )


def _overall(profile: Profile) -> Iterator[str]:
    er = profile.metrics["ER"]
    if er.value is None:
        yield f"Its reliability as a whole (ER) has no value: {root_of(er.reason)}."
        return
    yield f"Taken together, its reliability (ER, from 0 to 1) is {number(er.value, 2)}{_interval(profile, 'ER', 2)}."


def _interval(profile: Profile, name: str, decimals: int) -> str:
    interval = profile.intervals.get(name)
    if interval is None:
        return ""
    return f" (95 % interval {number(interval.low, decimals)} to {number(interval.high, decimals)})"


def _how_sure(profile: Profile) -> Iterator[str]:
    concepts = counted(profile.n["concepts"], "concept")
    if not profile.intervals:
        yield (
            f"How sure that is can't be said: it rests on {concepts}, and intervals need three. Take it for an "
            "impression, not a measurement."
        )
        return
    yield f"The intervals say what other concepts like these might have given, and rest on {concepts}."
    er = profile.intervals.get("ER")
    if er is not None and er.high - er.low > WIDE:
        yield "That of ER is wide: a good and a middling model could both be behind it."
    elif er is None and profile.metrics["ER"].value is not None:
        yield "ER itself has no interval, so how sure it is can't be said."


def _judged_by(material: Material) -> Iterator[str]:
    names = list(dict.fromkeys(judge for bench in material.benches for judge in bench.seating.judges))
    if names == [asked.REFERENCE]:
        yield "The scores come from fixed rules that understand nothing: this is a demonstration, not a measurement."
    elif len(names) == 1:
        yield f"One judge gave all scores ({names[0]}); another might have given others."
    elif asked.REFERENCE in names:
        yield f"The scores are by {listed(names, 6)}; the reference panel among them is fixed rules."
    else:
        yield f"The scores are by {counted(len(names), 'judge')} ({listed(names, 6)}), whose agreement stands below."


def _incomplete(material: Material) -> Iterator[str]:
    if any(result.stopped for result in material.runs.results):
        many = "A run is" if len(material.held) > 1 else "The run is"
        yield f"{many} not complete, so all of this may still move."


def _not_to_be_used_for(only: Profile | None) -> str:
    subject = "a model" if only is None else "the model"
    return (
        "This is a diagnosis of one behaviour under stress and not a leaderboard: it must not be used to say that "
        f"{subject} is safe, fit for a purpose, or better than another in general."
    )
