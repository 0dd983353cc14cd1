"""A small document with one of everything, for the forms that are no page."""

from voirdire.documents.document import (
    Bullets,
    Cell,
    Chart,
    Column,
    Document,
    Exchange,
    Figure,
    Figures,
    Filter,
    Mark,
    Notice,
    Panel,
    Piece,
    Reading,
    Readings,
    Remark,
    Section,
    Table,
    Text,
)


def spec(title="x", values=((0, 0.9), (1, 0.4))):
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "config": {"background": "red"},
        "datasets": {f"data-{title}": [{"x": x, "y": y} for x, y in values]},
        "data": {"name": f"data-{title}"},
        "mark": {"type": "line", "color": "#0072B2"},
        "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
        "width": 200,
        "height": 120,
    }


def made(text="all is well", cell="plain", model="openai/gpt-5.1"):
    """A document in which `text` is a paragraph, `cell` stands in a table, and `model` has been read."""
    table = Table(
        "scores",
        (Column("model", "Model"), Column("far", "FAR", numeric=True, help="accuracy"), Column("said", "said")),
        (
            {"model": Cell(model, model), "far": Cell(0.81234, "0.812"), "said": Cell(cell, cell)},
            {"model": Cell("b", "b"), "far": Cell(None, "–"), "said": Cell(True, "yes")},
        ),
        "By model",
        "Means over turns.",
    )
    figure = Figure("ER", "0.61", "0.50 to 0.70", "the index", ends=(0.5012, 0.7034), value=0.6123)
    chart = Chart("curves", (Panel("FAR", spec("a"), "It falls."), Panel("SAS", spec("b"), "It stays.")), "Over levels")
    return Document(
        "A report",
        "of a run",
        (
            Section("verdict", "Verdict", (Notice("Careful.", "bad"), Text(text), Bullets(("one", "two")))),
            Section("figures", "Figures", (Figures((figure,)), table, chart)),
            Section("read", "Read", (readings(text),)),
        ),
        (("version", "0.1.0"),),
        {"models": [{"model": model, "ER": None}]},
    )


def readings(text):
    pieces = (Piece("It rained. "), Piece(text, "bad", "denial, -30"), Piece(" So it is."))
    exchange = Exchange(
        "Turn 1", "What?", pieces, (Remark("judge", (("FAR", "0.80"),), text),), ("asked again",), ("low",)
    )
    reading = Reading("d1", "recursion at 0.5", {"model": "m"}, (exchange,), "FAR 0.80", "what was given", ("low",))
    return Readings(
        "dialogues",
        (reading,),
        "dialogues",
        (("model", "model"),),
        (Filter("low", "low", "low"),),
        (Mark("bad", "bad", "bad"),),
    )
