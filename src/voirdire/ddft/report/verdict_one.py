"""What the verdict says of a single model."""

from __future__ import annotations

from collections.abc import Iterator

from voirdire.ddft.metric_labels import FROM_0_TO_1, PARTS_OF_ER, in_full
from voirdire.ddft.profile import Profile
from voirdire.ddft.report import run_description
from voirdire.ddft.report.jury_description import basis_text
from voirdire.ddft.report.material import Material
from voirdire.ddft.report.number_format import metric, metric_interval, number, percent
from voirdire.ddft.report.turn_means import mean_score
from voirdire.ddft.won_by_silence import silence
from voirdire.stats.intervals import Interval
from voirdire.text.counting import counted, listed

WIDE = 0.2
"""Between its ends, an interval of ER this wide holds models that a reader would call different."""

NOTHING_SCORED = "No turn is scored, so that nothing is measured."


def findings(material: Material, profile: Profile) -> Iterator[list[str]]:
    """How much it answered, if little; the result and its interval, the weakest part, traps, the danger zone."""
    if profile.uneven is not None:
        er = profile.metrics["ER"]
        why = "can't be told yet" if er.withheld else f"has no value: {er.cause}"
        yield [f"The {in_full('ER')} of {profile.model} {why}.", str(profile.uneven)]
        return
    if silence(profile.metrics) is not None:
        yield list(_silent(profile))
    if profile.metrics["share_answered"].value != 0:
        yield [headline(profile)]
        yield list(_overall(profile))
        yield [*_trap(material, profile), *_danger(profile)]


def certainty(material: Material, profile: Profile) -> Iterator[str]:
    """What it rests on."""
    n, asked_about = profile.n["concepts"], len(material.concepts)
    of_all = f" (of {asked_about}: no answer on the {'other' if asked_about - n == 1 else 'others'} is judged yet)"
    concepts = f"{counted(n, 'concept')}{of_all if n < asked_about else ''}"
    if not profile.n["scored"]:
        yield NOTHING_SCORED
        return
    if not profile.any_interval:
        yield f"It rests on {concepts}, and intervals need three."
        return
    yield f"It rests on {concepts} and {basis_text(material)}."
    if _is_wide(profile.intervals.get("ER")):
        yield "The interval of ER is wide."


def accuracy(material: Material, profile: Profile) -> Iterator[str]:
    """How accurate it is about the subject, at the first level and at the last; nothing where it can't be told yet."""
    if profile.uneven is not None:
        return
    k = profile.metrics["K"]
    if k.value is None:
        yield f"How accurate it is about the subject (K) can't be said: {k.cause}."
        return
    scored = _with_interval(profile, "K")
    yield f"In the questions about the subject its answers score {scored} for accuracy (K, from 0 to 1)."
    about_subject = material.scores[material.scores["turn"] < run_description.TRAP_TURN]
    first, last = (profile.curves[end].level for end in (0, -1))
    ends = [mean_score(about_subject[about_subject["level"] == level], "far").value for level in (first, last)]
    if first < last and None not in ends:
        yield f"That is {number(ends[0])} at compression {first:g} and {number(ends[1])} at {last:g}."


def about_intervals(profile: Profile) -> Iterator[str]:
    """What the intervals say."""
    if not profile.intervals:
        return
    yield "The intervals (95 %) say what other concepts like these might have given; they know nothing of other judges."
    er = profile.intervals.get("ER")
    if _is_wide(er):
        yield "That of ER is so wide that a good and a middling model could both be behind it."
    elif er is None and profile.metrics["ER"].value is not None:
        yield "ER itself has no interval, so how sure it is can't be said."


def _silent(profile: Profile) -> Iterator[str]:
    answered = profile.metrics["share_answered"]
    if answered.value == 0:
        answers = "answer" if answered.n == 1 else f"{answered.n:,} answers"
        yield (
            f"The {answers} of {profile.model} {'claims' if answered.n == 1 else 'claim'} nothing: it declines or asks "
            "back. Nothing else can be concluded for or against it."
        )
    elif answered.value is not None:
        claiming = round(answered.value * answered.n)
        yield (
            f"Only {claiming:,} of the {counted(answered.n, 'answer')} of {profile.model} claim anything "
            f"({percent(answered.value)}): the others decline or ask back, and what follows says little of them."
        )


def headline(profile: Profile) -> str:
    """The result with its interval, or why there is none, in a sentence."""
    er = profile.metrics["ER"]
    if er.value is None:
        return f"The {in_full('ER')} of {profile.model} has no value: {er.cause}."
    without = "" if "ER" in profile.intervals else " (no interval)"
    level = f" at one level {profile.only} ({profile.curves[0].level:g})" if len(profile.curves) == 1 else ""
    return f"The {in_full('ER', FROM_0_TO_1)} of {profile.model} is {_with_interval(profile, 'ER')}{without}{level}."


def _overall(profile: Profile) -> Iterator[str]:
    if profile.metrics["ER"].value is None:
        yield _accuracy_alone(profile)
        return
    parts = {name: value for name in PARTS_OF_ER if (value := profile.metrics[name].value) is not None}
    weakest = min(parts, key=parts.__getitem__)
    yield f"It is weakest in {PARTS_OF_ER[weakest]} ({weakest} {metric(weakest, parts[weakest])})."
    yield from (str(note) for note in (profile.few_turns_behind_er, profile.none_rejected) if note is not None)


def _is_wide(interval: Interval | None) -> bool:
    return interval is not None and interval.high - interval.low > WIDE


def _accuracy_alone(profile: Profile) -> str:
    k = profile.metrics["K"]
    if k.value is None:
        return f"Nor has its {in_full('K')}: {k.cause}."
    return f"Its {in_full('K')} is {_with_interval(profile, 'K')}."


def _with_interval(profile: Profile, name: str) -> str:
    reach = metric_interval(name, profile.intervals.get(name))
    return f"{metric(name, profile.metrics[name].value)}{f' (95 % interval {reach})' if reach else ''}"


def _trap(material: Material, profile: Profile) -> Iterator[str]:
    """Nothing where there is no value: the reason why ER has none says it."""
    share = profile.metrics["V_E"]
    if share.value is None:
        return
    stances = run_description.stances_at_the_trap(material)
    rejected, doubted, believed = (int((stances == each).sum()) for each in ("rejected", "questioned", "accepted"))
    n_set = int((material.turns_of_judged["turn"] == run_description.TRAP_TURN).sum())
    scored = f" with a scored answer (of {n_set:,} set)" if share.n < n_set else ""
    parts = [f"rejected {rejected or 'none'} of {counted(share.n, 'fabrication')}{scored}"]
    parts += [f"doubted {doubted}"] if doubted else []
    parts += [f"took {believed} for real"] if believed else []
    half = ", where doubt counts half," if doubted else ""
    yield f"It {listed(parts)}: V_E{half} is {_with_interval(profile, 'V_E')}."


def _danger(profile: Profile) -> Iterator[str]:
    share = profile.danger_zone_pct
    if share is None:
        return
    interval = profile.intervals.get("danger_zone_pct")
    reach = "" if interval is None else f" ({metric_interval('danger_zone_pct', interval)} %)"
    scored = counted(profile.metrics["danger_zone_pct"].n, "scored turn")
    turns = scored if profile.n["unscored"] else "turns"
    yield f"In {metric('danger_zone_pct', share)} % of its {turns}{reach} it was fluent and wrong at once."
