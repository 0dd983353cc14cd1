"""Studies made by hand, in which a prediction holds or breaks by construction."""

import numpy as np

from tests.ddft._scores import row, table

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


def study(models=("m",), concepts=8, seed=0, levels=LEVELS, noise=0.02, **shapes):
    """Scores of models; `far`, `sas` and `stance` are functions of (model number, concept number, level, turn)."""
    rng = np.random.default_rng(seed)
    far = shapes.get("far", lambda *_: 0.8)
    sas = shapes.get("sas", lambda *_: 0.8)
    stance = shapes.get("stance", lambda *_: None)
    rows = []
    for place, model in enumerate(models):
        for number, concept in enumerate("abcdefghijkl"[:concepts]):
            for level in levels:
                for turn in range(1, 6):
                    scores = (np.clip(f(place, number, level, turn) + noise * rng.normal(), 0, 1) for f in (far, sas))
                    at = dict(zip(("far", "sas"), map(float, scores), strict=True))
                    known = stance(place, number, level, turn) if turn > 3 else None
                    rows.append(row(concept, level, turn, model=model, stance=known, **at))
    return table(*rows)


def named(n):
    return [f"model-{place}" for place in range(n)]
