"""What figures say, in sentences."""

from __future__ import annotations

from collections import Counter

from voirdire.jury.worth.records import FEW_GROUPS, MUCH_DISPUTED
from voirdire.raters.anchoring.records import FEW, SPEAK, Verdict
from voirdire.raters.machine_ratings import Machine
from voirdire.raters.progress import left_out, open_items, unlabelled
from voirdire.raters.records import Project
from voirdire.raters.timing import hasty
from voirdire.reason_codes import reason
from voirdire.stats import Anchored, Interval
from voirdire.stats.prediction_powered import MIN_GROUPS
from voirdire.text.counting import counted, rounded

_UNGROUPED = (
    "The data that the project was made of is not where it was: answers not in the project count as a group each."
)
POPULATION = (
    "The intervals speak of all {groups}s that those of the run are a sample of. They hold if the rated ones are a "
    "random part of the run, or carry weights that make up for how they were drawn."
)


def number(value: float, top: float | None) -> str:
    """A figure with as many decimals as it deserves."""
    return rounded(value, 1 if top is not None and top > 1 else 2)


def disputed_items(project: Project) -> int:
    """Items that have all their ratings and are not settled: the ratings differ, and nobody has decided."""
    ratings = Counter(each.item for each in project.ratings if each.pool == "live" and each.role == "rater")
    enough = max(project.settings.raters_per_item, 1)
    return sum(count >= enough and item not in project.gold for item, count in ratings.items())


def much_disputed(project: Project) -> bool:
    """Whether so many items are disputed that the others say nothing of the judges."""
    disputed = disputed_items(project)
    return disputed > MUCH_DISPUTED * (disputed + len(project.labelled))


def bias(
    says: str,
    top: float | None,
    plain: Anchored,
    anchored: Anchored | None,
    *,
    ratings: int,
    differing: int,
    unscored: bool = False,
    unsettled: bool = False,
    cluster: str = "group",
) -> tuple[Verdict, str]:
    """Whether the machine is biased, which way, and by about how much.

    Args:
        says: the figure in words.
        top: its highest value.
        plain: by the machine.
        anchored: in people's ratings, of the units that the machine judged; `None` where there are none.
        ratings: that count for the figure, of these units.
        differing: of these, how many people and the machine rate differently.
        unscored: whether there are units that the machine did not judge.
        unsettled: whether too many items are disputed to tell.
        cluster: what intervals are clustered by.
    """
    if anchored is None:
        return "too few", f"People have rated nothing that counts for {says}."
    if anchored.interval is None:
        where = counted(anchored.groups_rated, cluster)
        return "too few", f"Ratings in {where} are too few for an interval of {says}."
    if unsettled:
        return "unsettled", f"Whether the judges are biased in {says} can't be told yet: too many items are in dispute."
    if ratings < SPEAK:
        count = counted(ratings, "rating is", "ratings are")
        return "too few", f"{count} too few to say whether the judges are biased in {says}."
    verdict, text = _direction(says, top, plain, anchored.value, anchored.interval)
    if verdict != "not shown" and differing < SPEAK:
        return "few differences", (
            f"No bias of the judges can be shown in {says}: they and people differ on {differing} of "
            f"{counted(ratings, 'unit')} that both judged; it takes {SPEAK}."
        )
    if unscored:
        low, high = number(anchored.interval.low, top), number(anchored.interval.high, top)
        figures = f"judge {number(plain.value, top)}; corrected {number(anchored.value, top)}, {low} to {high}"
        return verdict, f"On the {counted(ratings, 'unit')} that both judged, {text} ({figures})."
    return verdict, f"{text[0].upper()}{text[1:]}."


