import json
import re
import warnings
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml

from voirdire.data import packaged_files
from voirdire.ddft.compression import LevelError, check_level
from voirdire.ddft.concepts import ConceptError
from voirdire.ddft.presets import (
    ROLES,
    Preset,
    PresetError,
    PresetNote,
    RoleOptions,
    changed_preset,
    load_preset,
    own_prompt_names,
    packaged_presets,
    parse_preset,
    preset_of,
)
from voirdire.ddft.study import plan_study
from voirdire.ddft.thresholds import Thresholds
from voirdire.jury import JuryError, Weights
from voirdire.jury.settings import JuryRules

REFERENCE_PAGE = Path(__file__).parents[2] / "docs" / "reference" / "presets.md"
_SETTING = re.compile(r"^- `([\w.]+)` \((?:`(.+?)`|none|packaged)\)", re.MULTILINE)


def test_the_presets_of_the_design_are_packaged():
    assert set(packaged_presets()) == {"sound", "published", "as-run", "lite", "quick", "local"}


# docs/design.md, section 5: the table of presets, row by row.
@pytest.mark.parametrize(
    ("name", "named", "compression", "turn5", "reference", "separate", "told", "no_claims", "weighted"),
    [
        ("sound", True, "sentences", "always", "always", False, False, "null", False),
        ("published", True, "truncate", "on_acceptance", "below_1", True, True, "scored", False),
        ("as-run", False, None, "always", "never", False, True, "scored", True),
    ],
)
def test_presets_match_the_design_table(
    name, named, compression, turn5, reference, separate, told, no_claims, weighted
):
    preset = load_preset(name)
    assert (preset.name_concept, preset.compression, preset.turn5) == (named, compression, turn5)
    assert preset.judge_reference == reference
    assert preset.jury.separate_calls is separate
    assert preset.jury.tell_level_and_turn is told
    assert preset.jury.no_claims == no_claims
    assert (preset.jury.consensus != "mean") is weighted
    assert preset.levels == (0.0, 0.25, 0.5, 0.75, 1.0)
    assert preset.subject_max_tokens == 1000


def test_lite_and_quick_are_sound_with_fewer_levels_and_concepts():
    sound, lite, quick = (load_preset(name) for name in ("sound", "lite", "quick"))
    assert lite.levels == quick.levels == (0.0, 0.5, 1.0)
    assert lite.jury == quick.jury == sound.jury
    assert len(quick.concepts) == 2


def test_local_is_sound_in_a_quarter_of_an_hour_and_leaves_room_for_a_model_that_rambles():
    sound, local = load_preset("sound"), load_preset("local")
    assert local.levels == (0.0, 1.0) and local.jury == sound.jury
    assert len(local.concepts) >= 6  # what a comparison needs
    assert 200 < local.subject_max_tokens < sound.subject_max_tokens


