"""Why questions got no answer: how the calls of each model failed, as the journal holds them."""

from __future__ import annotations

from collections.abc import Mapping

from voirdire.ddft.aliases import names_by_spec
from voirdire.ddft.exported_tables import ANSWERING
from voirdire.reason_codes import Reason, reason
from voirdire.runs import RunFolder

_CODES = {
    "connection": "no_server_answered",
    "server": "server_failed",
    "auth": "key_refused",
    "not_found": "model_not_found",
    "rate_limit": "server_busy",
    "timeout": "no_answer_in_time",
    "bad_request": "request_refused",
    "unexpected": "calls_failed",
}
"""What the kinds of `ErrorKind` mean."""


def call_failures(folder: RunFolder) -> Mapping[str, Reason]:
    """By model as it is shown, how most of its failed calls failed; models of which none failed are left out.

    Args:
        folder: of the run.
    """
    names = names_by_spec(folder.manifest)
    return {
        names.get(spec, spec): _most(failed, sum(failed.values()) + answered)
        for spec, (answered, failed) in folder.journal.outcomes(ANSWERING).items()
        if failed
    }


def no_call_answered(why: Reason) -> bool:
    """Whether a model never answered, by what `call_failures` says of it."""
    return why["hits"] == why["of"]


def _most(failed: Mapping[str, int], calls: int) -> Reason:
    kind = max(failed, key=failed.__getitem__)
    return reason(_CODES.get(kind, "calls_failed"), hits=failed[kind], of=calls)
