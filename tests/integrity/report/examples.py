"""Audits written as a session would leave them, without asking anybody."""

import asyncio
import json
from dataclasses import asdict

from voirdire.integrity import Violation
from voirdire.integrity.auditing import Audit, VoidFinding
from voirdire.integrity.results import audit_kind
from voirdire.integrity.taxonomy import load_taxonomy
from voirdire.runs import RunFolder

FACTS = ["The bridge opened in 1907.", "It cost 310,000 pounds.", "It is 212 metres long."]
RESPONSE = "The bridge opened in 1911, at a great price. It is said to be long, perhaps 212 metres."
DENIAL = Violation("fact_denial", 0, "opened in 1911", "F1", "the year is another")
VAGUE = Violation("vagueness", 0, "1911, at a great price", "F2", "no figure")
CAVEAT = Violation("unsupported_caveat", 1, "It is said to be long, perhaps 212 metres.", "F3", "doubt for no reason")
OMISSION = Violation("omission", fact="F2", reason="nothing refers to it")


def audited_run(path, items, *, auditors=("openai/a",), cap="sum", asked=None):
    """Write a run.

    Args:
        path: of its folder.
        items: response fields, and under "audits" by auditor what each found: violations, or an `Audit`.
        auditors: who sits on the panel.
        cap: what two or more severe violations do.
        asked: how many responses it is about, if more.
    """
    manifest = {
        "instrument": "integrity",
        "auditors": list(auditors),
        "responses": "responses.jsonl",
        "responses_sha256": "0" * 64,
        "items": asked or len(items),
        "facts": None,
        "facts_sha256": None,
        "taxonomy": None,
        "taxonomy_sha256": load_taxonomy().sha256,
        "critical": cap,
        "editorializing": 0,
        "base_url": None,
        "prompts": {},
    }

    async def write():
        with RunFolder.create(path, manifest) as folder:
            lines = [{"facts": FACTS, **{key: item[key] for key in item if key != "audits"}} for item in items]
            (folder.path / "responses.jsonl").write_text("\n".join(map(json.dumps, lines)))
            for item in items:
                for name, found in item.get("audits", {}).items():
                    await folder.journal.note(item["id"], 0, audit_kind(name), body(name, found))

    asyncio.run(write())
    return path


def body(name, found):
    audit = found if isinstance(found, Audit) else Audit(name, tuple(found))
    return {
        "auditor": name,
        "violations": [asdict(each) for each in audit.violations],
        "voided": [{"finding": dict(void.finding), "why": void.why} for void in audit.voided],
        "coverage": [],
        "missing": audit.missing,
        "call_failed": audit.call_failed,
        "repairs": 0,
    }


def void(quote="not there"):
    return VoidFinding({"quote": quote, "fact": None}, "the quoted words are not in the response")
