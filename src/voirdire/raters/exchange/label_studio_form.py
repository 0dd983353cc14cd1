"""What people fill in at Label Studio: controls and their labeling configuration, results in its form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from voirdire.errors import shown
from voirdire.raters.exchange.field_checks import FieldError, mapping, sequence, share, text
from voirdire.raters.records import Document, Item


def history_text(history: Iterable[Sequence[str]]) -> str:
    """Earlier questions and answers, as one text."""
    return "\n\n".join(f"Question: {question}\nAnswer: {answer}" for question, answer in history)


def fact_lines(facts: Iterable[Mapping[str, Any]]) -> str:
    """Facts with their ids, one a line."""
    return "\n".join(f"{fact['id']}: {fact['text']}" for fact in facts)


Kind = Literal["Choices", "Labels", "Number", "TextArea"]
Result = dict[str, Any]

RATER, GOLD = "rater", "gold"
"""Controls that say who has rated, and that an annotation is gold: accounts of one Label Studio are not those of
another, so that `completed_by` does not survive."""
_PAYLOAD = {"Choices": "choices", "Labels": "labels", "Number": "number", "TextArea": "text"}


@dataclass(frozen=True, slots=True)
class Control:
    """One of the controls."""

    name: str
    kind: Kind
    on: str
    """The name of the text that it speaks of."""
    title: str = ""
    choices: tuple[str, ...] = ()
    several: bool = False
    """Whether several choices may be made."""
    required: bool = False
    per_region: bool = False
    """Whether it speaks of a marked stretch, not of the whole."""
    top: float = 1.0
    """Of a number, which begins at 0."""

    @property
    def type(self) -> str:
        """As results name it."""
        return self.kind.lower()


@dataclass(frozen=True, slots=True)
class Region:
    """A marked stretch of a text."""

    id: str
    start: int
    end: int
    answers: Mapping[str, Any]
    """By control."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What an annotation says, by control."""

    whole: Mapping[str, Any]
    regions: tuple[Region, ...]
    """In their order."""


@dataclass(frozen=True, slots=True)
class Form:
    """How ratings of a task look in Label Studio."""

    texts: tuple[tuple[str, str], ...]
    """(name, heading) of what is shown; the name is also that of the field of `data`."""
    main: str
    """The text that is rated: it finds an item again."""
    controls: tuple[Control, ...]

    def control(self, name: str) -> Control:
        """The control of this name.

        Raises:
            FieldError: there is none.
        """
        for each in self.controls:
            if each.name == name:
                return each
        raise FieldError("from_name", f"is {shown(name)}; the controls are {', '.join(c.name for c in self.controls)}")


@dataclass(frozen=True, slots=True)
class TaskForm:
    """A task's form, and how its items and values become Label Studio's and back."""

    form: Form
    data: Callable[[Document, Item], dict[str, Any]]
    results: Callable[[Mapping[str, Any], Document, Item], list[Result]]
    value_of: Callable[[Answers, Document, Item], dict[str, Any]]
    skip: tuple[str, str] | None = None
    """Control and choice that leave the item out: Label Studio counts such an annotation as skipped."""

    def is_skipped(self, results: Any) -> bool:
        """Whether the results of an annotation leave the item out; they may be anybody's, and of any form."""
        if self.skip is None or not isinstance(results, list):
            return False
        control, choice = self.skip
        given = [each for each in results if isinstance(each, Mapping) and each.get("from_name") == control]
        return any(each.get("value") == {"choices": [choice]} for each in given)


def result(control: Control, payload: Any, number: int, region: tuple[str, int, int] | None = None) -> Result:
    """One result.

    Args:
        control: that was used.
        payload: choices, labels, a number, or a list of texts.
        number: makes its id, where it is of no region.
        region: id, start and end of the stretch that it speaks of.
    """
    place = {} if region is None else {"start": region[1], "end": region[2]}
    return {
        "id": f"{control.name}-{number}" if region is None else region[0],
        "from_name": control.name,
        "to_name": control.on,
        "type": control.type,
        "value": {**place, _PAYLOAD[control.kind]: payload},
    }


