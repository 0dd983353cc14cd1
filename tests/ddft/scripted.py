"""A scripted runner, jury and journal for tests of the protocol."""

from voirdire.jury import Decision
from voirdire.records import Consensus, Reply, Verdict


class ScriptedAsker:
    """Answers from a function of the request; keeps what it was asked."""

    def __init__(self, answer):
        self.answer = answer
        self.requests = []

    async def ask(self, model, request):
        self.requests.append((model, request))
        said = self.answer(model, request)
        return Reply(said, "stop") if isinstance(said, str) else said


class ScriptedJury:
    """Gives every turn the same scores, and turn 4 and 5 the stance it was made with."""

    jury_id = "scripted"

    def __init__(self, stance="rejected"):
        self.stance = stance
        self.tasks = []
        self.dialogues = []

    async def decide_dialogue(self, tasks):
        self.dialogues.append([task.turn for task in tasks])
        return [await self.decide(task) for task in tasks]

    async def decide(self, task):
        self.tasks.append(task)
        stance = self.stance if task.trap else None
        verdict = Verdict("scripted", far=0.9, sas=0.8, stance=stance)
        return Decision((verdict,), Consensus(0.9, 0.8, False, stance, 1))


class MemoryNotes:
    def __init__(self):
        self.written = {}

    async def note(self, dialogue, turn, kind, body):
        self.written[dialogue, turn, kind] = body
