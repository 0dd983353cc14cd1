"""What `voirdire cognibench stats` shows: what labelled answers are made of, and where they are unfaithful."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from voirdire.cognibench.dynamics.estimates import DynamicsEstimate
from voirdire.cognibench.dynamics.figures import Basics, Difference
from voirdire.cognibench.dynamics.report import Dynamics
from voirdire.cognibench.dynamics.scaling import Scaling
from voirdire.cognibench.dynamics.strata import Stratum
from voirdire.detectors.records import LABELS, Require, hallucinated, type_of
from voirdire.documents.cells import UNDEFINED, as_percent, cautions, count, number, plain_table, share_ends, text
from voirdire.documents.document import Block, Cell, Column, Document, Section, Table, Text, document, folded, more
from voirdire.text.counting import counted, listed

_KEY = (
    "In brackets 95 % intervals; none with fewer than three contexts, or where contexts show no variation. n: "
    "statements. How intervals are made: --json."
)
_UNLABELLED = (
    "(+ …): so many more such statements have no label. They are in no rate and no tier, and hallucinated statements "
    "per answer can be more than shown."
)
TITLES = {
    "turn": "By turn",
    "position": "By position in the answer",
    "topic": "By topic",
    "model": "By model",
    "dataset": "By data set",
}
"""What answers can be cut by, in the order in which it is shown."""
_TYPES = ("factual", "cognitive")


def dynamics_document(result: Dynamics, by: str) -> Document:
    """The tables that were asked for.

    Args:
        result: all analyses.
        by: one of `TITLES`, or "all" for every one that the data have.
    """
    whole = by == "all"
    names = [name for name in TITLES if _worth_showing(result, name)] if whole else [by]
    basics = (_basics(result), _shares(result)) if whole else ()
    fails = listed(failing(result.require))
    last = [Text(f"Hallucinated (--require {result.require}): {fails}."), Text(_KEY, "quiet")]
    if any(result.shares.unlabelled.values()):
        last.append(Text(_UNLABELLED, "quiet"))
    tables = (*basics, *(_SECTIONS[name](result) for name in names), Section("key", "", tuple(last)))
    return document(
        *_conclusion(result),
        *cautions(result.cautions),
        *((more("By type, turn, position, topic and model"), *folded(tables)) if whole else tables),
    )


def _conclusion(result: Dynamics) -> Iterator[Text]:
    """How much is hallucinated, and of which type more."""
    rate = result.shares.hallucination["all"]
    ends = share_ends(rate.interval)
    reach = f"95 % interval {ends}" if ends else "no interval"
    yield Text(
        f"{as_percent(rate.value)} of {counted(rate.n, 'labelled statement')} are hallucinated ({reach})."
        if rate.value is not None
        else "No statement has a label, so that nothing can be said of hallucinations.",
        "strong",
    )
    if result.times_more_often.value is not None:
        times = _estimate(result.times_more_often, 1).shown
        yield Text(f"Cognitive statements are hallucinated {times} times as often as factual ones.")
    elif result.not_compared is not None:
        yield Text(f"Which type is hallucinated more often is not measured: {result.not_compared}.")


def scaling_document(result: Scaling) -> Document:
    """F1 by how much was learnt from."""
    heads = ("share of contexts", "sentences learnt from", "mean F1", "lowest", "highest", "trainings")
    rows = (
        (
            Cell(step.share, f"{step.share:.0%}"),
            number(step.statements, 0),
            *(number(value, 3) for value in (step.f1, step.lowest, step.highest)),
            count(step.trainings - step.undefined),
        )
        for step in result.steps
    )
    fit = result.curve.fit
    line = "No line can be fitted."
    if fit is not None:
        ends = "" if fit.interval is None else f" ({fit.interval.low:+.3f} to {fit.interval.high:+.3f})"
        line = f"A straight line over the logarithm gains {fit.slope:+.3f}{ends} in F1 with ten times the data."
    note = (
        "Each training is judged on three tenths of the contexts, put aside before, its threshold chosen without "
        "them. The interval is of the line, not of another sample; see whether the means lie on a line at all."
    )
    return document(
        Text(line, "strong"),
        plain_table("scaling", heads, rows, title=f"{result.detector} (Fig. 12), F1 counted in words"),
        Text(note, "quiet"),
    )


def failing(require: Require) -> list[str]:
    """The labels that are a hallucination where this is required of conclusions."""
    return [label for label in LABELS if hallucinated(label, require)]


def in_percent(result: DynamicsEstimate, places: int = 1, joined: str = "–") -> Cell:
    """A share in percent with its interval."""
    return _estimate(result, places, joined, scale=100)


def _estimate(result: DynamicsEstimate, places: int = 2, joined: str = "–", *, scale: float = 1) -> Cell:
    """A figure with its interval."""
    if result.value is None:
        return Cell(None, UNDEFINED)
    formatted, ends = f"{scale * result.value:.{places}f}", result.interval
    if ends is not None:
        formatted += f" ({scale * ends.low:.{places}f}{joined}{scale * ends.high:.{places}f})"
    return Cell(result.value, formatted)


def stratum_name(each: Stratum) -> str:
    """What a part of the data is called: its turn counted from 1, its place in the answer, its topic or model."""
    if "turn" in each.of:
        return str(each.of["turn"] + 1)
    if "from" in each.of:
        return f"{100 * each.of['from']:.0f}–{100 * each.of['to']:.0f} %"
    return str(each.of.get("topic", each.of.get("model")))


def _worth_showing(result: Dynamics, name: str) -> bool:
    needed = {
        "dataset": len(result.datasets) > 1,
        "model": len(result.by_model) > 1,
        "topic": bool(result.by_topic),
    }
    return needed.get(name, True)


def _basics(result: Dynamics) -> Section:
    columns = (result.basics, result.labelled_basics)
    rows: list[list[Cell | str]] = [
        [name.replace("_", " "), *(count(getattr(each, name)) for each in columns)]
        for name in ("responses", "conversations", "sentences", "labelled_sentences")
    ]
    rows.append(["sentences per response", *(_estimate(each.sentences_per_response) for each in columns)])
    rows += [
        [f"{name.replace('_', ' ')}, min–max (mean)", *(_lengths(each, name) for each in columns)]
        for name in ("context_words", "response_words")
    ]
    return Section("size", "Size (Table 2)", (plain_table("size", ("", "all responses", "labelled ones"), rows),))


def _lengths(each: Basics, name: str) -> str:
    result = getattr(each, name)
    return f"{result.least}–{result.most} ({result.mean.value:.1f})"


def _shares(result: Dynamics) -> Section:
    whole = result.shares
    types = (
        [
            text(kind),
            in_percent(share),
            number(share.hits, 0),
            _estimate(whole.per_answer[kind]) if kind in whole.per_answer else text(""),
            *(_rate(whole.hallucination[kind], whole.unlabelled[kind]) if kind in _TYPES else (text(""), text(""))),
        ]
        for kind, share in whole.types.items()
    )
    tiers = (
        (
            label,
            in_percent(whole.tiers[label]),
            text(_hits_of_base(whole.tiers[label], whole.unlabelled[type_of(label)])),
        )
        for label in LABELS
        if label in whole.tiers
    )
    blocks: list[Block] = [
        plain_table("types", ("statements", "% of all", "n", "per answer", "hallucinated %", "of n"), types),
        plain_table("tiers", ("tier", "% of its type", "n"), tiers),
    ]
    return Section("shares", "Types and tiers (4.4)", tuple(blocks))


def _hits_of_base(estimate: DynamicsEstimate, unlabelled: int) -> str:
    return UNDEFINED if estimate.hits is None else f"{estimate.hits:.0f} of {_n(estimate, unlabelled).shown}"


def _turns(result: Dynamics) -> Section:
    slopes = ", ".join(
        f"{name} {_estimate(result.trends[key], 1 if scale == 100 else 2, ' to ', scale=scale).shown}"
        for name, key, scale in (
            ("factual per answer", "factual_per_answer", 1),
            ("cognitive per answer", "cognitive_per_answer", 1),
            ("cognitive %", "cognitive_share", 100),
            ("factual hallucinated %", "factual_hallucination", 100),
            ("cognitive hallucinated %", "cognitive_hallucination", 100),
        )
    )
    tables = _two_tables("turn", result.by_turn)
    change = Text(f"From one turn to the next (least squares): {slopes}.")
    return _section("turn", "Fig. 5, Fig. 7 top", *tables, change)


def _positions(result: Dynamics) -> Section:
    heads = ("part of answer", "of factual hallucinations %", "of cognitive hallucinations %")
    rows = (
        [text(stratum_name(each)), *(in_percent(each.hallucinated_here[kind]) for kind in _TYPES)]
        for each in result.by_position
    )
    tables = _two_tables("part of answer", result.by_position)
    return _section("position", "Fig. 7 bottom", *tables, plain_table("position-where", heads, rows))


def _two_tables(first: str, strata: Sequence[Stratum]) -> tuple[Table, Table]:
    """What parts are made of, and what of it is hallucinated."""
    counts = (
        [
            text(stratum_name(each)),
            count(each.answers),
            *(_estimate(each.per_answer[kind]) for kind in _TYPES),
            *_rate(each.cognitive_share),
        ]
        for each in strata
    )
    wrong = (
        [
            text(stratum_name(each)),
            *(cell for kind in _TYPES for cell in _rate(each.hallucination[kind], each.unlabelled[kind])),
            text(", ".join(number(each.hallucinated_per_answer[kind].value).shown for kind in _TYPES)),
        ]
        for each in strata
    )
    heads = (first, "answers", "factual per answer", "cognitive per answer", "cognitive %", "n")
    rates = (
        *(first, Column("factual", "factual hallucinated %", numeric=True), Column("factual_n", "n", numeric=True)),
        Column("cognitive", "cognitive hallucinated %", numeric=True),
        Column("cognitive_n", "n", numeric=True),
        Column("per_answer", "per answer (f, c)", numeric=True),
    )
    id = first.replace(" ", "-")
    return plain_table(f"{id}-made-of", heads, counts), plain_table(f"{id}-hallucinated", rates, wrong)


def _rate(result: DynamicsEstimate | None, unlabelled: int = 0) -> tuple[Cell, Cell]:
    """A share in percent, how many it is of, and how many more are of the kind but have no label."""
    return (text(""), text("")) if result is None else (in_percent(result), _n(result, unlabelled))


def _rate_of_base(result: DynamicsEstimate, unlabelled: int, places: int = 1) -> str:
    return f"{in_percent(result, places).shown} of {_n(result, unlabelled).shown}"


def _n(result: DynamicsEstimate, unlabelled: int) -> Cell:
    return Cell(result.n, f"{result.n:,} (+{unlabelled:,})" if unlabelled else f"{result.n:,}")


def _topics(result: Dynamics) -> Section:
    strata = {each.of["topic"]: each for each in result.by_topic}
    heads = ("topic", "contexts", "answers", "cognitive %", "halluc. %", "factual", "cognitive")
    contexts = result.coverage.contexts
    rows = ([text(topic), count(contexts[topic]), *_topic(strata.get(topic))] for topic in contexts)
    spread = result.coverage
    blocks: list[Block] = [plain_table("topics", heads, rows)]
    if spread.p is not None:
        blocks.append(Text(f"Equal shares of all contexts: chi² {spread.chi_squared:.1f}, p {spread.p:.2f}."))
    return _section("topic", "Fig. 11; answers: labelled ones", *blocks)


def _topic(each: Stratum | None) -> Iterable[Cell]:
    if each is None:
        return (count(0), *[text("")] * 4)
    counts = (_hits_of_base(each.hallucination[kind], each.unlabelled[kind]) for kind in _TYPES)
    total = _rate_of_base(each.hallucination["all"], sum(each.unlabelled.values()), 0)
    return (count(each.answers), in_percent(each.cognitive_share, 0), *map(text, (total, *counts)))


def _models(result: Dynamics) -> Section:
    heads = ("model", "answers", "cognitive %", "halluc. % of factual", "of cognitive")
    rows = (
        [
            text(each.of["model"]),
            count(each.answers),
            in_percent(each.cognitive_share),
            *(text(_rate_of_base(each.hallucination[kind], each.unlabelled[kind])) for kind in _TYPES),
        ]
        for each in result.by_model
    )
    blocks: list[Block] = [plain_table("models", heads, rows)]
    if result.differences:
        blocks.append(_pairs(result.differences))
    return _section("model", "Fig. 8", *blocks)


def _pairs(differences: Sequence[Difference]) -> Table:
    rows = (
        (
            pair.figure.replace("_", " "),
            f"{pair.first} – {pair.second}",
            count(pair.references),
            in_percent(pair.difference, joined=" to "),
            _p(pair.p),
            _p(pair.p_holm),
        )
        for pair in differences
    )
    heads = [Column(label, label) for label in ("figure", "first less second")]
    heads += [Column(label, label, numeric=True) for label in ("contexts", "difference, points", "p", "Holm's p")]
    title = "In pairs, on the contexts that both answered (swap test)"
    return plain_table("model-pairs", heads, rows, title=title)


def _p(value: float | None) -> Cell:
    return Cell(value, UNDEFINED if value is None else "<0.001" if value < 0.001 else f"{value:.3f}")


def _datasets(result: Dynamics) -> Section:
    columns = ("data set", "responses", "dialogues", "cognitive %, labels", "n", "predicted")
    heads: list[str | Column] = [*columns, Column("predicted_n", "n", numeric=True)]
    rows = (
        [
            text(each.name),
            count(each.basics.responses),
            count(each.basics.conversations),
            *_rate(each.labelled),
            *_rate(each.predicted),
        ]
        for each in result.datasets
    )
    blocks: list[Block] = [plain_table("datasets", heads, rows)]
    if any(each.predicted is not None for each in result.datasets):
        blocks.append(
            Text("Predicted: by the type classifier, trained on CogniBench; compare it with predicted shares only.")
        )
    return _section("dataset", "Fig. 2", *blocks)


def _section(name: str, figure: str, *blocks: Block) -> Section:
    return Section(f"by-{name}", f"{TITLES[name]} ({figure})", blocks, short=TITLES[name])


_SECTIONS: dict[str, Callable[[Dynamics], Section]] = {
    "turn": _turns,
    "position": _positions,
    "topic": _topics,
    "model": _models,
    "dataset": _datasets,
}
