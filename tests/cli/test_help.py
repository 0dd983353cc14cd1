import subprocess
import sys

import pytest

from tests.cli import command
from tests.cli.here import voirdire

COMMANDS = [
    ("ddft", "plan"),
    ("ddft", "run"),
    ("ddft", "score"),
    ("ddft", "show"),
    ("ddft", "import"),
    ("ddft", "validate"),
    ("ddft", "replicate"),
    ("ddft", "predictions"),
    ("ddft", "correlate"),
    ("detect",),
    ("export",),
    ("report",),
    ("compare",),
    ("redact",),
    ("verify",),
    ("jury", "bench"),
    ("jury", "injection"),
    ("jury", "reliability"),
    ("raters", "new"),
    ("raters", "serve"),
    ("raters", "links"),
    ("raters", "plan"),
    ("raters", "status"),
    ("raters", "agreement"),
    ("raters", "anchor"),
    ("raters", "export"),
    ("raters", "import"),
    ("integrity", "facts"),
    ("integrity", "import"),
    ("integrity", "score"),
    ("integrity", "audit"),
    ("integrity", "report"),
    ("integrity", "study"),
    ("cognibench", "bench"),
    ("cognibench", "label"),
    ("cognibench", "diagnose"),
    ("cognibench", "generate"),
    ("cognibench", "stats"),
    ("detectors", "list"),
    ("detectors", "calibrate"),
    ("detectors", "train", "lexical-learned"),
    ("detectors", "train", "encoder"),
    ("detectors", "train", "cognidet"),
    ("models", "list"),
    ("models", "pull"),
    ("models", "check"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_explains_itself_with_an_example(words):
    said = voirdire(*words, "--help").stdout
    assert f"Example: voirdire {' '.join(words)}" in " ".join(said.split())


def test_help_names_the_command_groups():
    said = command.voirdire("--help").stdout
    assert all(group in said for group in ("ddft", "compare", "integrity", "jury", "models"))


def test_the_version_is_printed():
    import voirdire as package

    assert command.voirdire("--version").stdout.strip() == package.__version__


@pytest.mark.parametrize("module", ["voirdire", "voirdire.cli", "ddft"])
def test_heavy_libraries_are_not_imported_before_they_are_needed(module):
    code = f"import {module}, sys; print(*sorted(name.partition('.')[0] for name in sys.modules))"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert not loaded & {
        "torch",
        "ray",
        "inspect_ai",
        "xllamacpp",
        "pydantic_ai",
        "pandas",
        "scipy",
        "pyarrow",
        "sklearn",
    }
