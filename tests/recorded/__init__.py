"""The figures that commands gave before the redesign: none of them may be lost or changed."""
