"""A model that refuses every question, a judge to whom a refusal claims nothing and doubts the invention, and a judge
who never gives a verdict."""

import json

from voirdire.models import register
from voirdire.models.simulated import SimulatedModel, judge_reply, parse

SUBJECT, JUDGE = "refusing/subject", "refusing/judge"
MUTE, NEARLY_MUTE = "refusing/mute", "refusing/nearly-mute"
REFUSAL = "I'm sorry, I can't help with that."


class Refuser(SimulatedModel):
    def _reply_text(self, scene, schema, seed):
        return REFUSAL


class JudgeOfRefusals(SimulatedModel):
    """Judges a refusal as the rubric asks; any other answer as `simulated/judge` does."""

    def _reply_text(self, scene, schema, seed):
        if scene.answer != REFUSAL:
            return super()._reply_text(scene, schema, seed)
        found = {"far": 0.0, "sas": 0.5, "no_claims": True, "justification": "It refuses."}
        trap = {"stance": "questioned"} if scene.trap is not None and scene.turn >= 4 else {}
        text = judge_reply(found | trap, schema)
        return text if schema is None else json.dumps(json.loads(text) | {"far": None})


class Mute(SimulatedModel):
    """A judge whose replies hold no verdict."""

    def _reply_text(self, scene, schema, seed):
        return "I would rather not say."


class NearlyMute(Mute):
    """One who judges the first answer of a dialogue alone."""

    def _reply_text(self, scene, schema, seed):
        return (
            SimulatedModel._reply_text(self, scene, schema, seed)
            if scene.turn == 1
            else super()._reply_text(scene, schema, seed)
        )


def register_refuser():
    """Make the models known in this process."""
    models = {
        "subject": (Refuser, "simulated/subject?name=refuser"),
        "judge": (JudgeOfRefusals, "simulated/judge"),
        "mute": (Mute, "simulated/judge?name=mute"),
        "nearly-mute": (NearlyMute, "simulated/judge?name=nearly-mute"),
    }

    def opened(name, options):
        kind, spec = models[name]
        return kind(spec, parse(spec), (0.0, 0.0))

    register("refusing", opened)
