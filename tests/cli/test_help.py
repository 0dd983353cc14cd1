import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import voirdire as voirdire_package
from tests.cli import command
from tests.cli.here import voirdire
from tests.support.syntax import nodes
from voirdire.cli import app
from voirdire.raters.exchange.records import LOG, SOURCES
from voirdire.raters.tasks import MODULES, open_task

COMMANDS = [
    ("plan",),
    ("run",),
    ("score",),
    ("show",),
    ("ddft", "import"),
    ("validate",),
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
    ("jury", "worth"),
    ("rate", "new"),
    ("rate", "serve"),
    ("rate", "links"),
    ("rate", "plan"),
    ("rate", "status"),
    ("rate", "agreement"),
    ("rate", "anchor"),
    ("rate", "export"),
    ("rate", "import"),
    ("integrity", "facts"),
    ("integrity", "import"),
    ("integrity", "score"),
    ("integrity", "audit"),
    ("audit",),
    ("integrity", "study"),
    ("cognibench", "bench"),
    ("label",),
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


@pytest.mark.parametrize("name", ["show", "compare", "validate", "audit"])
def test_what_most_people_need_comes_first_and_the_names_of_a_file_s_fields_last(name):
    common, advanced = voirdire(name, "--help").stdout.split("Advanced options:")
    assert "Common options:" in common and "--all" in common and "--json" in common
    assert "--map" in advanced and "--map" not in common


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("detect", "--model", "x"), "--detector"),
        (("report", "runs/a", "--judges", "x"), "--jury"),
        (("run", "--modle", "x"), "--model, --samples"),
    ],
)
def test_an_option_that_a_command_calls_otherwise_is_pointed_to(words, meant):
    failed = voirdire(*words, check=False).stderr
    assert meant in failed and "--help)" not in failed


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
        "duckdb",
        "sklearn",
    }


_BOUNDED = r"is not a (whole )?number from [\d.,e-]+ to [\d,.]+\.$"
TREE = typer.main.get_command(app)


def commands(command=TREE, words=()):
    yield words, command
    for name, each in getattr(command, "commands", {}).items():
        yield from commands(each, (*words, name))


def test_every_number_is_finite_and_bounded():
    unbounded = []
    for words, each in commands():
        for parameter in each.params:
            if getattr(parameter, "type_descriptor", None) and parameter.type_descriptor.annotation in (int, float):
                parse = parameter.type_descriptor.parameter_info.parser
                for value in ("nan", "inf", "-inf", "9" * 30, "1e320", "1_0", "", "x"):
                    with pytest.raises(typer.BadParameter, match=_BOUNDED):
                        unbounded.append((words, parameter.name, value, parse(value)))
    assert not unbounded


def test_help_shows_whole_sentences_within_eighty_columns_and_no_types(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for words, each in commands():
        said = each.get_help(typer.Context(each, info_name=" ".join(("voirdire", *words))))
        assert all(len(line) <= 80 for line in said.splitlines()), words
        assert not re.search(r"[a-z]\.\.\.\s*$|<[a-z]+[\[ >]|list\[|int range|x>=", said, re.MULTILINE), said
        flat = " ".join(said.split())
        for child in getattr(each, "commands", {}).values():
            assert " ".join(child.help.split("\n\n")[0].split()).partition(". ")[0] in flat


def test_examples_break_between_arguments_and_run_as_they_are_copied(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for words, each in commands():
        said = each.get_help(typer.Context(each, info_name=" ".join(("voirdire", *words))))
        examples = each.epilog.split("\n\n") if each.epilog else []
        copied = re.sub(r" \\\n +", " ", said).splitlines()
        assert [line.strip() for line in copied[len(copied) - 2 * len(examples) + 1 :: 2]] == examples, words
        for example in examples:
            assert len(re.findall(r"(?<!\.)\bvoirdire ", example)) == 1, example
            assert _ends_in_the_tree(shlex.split(example.partition(": voirdire ")[2])), example


def test_whatever_takes_data_names_every_form_of_it():
    helps = [p.help for _, each in commands() for p in each.params if str(getattr(p, "metavar", "")).startswith("DATA")]
    answers = [said for said in helps if said != "Data, or a run folder."]  # rate new: turns and responses, too
    assert len(answers) == 8
    assert all("an export --to huggingface" in said and "a .voirdire project" in said for said in answers)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("rnu", "Did you mean 'voirdire run'?"),
        ("ddft validate", "Did you mean 'voirdire validate'?"),
        ("ddft run", "Did you mean 'voirdire run'?"),
        ("ddft show runs/first", "Did you mean 'voirdire show'?"),
        ("ddft concepts list", "Did you mean 'voirdire concepts list'?"),
        ("replicate", "Did you mean 'voirdire ddft replicate'?"),
        ("ddft shwo", "Did you mean 'voirdire show'?"),
        ("ddft compare", "Did you mean 'voirdire compare'?"),
        ("detct", "Did you mean 'voirdire detect' or 'voirdire detectors'?"),
        ("agreemnt", "Did you mean 'voirdire rate agreement'?"),
        ("bench", "Did you mean 'voirdire jury bench' or 'voirdire cognibench bench'?"),
        ("jury xyz", "The commands are bench, injection, reliability, sample, crosscheck, worth."),
    ],
)
def test_a_word_that_is_mistyped_or_misplaced_points_on(typed, meant):
    done = voirdire(*typed.split(), check=False)
    first = typed.split()[0] if typed.split()[0] not in TREE.commands else " ".join(typed.split()[:2])
    assert done.returncode == 2
    assert f"There is no 'voirdire {first}'. {meant}" in done.stderr


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("--model a/b run", "--model goes after the command: voirdire run --model a/b"),
        ("--json jury worth x.csv", "--json goes after the command: voirdire jury worth --json x.csv"),
        ("-o=out.html report runs/a", "-o goes after the command: voirdire report -o=out.html runs/a"),
        ("rate --rater Ana new p.voirdire", "--rater goes after the command: voirdire rate new --rater Ana p.voirdire"),
        ("-mx run", "-m goes after the command: voirdire run -mx"),
        ("--no-contradiction detect a.jsonl", "voirdire detect --no-contradiction a.jsonl"),
        ("--version --json plan", "--json goes after the command: voirdire --version plan --json"),
        ("--json validate show", "--json goes after the command: voirdire validate --json show"),
        ("--max-cost 5", "--max-cost is an option of 'voirdire run' and goes after the command."),
    ],
)
def test_an_option_before_its_command_is_told_where_it_goes(typed, meant):
    done = voirdire(*typed.split(), check=False)
    assert done.returncode == 2
    assert meant in done.stderr


