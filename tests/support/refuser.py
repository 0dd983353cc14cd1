"""A model that refuses every question, and a judge to whom a refusal claims nothing and doubts the invention."""

import json

from voirdire.models import register
from voirdire.models.simulated import SimulatedModel, judge_reply, parse

SUBJECT, JUDGE = "refusing/subject", "refusing/judge"
REFUSAL = "I'm sorry, I can't help with that."


class Refuser(SimulatedModel):
    def _said(self, scene, schema, seed):
        return REFUSAL


class JudgeOfRefusals(SimulatedModel):
    """Judges a refusal as the rubric asks; any other answer as `simulated/judge` does."""

    def _said(self, scene, schema, seed):
        if scene.answer != REFUSAL:
            return super()._said(scene, schema, seed)
        found = {"far": 0.0, "sas": 0.5, "no_claims": True, "justification": "It refuses."}
        trap = {"stance": "questioned"} if scene.trap is not None and scene.turn >= 4 else {}
        text = judge_reply(found | trap, schema)
        return text if schema is None else json.dumps(json.loads(text) | {"far": None})


def register_refuser():
    """Make both models known in this process."""
    models = {"subject": (Refuser, "simulated/subject?name=refuser"), "judge": (JudgeOfRefusals, "simulated/judge")}

    def opened(name, options):
        kind, spec = models[name]
        return kind(spec, parse(spec), (0.0, 0.0))

    register("refusing", opened)
