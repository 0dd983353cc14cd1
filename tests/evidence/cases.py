"""Sentences that say the same as their context in other figures or words, and sentences that change it."""

from pathlib import Path

from voirdire.data.packaged_files import parse_yaml


def cases(name):
    """(context, sentence, whether it changes what the context says), from a file beside this one."""
    loaded = parse_yaml(Path(__file__).with_name(f"{name}.yaml").read_text(encoding="utf-8"))
    return [
        (case["context"], sentence, kind == "changed")
        for case in loaded
        for kind in ("same", "changed")
        for sentence in case.get(kind, ())
    ]


def contexts(*names):
    """(context, whether each sentence changes what it says) from files beside this one, a context each."""
    found = {}
    for name in names:
        for context, sentence, changed in cases(name):
            assert found.setdefault(context, {}).setdefault(sentence, changed) is changed, sentence
    return list(found.items())
