"""What `voirdire integrity study` prints of judges' reasons, of bands, and of what was published."""

from __future__ import annotations

from typing import TYPE_CHECKING

from voirdire.cli.show._integrity_text import title
from voirdire.cli.show.paint import new_table

if TYPE_CHECKING:
    from rich.console import RenderableType

    from voirdire.papers.integrity.citations import Citation
    from voirdire.papers.integrity.study import Study


def evidence(found: Study) -> list[RenderableType]:
    """What judges cite that is not there."""
    from voirdire.papers.integrity.citations import explanations

    cited = found.cited
    table = new_table("judge", "quotes", "in no text", "figures", "absent", "explanations with absent ones")
    for name in found.trials.evaluators:
        quotes, figures = (
            [each for each in group if each.evaluator == name] for group in (cited.quotes, cited.figures)
        )
        absent = [each for each in cited.absent_figures if each.evaluator == name]
        whole = explanations(cited.figures, name)
        table.add_row(
            name,
            str(len(quotes)),
            str(sum(each.evaluator == name for each in cited.invented_quotes)),
            str(len(figures)),
            f"{len(absent)} ({len(absent) / len(figures):.0%})" if figures else "",
            f"{explanations(cited.absent_figures, name)} of {whole}",
        )
    return [
        title("Do judges cite what the response contains?"),
        "By rule. Quotes: of three words or more; in no text: neither in the response, in whatever words, nor in the "
        "case put to the model. Figures: those that a judge credits the response with; absent: not in the response.",
        table,
        *_absent(cited.absent_figures),
    ]


def _absent(figures: tuple[Citation, ...]) -> list[RenderableType]:
    if not figures:
        return []
    stand = sum(each.stands == "case" for each in figures)
    each = min(figures, key=lambda figure: ("%" not in figure.text, len(figure.sentence)))
    return [
        f"Of {len(figures)} absent figures, {stand} stand in the case put to the model: the judge had them from the "
        "facts, not from the response.",
        f"For example {each.text} in {each.trial}, {each.evaluator}: “{each.sentence}”",
    ]


def spread(found: Study) -> list[RenderableType]:
    """How scores lie in the guide's bands, and the sample that was drawn from them."""
    from voirdire.papers.integrity.sample import HIGH_WANTED

    bands, sample = found.bands, found.sample
    every, consensus = sum(bands.all_scores.values()), sum(bands.consensus.values())
    table = new_table("band", "guide expects", "mean of judges", "single scores")
    for name, (low, high) in bands.target_pct.items():
        shares = (f"{bands.consensus[name] / consensus:.1%}", f"{bands.all_scores[name] / every:.1%}")
        table.add_row(name, f"{low}-{high} %", *shares)
    again = {True: "drawn again exactly", False: "not what the file names", None: "the file names none"}
    return [
        title("How do the scores spread?"),
        table,
        f"Sample for human validation ({again[sample.as_published]}): {sample.drawn('high_disagreement')} trials of "
        f"high disagreement ({HIGH_WANTED} wanted, {sample.high_available} there), {sample.drawn('high_agreement')} of "
        f"low, {sample.drawn('stratified_random')} filled in by a greedy rule without chance.",
    ]


def claims(found: Study) -> list[RenderableType]:
    """What was published, beside what is found."""
    from rich.padding import Padding

    from voirdire.papers.claims import Verdict
    from voirdire.papers.integrity.claims import check_statements, quantity_found

    parts: list[RenderableType] = []
    for each in check_statements(found):
        parts.append(f"\n{each.statement.says}")
        for outcome in each.outcomes:
            what = quantity_found(outcome) or "nothing that is computed here"
            verdict = f"yes, {what}" if outcome.verdict is Verdict.REPRODUCED else f"no; it is {what}"
            parts.append(Padding(f"{outcome.claim.printed} ({outcome.claim.section}): {verdict}", (0, 0, 0, 2)))
        parts.append(Padding(each.statement.definition, (0, 0, 0, 2)))
    return [title("What was published of these trials"), *parts] if parts else []
