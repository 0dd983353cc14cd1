"""Both notebooks run from the first cell to the last, in a kernel of their own."""

import nbformat
import pytest
from nbclient import NotebookClient

from tests.extras.docs._collect import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_says_what_is_saved_in_it(path, tmp_path):
    saved = nbformat.read(path, as_version=4)
    run = NotebookClient(
        nbformat.from_dict(saved), timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert _numbers(run) == _numbers(saved)


def _numbers(notebook):
    """The text that each cell printed, blanks aside: versions of pandas lay tables out differently."""
    return [["".join(_text(output).split()) for output in cell.outputs] for cell in notebook.cells if "outputs" in cell]


def _text(output):
    if output.output_type == "stream":
        return output.text if output.name == "stdout" else ""
    return "" if "image/svg+xml" in output.data else output.data["text/plain"]
