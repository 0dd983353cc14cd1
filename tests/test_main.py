"""The `voirdire` command before its command line is loaded."""

import sys

import pytest

from voirdire.__main__ import main


class _Interrupted:
    """A module whose loading is broken off."""

    __path__ = ()

    def __getattr__(self, name):
        raise KeyboardInterrupt


def test_ctrl_c_while_the_command_line_is_loading_ends_without_a_traceback(monkeypatch):
    monkeypatch.setitem(sys.modules, "voirdire.cli", _Interrupted())
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