def test_a_users_preset_extends_a_packaged_one(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(
        "extends: sound\nlevels: [0, 1]\ntrap: paper\n"
        "roles: {judge: {base_url: 'http://127.0.0.1:9/v1', price_per_million: [1, 2]}}\n"
    )
    preset = load_preset(str(path))
    assert (preset.name, preset.levels, preset.trap) == ("mine", (0.0, 1.0), "paper")
    assert preset.roles["judge"].base_url == "http://127.0.0.1:9/v1"
    assert preset.roles["judge"].price_per_million == (1.0, 2.0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("levels: [0, 2]", "outside [0, 1]"),
        ("levels: []", "at least one compression level"),
        ("levels: [0, 0]", "levels: 0 stands more than once"),
        ("trap: ghost", "'ghost' is not allowed"),
        ("colour: red", "there is no setting 'colour'; there are compression, concepts"),
        ("level: [0, 1]", "there is no setting 'level'; did you mean levels?"),
        ("trap: expet", "trap: 'expet' is not allowed; did you mean expert?"),
        ("jury: {granularity: dialoge}", "granularity is 'dialoge', which is not known: did you mean dialogue?"),
        ("thresholds: {fluent_ssa: 0.8}", "thresholds: there is no 'fluent_ssa'; did you mean fluent_sas?"),
        ("3: red", "there is no setting '3'"),
        ("levels: [[0]]", "levels: [0] is not a number"),
        ("levels: [true]", "levels: True is not a number"),
        ("levels: 0.5", "levels: a list"),
        ("concepts: [[recursion]]", "each a text"),
        ("turn5: {a: b}", "'b'} is not allowed"),
        ("samples: 0", "samples: 0 is not a whole number from 1 to 1,000"),
        ("samples: 1001", "from 1 to 1,000"),
        ("samples: null", "samples: None is not a whole number"),
        ("[1, 2]", "must be a mapping"),
        ("a: [", "not valid YAML"),
        ("jury: {rubric: harsh}", "jury: there is no setting 'rubric'; there are consensus, granularity, max_tokens"),
        ("jury: {1: 2}", "jury: there is no setting '1'"),
        ("jury: harsh", "jury: a mapping"),
        ("jury: {quorum: most}", "quorum"),
        ("jury: {consensus: {far: [1]}}", "jury.consensus: it lacks sas"),
        ("jury: {consensus: {far: 1, sas: [1]}}", "jury.consensus.far: a list"),
        ("jury: {consensus: {far: [a], sas: [1]}}", "jury.consensus.far: 'a' is not a number"),
        ("jury: {consensus: {far: [1], sas: [1], er: [1]}}", "jury.consensus: there is no setting 'er'"),
        ("roles: {judge: {url: here}}", "roles.judge: there is no setting 'url'; did you mean base_url?"),
        ("jury: {consensus: mode}", "'mode' must be mean, median, a weight for each judge"),
        ("jury: {consensus: {}}", "jury.consensus: it lacks far"),
        ("jury: {consensus: {openai/gpt-5.1: heavy}}", "the weight of openai/gpt-5.1 is 'heavy'"),
        ("jury: {consensus: {openai/gpt-5.1: 0}}", "must be a number above 0"),
        ("roles: {referee: {}}", "'referee' is not allowed"),
        ("roles: {judge: {price_per_million: [1, -2]}}", "each zero or more"),
        ("roles: {judge: {price_per_million: [.nan, 2]}}", "each zero or more"),
        ("extends: nothing", "no preset 'nothing'"),
    ],
)
def test_a_bad_preset_is_refused_in_one_sentence(text, says):
    with pytest.raises(PresetError) as caught:
        parse_preset(text, "mine.yaml", "mine")
    assert says in str(caught.value)
    assert "mine.yaml" in str(caught.value) or text.startswith("extends")
    assert "\n" not in str(caught.value)


def test_a_concept_that_a_pack_brings_is_not_named_twice():
    packed = changed_preset(load_preset("sound"), packs=["law"]).concepts
    named = changed_preset(load_preset("sound"), packs=["law"], concepts=["Habeas corpus", "recursion"]).concepts
    assert "habeas-corpus" in packed and named == (*packed, "recursion")


def test_an_unknown_preset_is_answered_with_the_nearest_one():
    with pytest.raises(PresetError, match="did you mean 'sound'"):
        load_preset("soud")


def test_a_level_error_names_the_level():
    with pytest.raises(LevelError, match=r"1\.5"):
        check_level(1.5)


def test_a_preset_may_take_the_median_and_a_run_that_recorded_it_has_it_again():
    preset = parse_preset("extends: sound\njury: {consensus: median}", "mine.yaml", "mine")
    assert preset.jury == replace(load_preset("sound").jury, consensus="median"), "the rest is that of sound"
    assert preset.jury.consensus == "median"
    assert preset_of(json.loads(json.dumps(preset.identity()))).jury == preset.jury


def test_weights_by_judge_take_the_order_of_the_jury():
    preset = parse_preset("jury: {consensus: {simulated/judge: 3, reference: 1}}", "mine.yaml", "mine")
    plan = plan_study(["simulated/steady"], preset, jury=["reference", "simulated/judge"])
    assert plan.preset.jury.consensus == Weights((1.0, 3.0), (1.0, 3.0))
    assert preset_of(json.loads(json.dumps(plan.preset.identity()))).jury == plan.preset.jury


@pytest.mark.parametrize(
    ("jury", "says"),
    [
        (["reference"], "The rules weigh simulated/judge, who is not on the jury: there are reference"),
        (["reference", "simulated/jugde"], r"weigh simulated/judge, .*: did you mean simulated/jugde\?"),
        (["reference", "simulated/judge", "simulated/noisy"], "The rules give simulated/noisy no weight"),
    ],
)
def test_weights_of_other_judges_are_refused_before_anything_is_asked(jury, says):
    preset = parse_preset("jury: {consensus: {simulated/judge: 3, reference: 1}}", "mine.yaml", "mine")
    with pytest.raises(JuryError, match=says):
        plan_study(["simulated/steady"], preset, jury=jury)


