"""The page about the published study says what the command says."""

from collections import Counter
from pathlib import Path

from voirdire.papers.ddft import replication

PAGE = Path(__file__).parents[3] / "docs" / "published-study.md"


def test_the_page_tells_how_many_claims_have_which_verdict():
    counts = Counter(outcome.verdict for outcome in replication.replicate().claims)
    said = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"Of {counts.total()} claims, {counts['reproduced']} are reproduced" in said
    for verdict in counts.keys() - {"reproduced"}:
        assert f"{counts[verdict]} are {verdict}" in said
