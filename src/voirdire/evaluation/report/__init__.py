"""An audit as people read it: a page, a few lines in the terminal, and the answers to further questions."""

from voirdire.evaluation.report.document import audit_document, brief_document
from voirdire.evaluation.report.items import USUAL_ITEMS
from voirdire.evaluation.report.verdict import conclusion

__all__ = ["USUAL_ITEMS", "audit_document", "brief_document", "conclusion"]
