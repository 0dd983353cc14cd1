"""The page about the published study says what the command says."""

import re
from pathlib import Path

from voirdire.papers.ddft.replication import replicate
from voirdire.papers.ddft.report import recomputed
from voirdire.papers.report import printed

PAGE = Path(__file__).parents[3] / "docs" / "published-study.md"


def test_the_page_lists_every_claim_under_its_verdict_with_its_numbers():
    shown, verdict = {}, None
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if heading := re.fullmatch(r"### (.+) \(\d+\)", line):
            verdict = heading.group(1).lower()
        elif line.startswith("| `"):
            name, _, _, paper, found = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
            shown[name.strip("`")] = (verdict, paper, found)

    assert shown == {claim.claim.id: (claim.verdict, printed(claim), recomputed(claim)) for claim in replicate().claims}
