"""A user's document becomes a concept: drafted by a model, verified by code, to be read by a person."""

from voirdire.ddft.drafting.document import SourceDocument, read_document
from voirdire.ddft.drafting.records import Brief, Draft, DraftError
from voirdire.ddft.drafting.session import CONNECTIONS, Drafted, brief_of, draft_concept, run_draft, steps_of
from voirdire.ddft.drafting.yaml_writer import draft_text

__all__ = [
    "CONNECTIONS",
    "Brief",
    "Draft",
    "DraftError",
    "Drafted",
    "SourceDocument",
    "brief_of",
    "draft_concept",
    "draft_text",
    "read_document",
    "run_draft",
    "steps_of",
]
