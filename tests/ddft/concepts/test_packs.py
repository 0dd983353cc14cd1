import pytest

from voirdire.ddft.cognitive_profiler import CognitiveProfiler
from voirdire.ddft.concepts import ConceptError, find_concepts, pack_ids, packaged_concept, packaged_ids, packs
from voirdire.ddft.concepts.packs import list_packs
from voirdire.ddft.presets import changed_preset, load_preset
from voirdire.ddft.study import StudyPlan

SOUND = load_preset("sound")


def test_without_a_choice_the_core_eight_are_held():
    assert [file.concept.id for file in find_concepts()] == packaged_ids() == list(packs()[0].ids)


def test_ids_are_unique_over_all_packs():
    ids = [concept_id for pack in packs() for concept_id in pack.ids]
    assert len(set(ids)) == len(ids)


def test_a_pack_gives_its_concepts_and_all_gives_every_one():
    assert pack_ids(["core"]) == packaged_ids()
    assert pack_ids(["core", "core"]) == packaged_ids()
    assert set(pack_ids(["all"])) == {concept_id for pack in packs() for concept_id in pack.ids}


def test_an_unknown_pack_is_answered_with_the_nearest_one():
    with pytest.raises(ConceptError, match="did you mean 'medicine'"):
        pack_ids(["medcine"])


def test_a_preset_takes_packs_and_further_concepts():
    preset = changed_preset(SOUND, packs=["medicine"], concepts=["recursion"])
    assert list(preset.concepts) == [*pack_ids(["medicine"]), "recursion"]
    plan = StudyPlan(("simulated/steady",), tuple(find_concepts(preset.concepts)), preset)
    assert list(plan.manifest()["concepts"]) == list(preset.concepts)


def test_the_quick_start_takes_packs(tmp_path):
    profiler = CognitiveProfiler("simulated/steady", run=tmp_path / "run")
    turns = profiler.run_complete_assessment(["recursion"], [0.5], packs=["law"]).turns
    assert set(turns["concept"]) == {*pack_ids(["law"]), "recursion"}


def test_a_concept_of_any_pack_is_found_by_id_and_by_name():
    (wanted,) = pack_ids(["medicine"])[:1]
    name = packaged_concept(wanted).concept.name
    assert [file.concept.id for file in (*find_concepts([wanted]), *find_concepts([name.upper()]))] == [wanted] * 2


def test_the_list_tells_kind_date_and_facts():
    (core,) = list_packs(["core"])
    said = {each["id"]: each for each in core.as_dict()["concepts"]}
    assert said["recursion"] == {
        "id": "recursion",
        "name": "Recursion",
        "domain": "Computer Science",
        "kind": "established",
        "facts": 18,
        "as_of": None,
        "aliases": [],
    }
    assert all(
        each["as_of"] for pack in list_packs() for each in pack.as_dict()["concepts"] if each["kind"] == "current"
    )
