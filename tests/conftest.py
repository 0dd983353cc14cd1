"""Settings of all tests."""

import gc
import os
import pickle
import signal
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import pandas as pd
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from tests.published.records import ROOT, lacking

_HERE = Path(__file__).parent

# Tests in the background ignore Ctrl-C, under nohup a lost terminal too, and runs keep to that: but both are tested.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# How long an example takes says nothing of whether the code is right, least of all on a busy machine.
settings.register_profile("same", deadline=None, derandomize=True, database=None, max_examples=20)
# Of `make fuzz`: more examples, and other ones each time. Their number stands in VOIRDIRE_EXAMPLES.
settings.register_profile(
    "explore",
    deadline=None,
    derandomize=False,
    max_examples=int(os.environ.get("VOIRDIRE_EXAMPLES", "200")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(_profile := os.environ.get("VOIRDIRE_HYPOTHESIS", "same"))
if _profile == "same":
    # The constants of whatever is imported would be tried, too: other ones each time, and read for seconds.
    providers._get_local_constants = lambda: providers._local_constants

# Texts of tables are Python's own, as where pyarrow is not installed: it comes with tools for development alone.
pd.options.mode.string_storage = "python"

# Garbage of a module is collected at its end; in between, what its tests hold need not be looked through often.
gc.set_threshold(20_000, 20, 50)

# Pages of reports are kept where a test asks for it, and never among the user's own.
os.environ["VOIRDIRE_PAGES"] = ""

# Runners that spread tests over processes set a width of their own.
os.environ["COLUMNS"] = "100"


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """What is collected stays to the end: until it is there, the garbage collector would look at it in vain."""
    gc.disable()
    try:
        _import_from_the_other_end(session)
        return (yield)
    finally:
        gc.enable()


def _import_from_the_other_end(session):
    """Every second process imports the tests from the last to the first: on a first run, each compiles a half."""
    if session.config.args_source == pytest.Config.ArgsSource.TESTPATHS and _number() % 2:
        for path in sorted(_HERE.rglob("test_*.py"), reverse=True):
            module = path.relative_to(_HERE.parent).with_suffix("").parts
            if module[1] not in ("extras", "published"):
                with suppress(Exception, pytest.skip.Exception):  # collecting it says what is the matter
                    import_module(".".join(module))


def _number():
    """Of this process, among those of the tests."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """What waits longest for another process begins first: at the end, the other processes would wait for it."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/e2e/"))


def pytest_collection_finish():
    """What was collected stays to the end: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _what_depends_on_its_arguments_alone_is_computed_once():
    """Hundreds of tests hold the same simulated dialogues, and ask the same command line for something else."""
    from typer import main as typer

    from voirdire.ddft import expected_calls, hostile_answers, profile, validity
    from voirdire.ddft.validity import answer_checks
    from voirdire.jury import clarification
    from voirdire.jury.reference_panel import judge
    from voirdire.papers.ddft import replication
    from voirdire.runs import origins
    from voirdire.stats import agreement_draws

    with ExitStack() as patches:
        for module, name in (
            (judge, "judge"),
            (clarification, "clarification"),
            (answer_checks, "holds_back"),
            (answer_checks, "oddity"),
            (hostile_answers, "find_addresses"),
            (typer, "get_command"),
        ):
            patches.enter_context(patch.object(module, name, cache(getattr(module, name))))
        draws = lru_cache(maxsize=16)(agreement_draws._random_weights)  # megabytes each
        patches.enter_context(patch.object(agreement_draws, "_random_weights", draws))
        patches.enter_context(patch.object(validity, "validate", _once_for_each_record(validity.validate)))
        patches.enter_context(patch.object(profile, "profiles", _once_for_the_same(profile.profiles)))
        patches.enter_context(patch.object(replication, "replicate", _once_of_the_paper(replication.replicate)))
        patches.enter_context(patch.object(expected_calls, "_judge", _once_for_the_same(expected_calls._judge)))
        patches.enter_context(patch.object(origins, "_git", _once_in_each_folder(origins._git)))
        # To count what is frozen, Python walks through all of it, which is whatever the tests hold: each run would ask.
        patches.enter_context(patch.object(gc, "get_freeze_count", lambda: 1))
        yield


def _once_for_the_same(function):
    """What a function gives for arguments that can't be hashed; every caller gets a copy of its own."""
    known = {}

    def kept(*arguments, **named):
        key = sha256(pickle.dumps((arguments, named))).digest()
        if key not in known:
            known[key] = pickle.dumps(function(*arguments, **named))
        return pickle.loads(known[key])

    return kept


def _once_for_each_record(validate):
    """Checks of the same record are made once: every command makes them, whatever it shows."""
    known = {}

    def kept(record):
        texts = [piece.tolist() for pieces in (record.answers(), record.justifications()) for piece in pieces]
        plain = replace(
            record,
            openings=dict(record.openings),
            answer_pieces=None,
            justification_pieces=None,
            concepts=dict(record.concepts),
        )
        key = sha256(pickle.dumps((plain, texts))).digest()
        if key not in known:
            known[key] = validate(record)
        return known[key]

    return kept


def _once_of_the_paper(replicate):
    """The published study recomputed, if no other is given: for its page, its tests and several commands."""
    published = cache(replicate)
    return lambda *turns: replicate(*turns) if turns else published()


def _once_in_each_folder(git):
    """What git says of the working directory: every run asks, and waits for two processes."""
    known = cache(lambda folder, *arguments: git(*arguments))
    return lambda *arguments: known(Path.cwd(), *arguments)


@pytest.fixture
def quick_retries(monkeypatch):
    """A call that failed is tried again almost at once, or when its provider says so."""
    from voirdire.runs import RetryPolicy

    monkeypatch.setattr(RetryPolicy, "delay", lambda self, attempt, random: 0.01)


@pytest.fixture(scope="module", autouse=True)
def _collected_once():
    """What a module leaves behind is collected here, and not looked at by each run's own collections afterwards."""
    yield
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter):
    """Say in one line which tests had nothing to read."""
    published = ROOT / "tests" / "published"
    asked = [Path(each.partition("::")[0]).resolve() for each in terminalreporter.config.args]
    if (names := lacking()) and any(published.is_relative_to(each) or each.is_relative_to(published) for each in asked):
        terminalreporter.write_line(
            f"Not run: tests on the published records of {', '.join(names)}, which are not on this machine "
            "(`make published-records` fetches DDFT's and CogniBench's)."
        )
