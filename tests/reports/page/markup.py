"""A page taken apart, for tests that need no browser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "input"}


@dataclass
class Element:
    """A start tag with all text that stands in it."""

    tag: str
    attributes: dict[str, str | None]
    stretches: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.stretches)


@dataclass
class Page(HTMLParser):
    """Every element of a page in order."""

    source: str
    elements: list[Element] = field(default_factory=list)
    left_open: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        if tag not in VOID:
            self.left_open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.left_open.pop().tag == tag

    def handle_data(self, data):
        for element in self.left_open:
            element.stretches.append(data)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Elements with that tag, and those attributes."""
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [each for each in self.elements if each.tag == tag and wanted.items() <= each.attributes.items()]

    def values(self, *attributes: str) -> list[str]:
        """What these attributes are set to, wherever they stand."""
        return [each.attributes[name] or "" for each in self.elements for name in attributes if name in each.attributes]
