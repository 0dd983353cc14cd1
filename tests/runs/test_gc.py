import ctypes
import gc
from gc import get_freeze_count  # as Python has it: see tests/conftest.py
from types import SimpleNamespace

import pytest

from voirdire.runs.session import rare_gc, release_memory


@pytest.fixture
def thawed(monkeypatch):
    """Nothing is frozen; afterwards, what the tests hold is again: it is too much to be collected here."""
    monkeypatch.setattr(gc, "get_freeze_count", get_freeze_count)
    monkeypatch.setattr(gc, "collect", lambda: 0)
    gc.unfreeze()
    yield
    gc.freeze()


def test_the_collector_is_as_before_also_after_an_error(thawed):
    before = gc.get_threshold()
    with pytest.raises(KeyError), rare_gc():
        assert gc.get_threshold() > before
        assert get_freeze_count() > 0
        raise KeyError
    assert gc.get_threshold() == before
    assert get_freeze_count() == 0


def test_what_a_program_has_frozen_itself_stays_frozen(thawed):
    gc.freeze()
    with rare_gc():
        pass
    assert get_freeze_count() > 0


def test_memory_is_given_back_where_the_c_library_can_and_nothing_happens_elsewhere(monkeypatch):
    asked = []
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace(malloc_trim=asked.append))
    release_memory()
    assert asked == [0]
    monkeypatch.setattr(ctypes, "CDLL", lambda name: SimpleNamespace())
    release_memory()
