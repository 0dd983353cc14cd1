"""The labeling configuration that the tasks fit: pasted into a Label Studio project, it shows them."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from voirdire.raters.exchange.label_studio.controls import Control, Form


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
