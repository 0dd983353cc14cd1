"""Files that are written whole: what a killed process left, what another one is writing, what was there before."""

import fcntl

import pytest

from voirdire.reports.destination import PlaceError, check_file, check_json, check_new, write_whole


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


@pytest.mark.parametrize(
    ("suffix", "own"),
    [(".md", "# Report\n\n<!-- made by voirdire -->\n"), (".xml", '<testsuites name="voirdire gate" tests="1"/>')],
)
def test_only_files_of_its_own_kind_are_replaced(tmp_path, suffix, own):
    place = tmp_path / f"a{suffix}"
    place.write_text("mine")
    with pytest.raises(PlaceError, match="that voirdire has not made"):
        check_file(place, suffix, in_run="report")
    place.write_text(own)
    check_file(place, suffix, in_run="report")


def test_what_is_read_is_not_replaced_under_whatever_name(tmp_path):
    read = tmp_path / "log.json"
    read.write_text("{}")
    (tmp_path / "same.json").hardlink_to(read)
    with pytest.raises(PlaceError, match="is being read"):
        check_file(tmp_path / "same.json", ".json", in_run="report.json", reading=[tmp_path / "gone", read])


def test_json_is_replaced_by_json_with_most_of_its_fields(tmp_path):
    place = tmp_path / "a.json"
    check_json(place, ["a", "b", "c"])
    for text in ("[]", "no JSON", '{"a": 1, "x": 2}', "\udcff".encode("utf-8", "surrogateescape").decode("latin-1")):
        place.write_text(text)
        with pytest.raises(PlaceError, match="holds something other than what would be written"):
            check_json(place, ["a", "b", "c"])
    place.write_text('{"a": 1, "b": 2, "x": 3}')
    check_json(place, ["a", "b", "c"])


def test_what_people_work_on_is_not_replaced(tmp_path):
    check_new(tmp_path / "a.yaml")
    (tmp_path / "a.yaml").symlink_to(tmp_path / "gone")
    with pytest.raises(PlaceError, match="somebody may have worked on it"):
        check_new(tmp_path / "a.yaml")


def test_a_file_on_the_way_to_a_place_is_named(tmp_path):
    (tmp_path / "plain").touch()
    with pytest.raises(PlaceError, match=r"plain is a file, so nothing can be written to .*page\.html: name another"):
        check_file(tmp_path / "plain" / "page.html", ".html", in_run="report.html")
