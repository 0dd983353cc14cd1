"""A run: its folder, its journal, and the runner that makes calls."""

from voirdire.run.budget import Budget
from voirdire.run.chain import ChainReport, Head
from voirdire.run.errors import BudgetError, Interrupted, JournalError, PaceError, RunFolderError, RunStopped
from voirdire.run.fence import FENCE_VERSION, apply_fences, fence_mark, repeated_secret
from voirdire.run.folder import RunFolder, lost_log, manifest_hash
from voirdire.run.interrupts import stop_on_signals
from voirdire.run.journal import Journal, RecordedNote, RecordedReply, ReplyPlace
from voirdire.run.keys import call_key, seed_of
from voirdire.run.limits import Limiter
from voirdire.run.options import DEFAULTS, RunOptions
from voirdire.run.origins import RunStatus, head_line, made_with, origin, provenance
from voirdire.run.parquet import typed_frame, write_frames, write_parquet
from voirdire.run.progress import NullProgress, PlainProgress, Progress, RichProgress, in_notebook, open_progress
from voirdire.run.retry import RetryPolicy
from voirdire.run.rows import CallRow, Totals
from voirdire.run.runner import Runner
from voirdire.run.schema import read_as_immutable
from voirdire.run.scrub import Scrubber
from voirdire.run.session import (
    BATCHED_CALLS,
    LOCAL_PARALLEL,
    JournalLedger,
    at_once,
    check_batch_budget,
    is_local,
    new_runner,
    open_batching,
    open_models,
    open_run,
    options_for,
    release_memory,
    run_blocking,
    run_workers,
    units_at_once,
)
from voirdire.run.tracing import session_span, unit_span

__all__ = [
    "BATCHED_CALLS",
    "DEFAULTS",
    "FENCE_VERSION",
    "LOCAL_PARALLEL",
    "Budget",
    "BudgetError",
    "CallRow",
    "ChainReport",
    "Head",
    "Interrupted",
    "Journal",
    "JournalError",
    "JournalLedger",
    "Limiter",
    "NullProgress",
    "PaceError",
    "PlainProgress",
    "Progress",
    "RecordedNote",
    "RecordedReply",
    "ReplyPlace",
    "RetryPolicy",
    "RichProgress",
    "RunFolder",
    "RunFolderError",
    "RunOptions",
    "RunStatus",
    "RunStopped",
    "Runner",
    "Scrubber",
    "Totals",
    "apply_fences",
    "at_once",
    "call_key",
    "check_batch_budget",
    "fence_mark",
    "head_line",
    "in_notebook",
    "is_local",
    "lost_log",
    "made_with",
    "manifest_hash",
    "new_runner",
    "open_batching",
    "open_models",
    "open_progress",
    "open_run",
    "options_for",
    "origin",
    "provenance",
    "read_as_immutable",
    "release_memory",
    "repeated_secret",
    "run_blocking",
    "run_workers",
    "seed_of",
    "session_span",
    "stop_on_signals",
    "typed_frame",
    "unit_span",
    "units_at_once",
    "write_frames",
    "write_parquet",
]
