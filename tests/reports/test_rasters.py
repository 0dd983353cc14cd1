import sys

import pytest

from voirdire.reports.rasters import PicturesNeeded, to_png, vega_library


@pytest.mark.parametrize("make", [lambda: to_png({}, 1.0), vega_library])
def test_without_the_extra_the_command_that_brings_it_is_named(monkeypatch, make):
    monkeypatch.setitem(sys.modules, "vl_convert", None)

    with pytest.raises(PicturesNeeded, match=r"pip install 'voirdire\[pictures\]'"):
        make()
