"""What is handed to workers on other machines has no credentials in it."""

import json

import pytest

from tests.adapters.examples import FACTS, RESPONSES
from voirdire.adapters.ray import Here, ScaleError, audit_shards
from voirdire.integrity.plan import AuditPlan
from voirdire.runs import RunOptions


def test_workers_are_told_no_credentials(tmp_path):
    (tmp_path / "facts.txt").write_text("\n".join(FACTS))
    (tmp_path / "r.jsonl").write_text(
        "\n".join(json.dumps({"id": name, "response": RESPONSES[name]}) for name in RESPONSES)
    )
    plan = AuditPlan(tmp_path / "r.jsonl", facts=tmp_path / "facts.txt", base_url="https://ada:pass-word@host.org/v1")
    with pytest.raises(ScaleError, match=r"https://\[secret\]@host.org/v1 has some") as refused:
        audit_shards(plan, tmp_path / "out", Here, shard_rows=2, options=RunOptions())
    assert "pass-word" not in str(refused.value)
    assert not list(tmp_path.glob("out/*"))
