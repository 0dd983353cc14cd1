import dataclasses
from collections import Counter
from dataclasses import replace

import pytest

from voirdire.ddft.concepts import find_concepts
from voirdire.ddft.presets import RoleOptions, load_preset
from voirdire.ddft.study import StudyError, StudyPlan, dialogue_specs, participating_models
from voirdire.jury import JuryError

SOUND = load_preset("sound")


def study(**changes):
    options = {"models": ("simulated/steady",), "concepts": tuple(find_concepts()), "preset": SOUND} | changes
    return StudyPlan(**options)


def test_every_cell_of_the_grid_is_held_once_per_model_and_sample():
    plan = study(models=("simulated/steady", "simulated/fading"), preset=dataclasses.replace(SOUND, samples=2))
    held = Counter(planned.id for planned in dialogue_specs(plan))
    assert len(held) == 2 * 8 * 5 * 2
    assert set(held.values()) == {1}


def test_all_models_meet_the_same_kind_of_trap_in_the_same_cell():
    plan = study(models=("simulated/steady", "simulated/fading"))
    positions = {}
    for planned in dialogue_specs(plan):
        positions.setdefault((planned.concept.id, planned.level), set()).add(planned.position)
    assert all(len(found) == 1 for found in positions.values())


def test_the_order_is_seeded_and_mixes_concepts_and_levels():
    first, same, other = ([planned.id for planned in dialogue_specs(study(seed=seed))] for seed in (1, 1, 2))
    assert first == same != other
    begun = dialogue_specs(study(seed=1))[:20]
    assert len({planned.concept.id for planned in begun}) >= 6
    assert len({planned.level for planned in begun}) == 5


def test_only_models_that_are_called_take_a_seat():
    assert set(participating_models(study())) == {"simulated/steady"}
    cast = study(interviewer="openai/gpt-5.1", jury=("reference", "simulated/judge"))
    assert set(participating_models(cast)) == {"simulated/steady", "openai/gpt-5.1", "simulated/judge"}


@pytest.mark.parametrize(
    ("changes", "error"),
    [({"models": ("simulated/noisy",)}, StudyError), ({"jury": ("simulated/steady",)}, JuryError)],
)
def test_simulated_models_that_only_judge_or_only_answer_are_refused_the_other_part(changes, error):
    with pytest.raises(error, match="such as simulated/"):
        participating_models(study(**changes))


@pytest.mark.parametrize("spec", ["simulated/asking", "simulated/judge"])
def test_a_simulated_model_is_refused_as_interviewer_before_anything_is_called(spec):
    with pytest.raises(StudyError, match=f"{spec} can't write questions"):
        participating_models(study(interviewer=spec))


def test_the_base_url_is_for_compatible_servers_and_a_role_can_have_its_own():
    roles = {"judge": RoleOptions(base_url="http://judge/v1")}
    plan = study(
        models=("openai-api/subject", "openai/gpt-5"),
        jury=("openai-api/judge",),
        base_url="http://subject/v1",
        preset=dataclasses.replace(SOUND, roles=roles),
    )
    urls = {spec: options.base_url for spec, options in participating_models(plan).items()}
    assert urls == {
        "openai-api/subject": "http://subject/v1",
        "openai/gpt-5": None,
        "openai-api/judge": "http://judge/v1",
    }


def test_one_spec_at_two_addresses_is_refused():
    plan = study(
        models=("openai-api/x",),
        jury=("openai-api/x",),
        base_url="http://one/v1",
        preset=dataclasses.replace(SOUND, roles={"judge": RoleOptions(base_url="http://two/v1")}),
    )
    with pytest.raises(StudyError, match="two ways"):
        participating_models(plan)


def test_a_jury_that_does_not_fit_the_presets_weights_is_refused_before_anything_is_opened():
    plan = study(preset=load_preset("as-run"), jury=("simulated/judge", "simulated/lenient"))
    with pytest.raises(JuryError, match="weigh"):
        participating_models(plan)


def test_no_model_and_a_model_named_twice_are_refused():
    with pytest.raises(StudyError, match="No model"):
        study(models=())
    with pytest.raises(StudyError, match="The model simulated/steady is named more than once"):
        study(models=("simulated/steady", "simulated/steady"))


def test_the_manifest_changes_with_everything_that_changes_the_test():
    same = study().manifest()
    assert same == study().manifest()
    changes = (
        {"seed": 1},
        {"jury": ("simulated/judge",)},
        {"interviewer": "simulated/steady"},
        {"concepts": tuple(find_concepts(["recursion"]))},
        {"preset": dataclasses.replace(SOUND, trap="paper")},
        {"preset": dataclasses.replace(SOUND, jury=dataclasses.replace(SOUND.jury, show_history=False))},
    )
    for change in changes:
        assert study(**change).manifest() != same


def test_a_judge_named_twice_is_refused_and_a_model_that_judges_itself_is_told_of():
    with pytest.raises(StudyError, match="The judge simulated/judge is named more than once"):
        study(jury=("simulated/judge", "simulated/judge"))
    itself = study(models=("openai/gpt-5.1", "simulated/steady"), jury=("openai/gpt-5.1", "simulated/judge"))
    assert str(itself.self_judged).startswith("openai/gpt-5.1 is in the jury")
    assert study().self_judged is None


def test_a_simulated_judge_of_a_real_model_is_told_beforehand():
    mixed = replace(study(), models=("local/smollm2-135m", "simulated/steady"), jury=("simulated/judge",))
    assert "will mean nothing" in str(mixed.simulated_jury) and "local/smollm2-135m" in str(mixed.simulated_jury)
    assert replace(mixed, models=("simulated/steady",)).simulated_jury is None
    assert replace(mixed, jury=("reference",)).simulated_jury is None
