"""New knowledge-grounded dialogues (CogniBench 2.1): from references to a run folder, the same user for every model."""

from voirdire.cognibench.generation.plan import INSTRUMENT, GenerationCost, GenerationPlan, cost_of, sampled
from voirdire.cognibench.generation.session import generate, new_run_path, read_generated, show_generated
from voirdire.cognibench.generation.summary import Generated
from voirdire.cognibench.generation.user import SCRIPTED

__all__ = [
    "INSTRUMENT",
    "SCRIPTED",
    "Generated",
    "GenerationCost",
    "GenerationPlan",
    "cost_of",
    "generate",
    "new_run_path",
    "read_generated",
    "sampled",
    "show_generated",
]