def _direction(says: str, top: float | None, plain: Anchored, value: float, interval: Interval) -> tuple[Verdict, str]:
    """The verdict, and a sentence without its ends. It holds for the figures as they are printed."""

    def printed(figure: float) -> float:
        return float(number(figure, top))

    machine, people, low, high = map(printed, (plain.value, value, interval.low, interval.high))
    least = float(number(0.0, top)[:-1] + "1")
    side = "high" if machine > people else "low"
    size = f"about {number(max(abs(plain.value - value), least), top)}"
    if not low <= machine <= high:
        return "biased", f"the judges put {says} {size} too {side}"
    if plain.interval is not None and machine != people:
        own_low, own_high = map(printed, (plain.interval.low, plain.interval.high))
        if not (low <= own_low and own_high <= high) and not own_low <= people <= own_high:
            text = f"the judges seem to put {says} {size} too {side}; the ratings do not settle it yet"
            return "leaning", text
    too_low, too_high = (
        number(max(room, least), top) for room in (interval.high - plain.value, plain.value - interval.low)
    )
    return (
        "not shown",
        f"no bias of the judges is shown in {says}, which may be up to {too_low} too low or {too_high} too high",
    )


def unscored_note(unscored: int, rated: int, units: int) -> str:
    """What units that the machine gave no result do to the figures."""
    some = f"{unscored:,} of {counted(units, 'unit')} {'has' if unscored == 1 else 'have'}"
    return (
        f"{some} no result from the judge; people rated {rated:,} of them. The columns judge and error rates leave "
        "them out, people and corrected do not: corrected can differ from judge because of them alone. What is said "
        "of the judges is said of the other units."
    )


def few_groups(groups: int) -> tuple[str, ...]:
    """That the rated units are of few groups, where they are."""
    if not MIN_GROUPS <= groups < FEW_GROUPS:
        return ()
    return (reason("worth_few_groups", groups=groups, needed=FEW_GROUPS).sentence,)


def notes(project: Project, machine: Machine, cluster: str, rated: int) -> tuple[str, ...]:
    """What must be read beside the figures; what puts all of them in doubt comes first."""
    disputed = disputed_items(project)
    rated_items = {rating.item for rating in project.ratings if rating.pool == "live"}
    waiting = len(rated_items - project.gold.keys()) - disputed
    sentences = [_selected(disputed, len(project.labelled))] if disputed else []
    sentences += [
        *(each.sentence for each in left_out(open_items(project), unlabelled(project))),
        *(each.sentence for each in hasty(project)),
        *([_UNGROUPED] if machine.ungrouped else []),
        *machine.notes,
        POPULATION.format(groups=cluster),
        _noise(project, disputed),
        *machine.anchoring_notes,
    ]
    if rated < FEW:
        few = counted(rated, "unit is", "units are")
        sentences.append(f"{few} rated; how often such intervals hold was measured from {FEW} upward only.")
    if waiting > 0:
        sentences.append(f"Left out: {counted(waiting, 'item')} without all ratings yet.")
    lost = [name for name in machine.unmatched if name in project.labelled]
    if lost:
        sentences.append(
            f"Left out: {counted(len(lost), 'rated item')} that this run does not have, or cuts otherwise."
        )
    return tuple(sentences)


def _selected(disputed: int, settled: int) -> str:
    """Why figures from the settled items alone are in doubt."""
    some = f"{disputed} of {counted(disputed + settled, 'fully rated item')} {'is' if disputed == 1 else 'are'}"
    return (
        f"{some} in dispute. Items that are kept because people agreed are no "
        "random part of the sample: these figures may be off in an unknown direction. Have an adjudicator settle the "
        "disagreements first."
    )


def _noise(project: Project, disputed: int) -> str:
    """What stands for the truth, and how sure people are of it."""
    gold = list(project.labelled.values())
    agreed = sum(each.how == "agreed" for each in gold)
    if project.settings.raters_per_item < 2:
        return "The truth is what one person said of each item: that person's own errors and bias stay in every figure."
    by_third = len(gold) - agreed
    rest = ", the others by a third person" if by_third and not disputed else ""
    if disputed:
        settled = f", {counted(by_third, 'was', 'were')} settled by a third person" if by_third else ""
        rest = f"{settled}, {disputed} still in dispute"
    at_once = f"{agreed} of {counted(len(gold) + disputed, 'item')} agreed at once"
    return f"The truth is what people settled on: {at_once}{rest}. What errors they share stay in every figure."
