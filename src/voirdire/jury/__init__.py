"""The jury: rubric, judges, panel, consensus."""

from voirdire.jury.consensus import consensus
from voirdire.jury.families import family_of
from voirdire.jury.llm_judge import LLMJudge
from voirdire.jury.local_judge import WORTH, LocalJudge, check_judge_spec
from voirdire.jury.panel import (
    REFERENCE,
    REFERENCE_BANNER,
    Decision,
    Judge,
    Panel,
    ReferenceJudge,
    asks_as_needed,
    banner,
    calls_on,
    calls_per_turn,
    check_jury,
    judge_spec,
    open_jury,
    reference_stance,
)
from voirdire.jury.rubric import judge_requests, kind_hashes, prompt_hashes
from voirdire.jury.settings import AS_RUN_WEIGHTS, JuryError, JuryRules, Weights
from voirdire.jury.structured_replies import Asks, ParseFault
from voirdire.jury.verdict_parsing import ParsedVerdict, parse_verdict

__all__ = [
    "AS_RUN_WEIGHTS",
    "REFERENCE",
    "REFERENCE_BANNER",
    "WORTH",
    "Asks",
    "Decision",
    "Judge",
    "JuryError",
    "JuryRules",
    "LLMJudge",
    "LocalJudge",
    "Panel",
    "ParseFault",
    "ParsedVerdict",
    "ReferenceJudge",
    "Weights",
    "asks_as_needed",
    "banner",
    "calls_on",
    "calls_per_turn",
    "check_judge_spec",
    "check_jury",
    "consensus",
    "family_of",
    "judge_requests",
    "judge_spec",
    "kind_hashes",
    "open_jury",
    "parse_verdict",
    "prompt_hashes",
    "reference_stance",
]
