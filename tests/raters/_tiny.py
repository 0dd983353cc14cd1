"""A task so small that only the service can go wrong: two words make a rating, a further one replaces the second."""

import asyncio
import itertools

from voirdire.raters.records import Document, Item, Refused, Settings
from voirdire.raters.service import RatingService, Submission
from voirdire.raters.store import Store
from voirdire.raters.tasks.base import Effort, Materials, NewRow, Nouns, Phase, RatingsExchange, SourcedRange, Task

_tokens = itertools.count(1)


class Tiny(Task):
    name = "tiny"
    nouns = Nouns("Two words", document="text", item="text", group="text", dialogue="text")

    def take(self, work, action, form):
        if action != "say" or not form.get("word"):
            raise Refused("Say a word.")
        return NewRow("say", {"word": form["word"]}, work.rows[-1].seq if len(work.rows) > 1 else None)

    def value(self, work):
        words = [row.body["word"] for row in work.rows if row.kind == "say"]
        return {"words": [words[0], words[-1]]} if len(words) > 1 else None

    def view(self, work):
        return {"others": [other["words"] for other in work.others]}

    def feedback(self, work):
        value = self.value(work)
        return {"right": True} if value and work.phase != "live" else None

    def differ(self, one, other):
        return one["words"] != other["words"]

    def settle(self, values):
        said = [tuple(value["words"]) for value in values]
        most = max(said, key=said.count)
        return {"words": list(most)} if 2 * said.count(most) > len(said) else None

    def guideline(self, settings):
        return {"title": "Tiny", "intro": "", "classes": []}

    def item_in_words(self, document, item):
        return document.body["text"]

    def rating_in_words(self, value):
        return " ".join(value["words"])

    def make(self, path, options):
        return Materials(*map(tuple, documents()))

    def effort(self, mode):
        second = SourcedRange(1.0, 1.0, "a word is quickly said")
        return Effort(phases=(Phase("texts", None, second),), disagreement=SourcedRange(0.0, 1.0, "nobody knows"))

    def exchange(self):
        return RatingsExchange(check=lambda value, work: dict(value), columns=(), needed="words")


TASK = TINY = Tiny()


def documents(live=2, each=2, practice=0):
    """Documents d0, d1 … of `each` items d0#0, d0#1 …; before them p0 … with one practice item each, keyed "a a"."""
    names = [f"p{number}" for number in range(practice)] + [f"d{number}" for number in range(live)]
    made = [Document(id=name, body={"text": name}, group=name) for name in names]
    items = [
        Item(id=f"{name}#{place}", document=name, place=place, pool=pool, key=key)
        for name in names
        for pool, key, count in [("practice", {"words": ["a", "a"]}, 1) if name[0] == "p" else ("live", None, each)]
        for place in range(count)
    ]
    return made, items


def tiny_store(path, *, raters=("Ann", "Ben"), adjudicators=(), live=2, each=2, practice=0, task="ddft", **settings):
    """A project's file; of a task that is known everywhere, unless another one is named."""
    people = [(name, "rater") for name in raters] + [(name, "adjudicator") for name in adjudicators]
    Store.create(path, Settings(task=task, title="Tiny", **settings), *documents(live, each, practice), people)
    return path


class Play:
    """A desk, with people who act one after the other."""

    def __init__(self, path, **project):
        self.path = path if path.exists() else tiny_store(path, task="tiny", **project)
        self.store = Store.open(self.path)
        self.service = RatingService(self.store)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.store.close()

    def who(self, name):
        return next(rater for rater in self.store.read.raters() if rater.name == name)

    def next(self, name):
        """Hand out what comes next: its item, or how things stand."""
        going = asyncio.run(self.service.take_next(self.who(name)))
        return going.item or going.state

    def item_state(self, name, item):
        return self.service.item_state(self.who(name), item)

    def send(self, name, item, action="say", token=None, seen=None, seconds=0.0, **form):
        """Send a page's form; as it was made just now, unless `seen` says otherwise."""
        seen = self.item_state(name, item).seen if seen is None else seen
        sent = Submission(action, form, token or f"token{next(_tokens):08}", seen, seconds)
        return asyncio.run(self.service.act(self.who(name), item, sent))

    def rate(self, name, item, words="a a"):
        """Rate an item with two words."""
        for word in words.split():
            outcome = self.send(name, item, word=word)
        return outcome

    def rate_all(self, name, words="a a"):
        """Rate whatever comes, until nothing does."""
        rated = []
        while "#" in (item := self.next(name)):
            self.rate(name, item, words)
            rated.append(item)
        return rated

    def do(self, act):
        """Run something that is awaited."""
        return asyncio.run(act)
