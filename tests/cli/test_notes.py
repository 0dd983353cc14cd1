import json

from tests.cli.here import voirdire


def test_what_was_not_read_as_it_stands_is_noted_on_stderr(tmp_path):
    data = tmp_path / "labelled.jsonl"
    turn = {"user": "How high?", "assistant": "It is 300 m high.", "labels": {"It is 12 m wide.": "faithful"}}
    data.write_text(json.dumps({"id": "a", "context": "The tower is 300 m high.", "turns": [turn]}) + "\n")
    done = voirdire("cognibench", "stats", data, "--json", check=False)
    assert "Labels that stand on no sentence of their answer: 1 (" in done.stderr
