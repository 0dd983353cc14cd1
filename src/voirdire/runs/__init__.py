"""A run: its folder, its journal, and the runner that makes calls."""

from voirdire.runs.budget import Budget
from voirdire.runs.chain import ChainReport, Head
from voirdire.runs.errors import (
    BudgetError,
    CacheError,
    Interrupted,
    JournalError,
    PaceError,
    RunFolderError,
    RunStopped,
)
from voirdire.runs.folder import RunFolder, lost_log, manifest_hash, written_now
from voirdire.runs.interrupts import stop_on_signals
from voirdire.runs.journal import Journal, RecordedNote, RecordedReply, ReplyPlace
from voirdire.runs.keys import call_key, seed_of
from voirdire.runs.limits import Limiter
from voirdire.runs.model_counts import ModelCounts
from voirdire.runs.options import DEFAULTS, RunOptions
from voirdire.runs.origins import RunStatus, head_line, made_with, models_of, origin, provenance
from voirdire.runs.progress import NullProgress, Progress, Workload
from voirdire.runs.progress_display import PlainProgress, RichProgress, in_notebook, open_progress
from voirdire.runs.prompt_fence import FENCE_VERSION, apply_fences, fence_mark, repeated_secret
from voirdire.runs.retry import RetryPolicy
from voirdire.runs.rows import CallRow, Totals
from voirdire.runs.runner import Runner
from voirdire.runs.schema import read_as_immutable
from voirdire.runs.scrub import Scrubber
from voirdire.runs.session import (
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
from voirdire.runs.tables import typed_frame, write_frames
from voirdire.runs.tracing import session_span, unit_span

__all__ = [
    "BATCHED_CALLS",
    "DEFAULTS",
    "FENCE_VERSION",
    "LOCAL_PARALLEL",
    "Budget",
    "BudgetError",
    "CacheError",
    "CallRow",
    "ChainReport",
    "Head",
    "Interrupted",
    "Journal",
    "JournalError",
    "JournalLedger",
    "Limiter",
    "ModelCounts",
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
    "Workload",
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
    "models_of",
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
    "written_now",
]
