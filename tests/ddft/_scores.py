"""Score tables for tests: made by hand, and drawn by hypothesis."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

LEVELS = (0.0, 0.5, 1.0)
STANCES = ("rejected", "questioned", "accepted")


def row(concept="a", level=0.0, turn=1, far=1.0, sas=1.0, **changed):
    """One scored turn; FAR `None` means that the answer claims nothing."""
    plain = {
        "model": "m",
        "concept": concept,
        "level": level,
        "sample": 0,
        "turn": turn,
        "far": np.nan if far is None else far,
        "sas": sas,
        "no_claims": far is None,
        "stance": None,
        "unscored": None,
    }
    return plain | changed


def unscored(**changed):
    return row(far=np.nan, sas=np.nan, **changed) | {"no_claims": False, "unscored": "below the quorum"}


def refusing(model="refuser", concepts="abcd"):
    """A model that refuses every question: no answer claims anything, and the jury calls each trap questioned."""
    return table(
        *(
            row(concept, level, turn, far=None, sas=0.5, stance="questioned" if turn > 3 else None, model=model)
            for concept in concepts
            for level in LEVELS
            for turn in range(1, 6)
        )
    )


def table(*rows):
    return pd.DataFrame(list(rows))


def simulated(concepts=8, seed=0, model="m", rejection=0.7, accuracy=0.85):
    """A study of one model that is neither perfect nor empty."""
    rng = np.random.default_rng(seed)
    rows = []
    for concept in "abcdefghijkl"[:concepts]:
        for level in (0.0, 0.25, 0.5, 0.75, 1.0):
            stance = "rejected" if rng.random() < rejection else "accepted"
            for turn in range(1, 6):
                far, sas = rng.binomial(8, accuracy - 0.3 * level) / 8, rng.binomial(8, 0.6) / 8
                at = {"stance": stance, "far": float(stance == "rejected")} if turn > 3 else {"far": far}
                rows.append(row(concept, level, turn, sas=sas, model=model, **at))
    return table(*rows)


@st.composite
def score_tables(draw, concepts=None):
    """Any table of one model: three levels, five turns, with answers without claims and unscored turns among them."""
    share = st.integers(0, 20).map(lambda twentieths: twentieths / 20)
    kind = st.sampled_from(["scored"] * 6 + ["no claims", "unscored"])
    rows = []
    for concept in "abcd"[: draw(st.integers(1, 4) if concepts is None else concepts)]:
        for level in LEVELS:
            for turn in range(1, 6):
                stance = draw(st.sampled_from(STANCES)) if turn > 3 else None
                at = {"concept": concept, "level": level, "turn": turn}
                match draw(kind):
                    case "scored":
                        rows.append(row(**at, far=draw(share), sas=draw(share), stance=stance))
                    case "no claims":
                        rows.append(row(**at, far=None, sas=draw(share), stance=stance))
                    case _:
                        rows.append(unscored(**at))
    return table(*rows)
