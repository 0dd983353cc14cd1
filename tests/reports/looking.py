"""Looking into a report as its readers do."""

from voirdire.documents.document import Notice, Readings, Table, Text


def blocks(document, kind):
    """All blocks of a kind, in order."""
    return [block for section in document.sections for block in section.blocks if isinstance(block, kind)]


def table(document, name):
    """The rows of a table as they are shown."""
    (found,) = [block for block in blocks(document, Table) if block.id == name]
    return [{column.key: row[column.key].shown for column in found.columns} for row in found.rows]


def said(document):
    """All paragraphs and notices, one after the other."""
    return "\n".join(block.text for block in blocks(document, Text | Notice))


def readings(document):
    """All there is to read, by id."""
    (block,) = blocks(document, Readings)
    return {reading.id: reading for reading in block.readings}
