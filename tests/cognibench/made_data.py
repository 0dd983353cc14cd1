"""A small data set to label, as a JSONL file."""

import json

CONTEXT = "The mill at Orrin was built in 1802. It ground oats for three villages. The wheel broke in 1911."
LABELS = {"Sure!": "irrelevant", "It was built in 1802.": "faithful", "It ground wheat.": "invented"}


def write_data(path, dialogues=2, labelled=1):
    """Dialogues of two answers each; the first answers of the first ones carry labels of people."""
    lines = []
    for number in range(dialogues):
        first = {
            "user": f"What is mill {number}?",
            "assistant": "Sure! It was built in 1802. It ground wheat.",
            **({"labels": LABELS} if number < labelled else {}),
        }
        second = {"user": "And then?", "assistant": "The wheel broke. That made it famous."}
        lines.append({"id": f"d{number}", "group": f"g{number}", "context": CONTEXT, "turns": [first, second]})
    path.write_text("\n".join(map(json.dumps, lines)))
    return path
