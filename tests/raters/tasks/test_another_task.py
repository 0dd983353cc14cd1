"""A task that this package does not know, described in one file, can do what the others can."""

import asyncio
import re
from pathlib import Path

import pytest

from voirdire import raters
from voirdire.raters.agreement import agree
from voirdire.raters.exchange import ExchangeError, ExportPlan, export_project, import_ratings
from voirdire.raters.exchange.field_checks import check_names, one_of
from voirdire.raters.new_project import NewProject, make_project
from voirdire.raters.planning import plan
from voirdire.raters.progress import progress_of
from voirdire.raters.project_loader import read_project
from voirdire.raters.records import Document, Item, RatersError, Refused
from voirdire.raters.service import RatingService, Submission
from voirdire.raters.store import Store
from voirdire.raters.tasks import MODULES
from voirdire.raters.tasks.base import (
    Column,
    Effort,
    Materials,
    NewRow,
    Nouns,
    Phase,
    RatingsExchange,
    Scale,
    SourcedRange,
    Task,
    known,
)
from voirdire.raters.web.dashboard import dashboard

COLOURS = ("red", "green", "blue")


class Colours(Task):
    """Naming the colour that a line of text speaks of."""

    name = "colours"
    nouns = Nouns("Naming colours", document="line", item="line", group="line", dialogue="line")

    def take(self, work, action, form):
        if form.get("colour") not in COLOURS:
            raise Refused("Choose a colour.")
        return NewRow("colour", {"colour": form["colour"]})

    def value(self, work):
        return dict(work.rows[-1].body) if work.rows else None

    def view(self, work):
        return {"line": work.document.body["line"]}

    def feedback(self, work):
        return None

    def differ(self, one, other):
        return one["colour"] != other["colour"]

    def settle(self, values):
        named = [value["colour"] for value in values]
        return next(({"colour": each} for each in named if 2 * named.count(each) > len(named)), None)

    def guideline(self, settings):
        return {"title": "Colours", "intro": "", "classes": []}

    def item_in_words(self, document, item):
        return document.body["line"]

    def rating_in_words(self, value):
        return value["colour"]

    def make(self, path, options):
        lines = path.read_text().splitlines()
        named = [f"line{number}" for number in range(len(lines))]
        documents = [
            Document(id=name, body={"line": line}, group=name) for name, line in zip(named, lines, strict=True)
        ]
        return Materials(tuple(documents), tuple(Item(id=name, document=name) for name in named))

    def effort(self, mode):
        phase = Phase("lines", None, known(36.0, "a stopwatch"))
        return Effort(phases=(phase,), disagreement=SourcedRange(0.1, 0.2, "a guess"), pay=known(0.5, "a price list"))

    def scales(self):
        return (Scale("colour", COLOURS, lambda value: value["colour"]),)

    def exchange(self):
        return RatingsExchange(check=_check, columns=(Column("colour", "word"),), needed="colour")


def _check(value, work):
    check_names(value, ("colour",))
    return {"colour": one_of("colour", value.get("colour"), COLOURS)}


TASK = Colours()


@pytest.fixture(autouse=True)
def known_task(monkeypatch):
    monkeypatch.setitem(MODULES, "colours", __name__)


@pytest.fixture
def project(tmp_path):
    source = tmp_path / "lines.txt"
    source.write_text("a rose\na leaf\nthe sea\n")
    make_project(tmp_path / "p.voirdire", NewProject(task="colours", source=source, raters=("Ann", "Ben")))
    return tmp_path / "p.voirdire"


def rate(path, **colours):
    """Each rater names the colours of the lines, through the service of the web app."""
    with Store.open(path) as store:
        service = RatingService(store)
        for rater in store.read.raters():
            for colour in colours.get(rater.name, ()):
                item = asyncio.run(service.take_next(rater)).item
                seen = service.item_state(rater, item).seen
                asyncio.run(
                    service.act(rater, item, Submission("name", {"colour": colour}, f"{rater.id}-{item}", seen, 9.0))
                )


def test_it_is_rated_and_its_progress_and_agreement_are_told(project):
    rate(project, Ann=["red", "green", "blue"], Ben=["red", "green", "green"])
    read = read_project(project)
    assert read.settings.title == "Naming colours"
    progress = progress_of(read)
    assert (progress.rated, progress.settled, progress.disputes_open) == (3, 2, 1)
    (colour,) = agree(read).live.categories
    assert (colour.name, colour.percent.value) == ("colour", pytest.approx(2 / 3))
    (dispute,) = dashboard(read).disputes
    assert (dispute.what, [(vote.name, vote.says) for vote in dispute.votes]) == (
        "the sea",
        [("Ann", "blue"), ("Ben", "green")],
    )


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_its_ratings_go_out_and_come_back(project, tmp_path, form):
    rate(project, Ann=["red", "green", "blue"])
    before = read_project(project)
    export_project(before, ExportPlan(target=form, out=tmp_path / form, names=True))
    again = tmp_path / "again.voirdire"
    make_project(again, NewProject(task="colours", source=tmp_path / "lines.txt", raters=("Ann", "Ben")))
    assert import_ratings(again, tmp_path / form).added == 3
    assert [each.value for each in read_project(again).ratings] == [each.value for each in before.ratings]


def test_it_is_planned_by_its_own_figures():
    made = plan(100, task="colours")
    assert (made.ratings, made.adjudications.low, made.adjudications.high) == (200, 10, 20)
    assert made.hours_per_rater == pytest.approx((1.0, 1.0))
    assert made.as_dict()["mode"] is None


def test_what_it_does_not_describe_is_refused_in_a_sentence(project, tmp_path):
    read = read_project(project)
    with pytest.raises(ExchangeError, match="The task colours has no form for Label Studio"):
        export_project(read, ExportPlan(target="label-studio", out=tmp_path / "out"))
    with pytest.raises(RatersError, match="No run or file holds judgements of the task colours"):
        TASK.judgements()
    with pytest.raises(RatersError, match="has no modes to compare"):
        TASK.compare_modes(read, read)


ROOT = Path(raters.__file__).parent


def test_no_module_but_the_tasks_names_a_task():
    texts = {path.relative_to(ROOT): path.read_text() for path in ROOT.rglob("*") if path.suffix in (".py", ".html")}
    shared = {path: text for path, text in texts.items() if path.parts[0] != "tasks"}
    assert len(shared) > 30
    assert [str(path) for path, text in shared.items() if re.search(r"\b(ddft|cognibench|integrity)\b", text)] == []
