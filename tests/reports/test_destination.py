"""Files that are written whole: what a killed process left, what another one is writing, what was there before."""

import fcntl

import pytest

from voirdire.reports.destination import write_whole


def test_what_a_killed_process_left_beside_a_file_is_removed_by_the_next_one(tmp_path):
    (tmp_path / ".audit.html.4711.new").write_bytes(b"half of a pa")
    (tmp_path / ".other.html.4711.new").write_bytes(b"of another file")
    (tmp_path / ".audit.html.mine.new").write_bytes(b"of somebody else")
    write_whole(tmp_path / "audit.html", b"whole")
    assert (tmp_path / "audit.html").read_bytes() == b"whole"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        ".audit.html.mine.new",
        ".other.html.4711.new",
        "audit.html",
    ]


def test_what_another_process_is_writing_is_left_alone(tmp_path):
    beside = tmp_path / ".audit.html.4711.new"
    with beside.open("xb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_whole(tmp_path / "audit.html", b"whole")
        assert beside.exists()


def test_a_file_that_can_not_be_written_leaves_what_was_there(tmp_path):
    place = tmp_path / "audit.html"
    place.write_bytes(b"before")
    with pytest.raises(TypeError):
        write_whole(place, "no bytes")
    assert place.read_bytes() == b"before" and list(tmp_path.iterdir()) == [place]