def test_a_preset_that_extends_none_says_what_it_starts_from(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text("levels: [0, 1]\n")
    with pytest.warns(PresetNote, match=r"as in sound, except jury\.show_history: false\. Begin it with") as noted:
        preset = load_preset(path)
    sound = load_preset("sound")
    assert len(noted) == 1
    assert preset == replace(
        sound,
        name="own",
        description="",
        levels=(0.0, 1.0),
        jury=replace(sound.jury, show_history=False),
    )


@pytest.mark.parametrize("level", ["half", "0.5_0"])
def test_levels_that_are_no_numbers_are_refused(level):
    with pytest.raises(PresetError, match=rf"levels: 0, {level} must be numbers in \[0, 1\]"):
        changed_preset(load_preset("quick"), levels=["0", level])


def test_a_preset_that_extends_another_has_nothing_to_say(tmp_path):
    path = tmp_path / "own.yaml"
    path.write_text("extends: sound\nlevels: [0, 1]\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        load_preset(path)


def _beside_each_other(folder):
    """A preset in `folder`/presets, with what it names beside it; it extends one in `folder`."""
    (folder / "presets").mkdir(parents=True)
    text = packaged_files.read_text("concepts/recursion.yaml").replace("id: recursion", "id: mine")
    (folder / "presets" / "mine.yaml").write_text(text)
    (folder / "base.yaml").write_text("extends: sound\nlevels: [0, 1]\nconcepts: [presets/mine.yaml]\n")
    (folder / "presets" / "own.yaml").write_text("extends: ../base.yaml\nconcepts: [mine.yaml, recursion]\n")
    return folder / "presets" / "own.yaml"


def test_the_paths_of_a_preset_go_by_its_own_folder(tmp_path, monkeypatch):
    own = _beside_each_other(tmp_path / "there")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for path in (own, Path("../there/presets/own.yaml"), own.parents[1] / "base.yaml"):
        preset = load_preset(path)
        assert preset.levels == (0.0, 1.0)
        assert plan_study(["simulated/steady"], preset).concepts[0].concept.id == "mine"
    assert load_preset(own).identity()["concepts"] == ["mine.yaml", "recursion"], "the same from any folder"
    assert preset_of(load_preset(own).identity()) == replace(load_preset(own), description="")


def test_paths_that_are_given_beside_a_preset_go_by_the_current_folder(tmp_path, monkeypatch):
    own = _beside_each_other(tmp_path)
    monkeypatch.chdir(tmp_path)
    chosen = changed_preset(load_preset(own), concepts=["presets/mine.yaml"])
    assert [file.concept.id for file in plan_study(["simulated/steady"], chosen).concepts] == ["mine"]


def test_a_path_that_only_the_current_folder_has_is_refused_with_both_places(tmp_path, monkeypatch):
    _beside_each_other(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "presets" / "own.yaml").write_text("extends: sound\nconcepts: [presets/mine.yaml]\n")
    both = f"{re.escape(str(tmp_path))}/presets/presets/mine.yaml.*{re.escape(str(tmp_path))}/presets/mine.yaml"
    with pytest.raises(ConceptError, match=both):
        plan_study(["simulated/steady"], load_preset("presets/own.yaml"))
    (tmp_path / "presets" / "own.yaml").write_text("extends: base.yaml\n")
    with pytest.raises(PresetError, match=r"presets/base\.yaml, where it is looked for, but at"):
        load_preset("presets/own.yaml")


def test_the_reference_has_every_setting_of_a_preset_with_its_default():
    parts = {
        "": Preset("own", ""),
        "jury.": JuryRules(),
        "roles.ROLE.": RoleOptions(),
        "thresholds.": Thresholds(),
    }
    whole = {"jury", "prompts", "roles", "thresholds", "name", "folder"}
    defaults = {
        before + entry.name: getattr(record, entry.name)
        for before, record in parts.items()
        for entry in fields(record)
        if before or entry.name not in whole
    }
    shown = dict(_SETTING.findall(REFERENCE_PAGE.read_text(encoding="utf-8")))
    assert shown.keys() - defaults.keys() == {"extends", "prompts.NAME"}
    read = {name: yaml.safe_load(shown[name]) for name in defaults}
    assert read == {name: list(value) if isinstance(value, tuple) else value for name, value in defaults.items()}


def test_the_reference_has_every_prompt_preset_and_role_that_a_preset_can_name():
    settings, _, prompts = REFERENCE_PAGE.read_text(encoding="utf-8").partition("\n## Prompts\n")
    rows = [line for line in prompts.splitlines() if line.startswith("|")]
    assert sorted(re.findall(r"`(\w+)`", "".join(rows))) == sorted(own_prompt_names())
    assert [name for name in (*packaged_presets(), *ROLES) if f"`{name}`" not in settings] == []
