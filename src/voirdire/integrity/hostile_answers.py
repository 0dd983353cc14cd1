"""Do responses speak to their auditors, and did that get into findings? Told beside a score, which does not change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from voirdire.integrity.auditing import Audit
from voirdire.jury.hostile_answers import Address, find_addresses, find_echo


@dataclass(frozen=True, slots=True)
class InjectionSigns:
    """Words of a response that address its auditors, and the auditors that repeat them."""

    addresses: tuple[Address, ...] = ()
    echoes: tuple[tuple[str, str], ...] = ()
    """(auditor, the sentence of its reasons that repeats such words or says that it follows them)."""

    def as_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {
            "addresses": [{"kind": each.kind, "text": each.text} for each in self.addresses],
            "echoes": [{"auditor": auditor, "words": words} for auditor, words in self.echoes],
        }


def find_injection_signs(response: str, audits: Sequence[Audit]) -> InjectionSigns:
    """Look for words to the auditor in a response, and for their echo in the reasons of findings, voided ones too.

    An auditor that was swayed to find nothing gives no reason, and leaves no echo: then `addresses` alone tells of it.

    Args:
        response: that was audited.
        audits: by models; rules can't be spoken to.
    """
    attempts = find_addresses(response)
    echoes = (
        (audit.auditor, words)
        for audit in audits
        for reason in _reasons(audit)
        if (words := find_echo(response, reason, attempts))
    )
    return InjectionSigns(attempts, tuple(dict.fromkeys(echoes)))


def _reasons(audit: Audit) -> Iterator[str]:
    yield from (violation.reason for violation in audit.violations if violation.type != "omission")
    yield from (str(void.finding.get("reason", "")) for void in audit.voided)