def read_results(results: Any, form: Form) -> Answers:
    """What an annotation's results say.

    Raises:
        FieldError: a result is not of the form's.
    """
    whole: dict[str, Any] = {}
    regions: dict[str, dict[str, Any]] = {}
    places: dict[str, tuple[int, int]] = {}
    for place, each in enumerate(sequence("result", results)):
        field = f"result[{place}]"
        fields = mapping(field, each)
        control = form.control(text(f"{field}.from_name", fields.get("from_name")))
        value = mapping(f"{field}.value", fields.get("value"))
        payload = _payload(f"{field}.value", control, value)
        if not (control.per_region or control.kind == "Labels"):
            _once(whole, control.name, payload, field)
            continue
        name = text(f"{field}.id", fields.get("id"))
        _once(regions.setdefault(name, {}), control.name, payload, field)
        if control.kind == "Labels":
            places[name] = _stretch(f"{field}.value", value)
    stray = regions.keys() - places.keys()
    if stray:
        raise FieldError("result", f"speaks of a stretch {sorted(stray)[0]!a} that is not marked")
    return Answers(whole, tuple(Region(name, *places[name], payload) for name, payload in regions.items()))


def _once(answers: dict[str, Any], name: str, value: Any, field: str) -> None:
    if name in answers:
        raise FieldError(field, f"answers {name} a second time")
    answers[name] = value


def _payload(field: str, control: Control, value: Mapping[str, Any]) -> Any:
    field = f"{field}.{_PAYLOAD[control.kind]}"
    payload = value.get(_PAYLOAD[control.kind])
    if control.kind == "Number":
        return share(field, payload, 0, control.top)
    entries = [text(field, each) for each in sequence(field, [payload] if isinstance(payload, str) else payload)]
    if control.kind == "TextArea":
        return entries
    unknown = [each for each in entries if each not in control.choices]
    if unknown:
        raise FieldError(field, f"has {shown(unknown[0])}; there are {', '.join(control.choices)}")
    if not control.several and len(entries) != 1:
        raise FieldError(field, f"must hold one choice, not {len(entries)}")
    return entries if control.several else entries[0]


def _stretch(field: str, value: Mapping[str, Any]) -> tuple[int, int]:
    start, end = _offset(f"{field}.start", value.get("start")), _offset(f"{field}.end", value.get("end"))
    if start > end:
        raise FieldError(field, f"begins at {start}, after its end at {end}")
    return start, end


def _offset(field: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise FieldError(field, f"must be a number of characters, unlike {shown(value)}")
    return value


def joined_text(answers: Mapping[str, Sequence[str]], name: str) -> str:
    """What was written in a text area, of which there may be several entries."""
    return "\n".join(answers.get(name, ()))


def config_text(form: Form) -> str:
    """The configuration, as XML.

    Texts are declared as such (`valueType="text"`): otherwise one that looks like an address would be fetched.
    """
    view = Element("View")
    SubElement(view, "Style").text = ".htx-text { white-space: pre-wrap; }"  # line breaks stay
    for name, heading in form.texts:
        SubElement(view, "Header", value=heading, size="5")
        SubElement(view, "Text", name=name, value=f"${name}", valueType="text")
    for control in form.controls:
        if control.title:
            SubElement(view, "Header", value=control.title, size="5")
        _add(view, control)
    indent(view)
    return tostring(view, encoding="unicode") + "\n"


def _add(view: Element, control: Control) -> None:
    options = {"name": control.name, "toName": control.on}
    if control.kind == "Choices":
        options["choice"] = "multiple" if control.several else "single"
    if control.kind == "Number":
        options |= {"min": "0", "max": f"{control.top:g}", "step": "0.01" if control.top == 1 else "1"}
    if control.kind == "TextArea":
        options |= {"editable": "true", "rows": "2"}
    if control.required:
        options["required"] = "true"
    if control.per_region:
        options["perRegion"] = "true"
    element = SubElement(view, control.kind, options)
    for choice in control.choices:
        SubElement(element, "Label" if control.kind == "Labels" else "Choice", value=choice)