def test_help_shows_at_most_eight_options_before_the_advanced_ones():
    long = {words: each for words, each in commands() if not hasattr(each, "commands") and len(_options(each)) > 8}
    assert len(long) > 15
    for words, each in long.items():
        common = each.callback.common_options
        assert 0 < len(common) <= 8, words
        assert set(common) <= {option.name for option in _options(each)}, words
        assert {option.name for option in _options(each) if option.required} <= set(common), words
        said = voirdire(*words, "--help").stdout
        assert said.index("Common options:") < said.index("Advanced options:")


def test_options_that_examples_use_or_common_options_need_are_common_too():
    for words, each in commands():
        common = getattr(each.callback, "common_options", ())
        options = _options(each) if common else []
        needed = {
            name
            for option in options
            if option.name in common
            for name in re.findall("[Ww]ith (--[a-z-]+)", option.help)
        }
        used = set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", each.epilog or ""))
        assert {option.name for option in options if (needed | used) & set(option.opts)} <= set(common), words


def _options(command):
    return [each for each in command.params if each.param_type_name == "option"]


def test_an_alias_without_quotes_is_answered_with_the_quoted_form():
    done = voirdire("run", "-m", "openai/gpt-5.1", "as", "gpt", check=False)
    assert done.returncode == 2
    assert 'A model and its alias are one argument: -m "openai/gpt-5.1 as gpt".' in done.stderr


def test_where_something_is_missing_the_message_ends_with_an_example():
    done = voirdire("run", check=False)
    assert "Missing option '--model' / '-m'. Example: voirdire run -m local/smollm2-135m" in " ".join(
        done.stderr.split()
    )


_PROSE = {"does", "has", "is", "knows", "makes", "turn", "verdicts", "writes"}
"""What follows the program's name where it is no command."""
_NAMED = re.compile(r"(?<!\.)\bvoirdire ((?:[a-z][a-z-]*(?: |$))+)")
_MAY_NAME = re.compile(r"(?<!from )(?<!import )\bvoirdire(?![\w./])")
"""In a module's source. Where it only imports, it need not be parsed, which takes two seconds for all of them."""


def _ends_in_the_tree(words):
    """Whether what follows the program's name leads to a command, or stops at a group."""
    at = typer.main.get_command(app)
    for word in words:
        if not hasattr(at, "commands"):
            return True
        if word not in at.commands:
            return False
        at = at.commands[word]
    return True


def _strings():
    """Strings that are no docstring, and the docstrings of the command line, of modules that may name a command."""
    root = Path(voirdire_package.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if not _MAY_NAME.search(source := path.read_text(encoding="utf-8")):
            continue
        module = nodes(source)
        of_code = {id(node.value) for node in module if isinstance(node, ast.Expr)}
        for node in module:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if id(node) not in of_code or root / "cli" in path.parents:
                    yield path.name, " ".join(node.value.split())


def test_every_command_that_a_help_text_or_a_message_names_is_there():
    lost = [
        (name, found[0])
        for name, string in _strings()
        for found in _NAMED.finditer(string)
        if not _ends_in_the_tree(found[1].split()) and found[1].split()[0] not in _PROSE
    ]
    assert not lost


def test_help_of_export_names_what_results_are_exported_to():
    assert "every-eval-ever" in voirdire("export", "--help").stdout


@pytest.mark.parametrize("task", MODULES)
def test_help_of_rate_export_names_every_form_of_a_task(task):
    told = re.sub(r"-\s+", "-", voirdire("rate", "export", "--help").stdout)
    forms = (*SOURCES, LOG, *open_task(task).exchange().own)
    assert not [form for form in forms if not re.search(rf"\b{form}\b", told)]
