import os

import pytest

from voirdire.ddft.drafting import DraftError, read_document
from voirdire.ddft.drafting.document import SourceDocument, parts_of, text_of_html

PAGE = """<html><head><title>No</title><style>p {}</style></head><body><nav>Menu</nav>
<h1>Leave</h1><p>Staff have <b>25</b>
days &amp; more.</p><script>alert("no")</script><ul><li>one</li><li>two</li></ul></body></html>"""


def test_a_page_is_read_as_its_reader_sees_it():
    assert text_of_html(PAGE) == "# Leave\n\nStaff have 25 days & more.\n\none\n\ntwo"


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("policy.pdf", b"%PDF-1.7 ...", "convert it first"),
        ("policy.txt", b"%PDF-1.7 ...", "convert it first"),
        ("policy.docx", b"PK", "convert it first"),
        ("policy.txt", b"\xff\xfe\x00", "not UTF-8"),
        ("policy.txt", b"  \n", "holds no text"),
    ],
)
def test_what_is_no_text_is_refused_with_what_to_do(tmp_path, name, content, says):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DraftError, match=says):
        read_document(path)


def test_a_missing_document_is_named(tmp_path):
    with pytest.raises(DraftError, match=r"nowhere\.md can't be read"):
        read_document(tmp_path / "nowhere.md")


def test_a_document_without_an_end_or_beyond_the_limit_is_not_read(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "zero.md").symlink_to("/dev/zero")
    for name in ("pipe.md", "zero.md"):
        with pytest.raises(DraftError, match="it is no plain file"):
            read_document(tmp_path / name)
    (tmp_path / "long.md").write_text("Tides rise.")
    monkeypatch.setattr("voirdire.ddft.drafting.document.MAX_BYTES", 10)
    with pytest.raises(DraftError, match=r"has 11 bytes; at most 10 are read; give .*part of it that matters"):
        read_document(tmp_path / "long.md")


def test_parts_hold_the_whole_text_and_carry_the_heading_they_begin_under(monkeypatch):
    monkeypatch.setattr("voirdire.ddft.drafting.document.PART_WORDS", 8)
    text = "# One\n\na b c d e\n\nf g h i j\n\n## Two\n\nk l m\n\nn o p"
    parts, left_out = parts_of(SourceDocument("d.md", text, ""))
    assert "\n\n".join(part.text for part in parts) == text and left_out == 0
    assert [part.heading for part in parts] == ["One", "One", "Two"]


def test_a_paragraph_longer_than_a_part_is_cut(monkeypatch):
    monkeypatch.setattr("voirdire.ddft.drafting.document.PART_WORDS", 10)
    parts, _ = parts_of(SourceDocument("d.txt", "word " * 35, ""))
    assert [len(part.text.split()) for part in parts] == [10, 10, 10, 5]
