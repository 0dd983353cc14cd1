"""Judgements of turns that come from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voirdire.raters.exchange.checking._fields import FieldError, check_names, flag, one_of, share, text
from voirdire.records import STANCES

FIELDS = ("far", "sas", "no_claims", "stance", "comment")


def check(value: Mapping[str, Any], *, trapped: bool) -> dict[str, Any]:
    """FAR and SAS in [0, 1], whether nothing was claimed, the stance, and a comment.

    Args:
        value: as given.
        trapped: whether something fabricated was brought in: then there is a stance, and otherwise none.

    Raises:
        FieldError: one of them can't be taken.
    """
    check_names(value, FIELDS)
    no_claims = flag("no_claims", value.get("no_claims", False))
    far = None if value.get("far") is None else share("far", value["far"])
    if no_claims and far is not None:
        raise FieldError("far", "must be empty where no_claims is true: an answer without claims has no accuracy")
    if not no_claims and far is None:
        raise FieldError("far", "is missing: give a score from 0 to 1, or say that there are no_claims")
    stance = value.get("stance")
    if not trapped and stance is not None:
        raise FieldError("stance", "is given, but nothing fabricated was brought in at this turn")
    return {
        "far": far,
        "sas": share("sas", value.get("sas")),
        "no_claims": no_claims,
        "stance": one_of("stance", stance, STANCES) if trapped else None,
        "comment": text("comment", value.get("comment", "")),
    }
