"""Documents in HTML."""

from voirdire.data import untrusted
from voirdire.ddft.drafting.document import text_of_html

SEEDS = [
    b"<!doctype html><h1>Tides</h1><p class='a' id=b>Water &amp; rock&hellip;<br/><!-- no --></p>",
    b"<script>if (a < b) {}</script><style>p {}</style><svg><title>x</title></svg><![CDATA[x]]></p >",
]


def one(data: bytes) -> None:
    """Read a page."""
    text_of_html(untrusted.text_of(data)).encode()
