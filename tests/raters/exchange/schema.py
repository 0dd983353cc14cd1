"""Label Studio's task format, as its documentation has it, checked strictly against a labeling configuration.

https://labelstud.io/guide/task_format, https://labelstud.io/guide/tasks, https://labelstud.io/tags
"""

import re
from xml.etree import ElementTree

TASK = {"id", "data", "annotations", "predictions", "meta"}
ANNOTATION = {"id", "task", "result", "was_cancelled", "ground_truth", "lead_time", "created_at", "completed_by"}
PREDICTION = {"model_version", "score", "result"}
RESULT = {"id", "from_name", "to_name", "type", "value"}
REGION_ID = re.compile(r"[A-Za-z0-9_-]+")
PAYLOAD = {"choices": "choices", "labels": "labels", "number": "number", "textarea": "text"}


def check(tasks, config):
    """Raise AssertionError where Label Studio would refuse or misread a task."""
    texts, controls = read_config(config)
    assert isinstance(tasks, list)
    assert len({task["id"] for task in tasks}) == len(tasks)
    numbers = [each["id"] for task in tasks for each in task["annotations"]]
    assert len(set(numbers)) == len(numbers)
    for task in tasks:
        assert task.keys() <= TASK and isinstance(task["data"], dict) and isinstance(task["meta"], dict)
        for name in texts.values():
            assert isinstance(task["data"][name], str), f"Text needs a text under {name}"
        for annotation in task["annotations"]:
            check_annotation(annotation, task, texts, controls)
        for prediction in task["predictions"]:
            assert prediction.keys() <= PREDICTION
            check_results(prediction["result"], task, texts, controls)


def read_config(config):
    """(name of Text -> field of data, name of control -> (element, its choices))."""
    root = ElementTree.fromstring(config)
    assert root.tag == "View"
    texts, controls = {}, {}
    for element in root.iter():
        if element.tag == "Text":
            assert element.get("value").startswith("$")
            assert element.get("valueType") == "text", "an address in a text would be fetched"
            texts[element.get("name")] = element.get("value")[1:]
        elif element.tag in ("Choices", "Labels", "Number", "TextArea"):
            assert element.get("name") not in controls
            controls[element.get("name")] = (element, [each.get("value") for each in element])
    assert all(element.get("toName") in texts for element, _ in controls.values())
    return texts, controls


def check_annotation(annotation, task, texts, controls):
    assert annotation.keys() <= ANNOTATION
    assert isinstance(annotation["was_cancelled"], bool)
    assert isinstance(annotation["ground_truth"], bool), "what says nothing is taken for ground truth"
    assert annotation["task"] == task["id"]
    assert isinstance(annotation.get("lead_time", 0.0), (int, float))
    known = annotation.get("completed_by", {"email": "a@b.c"})
    assert known.keys() == {"email"}, "an id of another installation is refused"
    check_results(annotation["result"], task, texts, controls)


def check_results(results, task, texts, controls):
    regions, used = {}, set()
    for result in results:
        assert result.keys() == RESULT and REGION_ID.fullmatch(result["id"])
        element, choices = controls[result["from_name"]]
        assert (result["to_name"], result["type"]) == (element.get("toName"), element.tag.lower())
        assert (result["id"], result["from_name"]) not in used
        used.add((result["id"], result["from_name"]))
        per_region = element.get("perRegion") == "true" or element.tag == "Labels"
        payload = result["value"][PAYLOAD[result["type"]]]
        assert result["value"].keys() - {"start", "end", "text"} <= {PAYLOAD[result["type"]]}
        check_payload(element, choices, payload)
        if per_region:
            regions.setdefault(result["id"], []).append(result)
        else:
            assert "start" not in result["value"]
    for marked in regions.values():
        check_region(marked, task["data"][texts[marked[0]["to_name"]]])


def check_payload(element, choices, payload):
    if element.tag == "Number":
        assert isinstance(payload, (int, float)) and not isinstance(payload, bool)
        assert float(element.get("min")) <= payload <= float(element.get("max"))
        return
    assert isinstance(payload, list) and payload and all(isinstance(each, str) for each in payload)
    if element.tag in ("Choices", "Labels"):
        assert set(payload) <= set(choices)
        assert len(payload) == 1 or element.get("choice") == "multiple"


def check_region(marked, text):
    assert [each["type"] for each in marked].count("labels") == 1
    places = {(each["value"]["start"], each["value"]["end"]) for each in marked}
    assert len(places) == 1
    ((start, end),) = places
    assert 0 <= start <= end <= len(text)
    (label,) = (each for each in marked if each["type"] == "labels")
    assert label["value"]["text"] == text[start:end]
