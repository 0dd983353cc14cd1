"""The files of the suite of planted defects: the same every time, changed by the plant, and otherwise right."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from benchmarks.accuracy.planted.clean import CLEAN
from benchmarks.accuracy.planted.comparisons import differences, holm
from benchmarks.accuracy.planted.plants import PLANTS
from benchmarks.accuracy.planted.plants.base import Plant
from benchmarks.accuracy.planted.study import Study, aggregate

CHEAP = ("csv-families", "csv-epochs", "csv-choice", "jsonl-short", "eee-short", "lm-eval-short", "deepeval-judged")
ONE_EACH = {plant.check: plant for plant in reversed(PLANTS) if plant.clean in CHEAP}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def planted(plant: Plant) -> Study:
    study = CLEAN[plant.clean].study()
    assert plant.change
    plant.change(study, random.Random(f"planted/{plant.name}"))
    return study


@pytest.mark.parametrize("plant", [p for p in PLANTS if p.clean == "jsonl-short"], ids=lambda plant: plant.name)
def test_a_plant_changes_the_files_and_does_so_the_same_way_every_time(plant: Plant, tmp_path: Path) -> None:
    CLEAN[plant.clean].write(tmp_path / "clean")
    plant.write(tmp_path / "first")
    plant.write(tmp_path / "second")
    first = contents(tmp_path / "first")
    assert first == contents(tmp_path / "second")
    assert first != contents(tmp_path / "clean")


@pytest.mark.parametrize("check", sorted(ONE_EACH.keys() - {"headline_recomputed"}))
def test_what_is_printed_follows_from_the_answers_unless_that_is_the_defect(check: str) -> None:
    study = planted(ONE_EACH[check])
    assert not study.printed
    assert all(study.headline(model) == aggregate(study.of(model), study.reducer) for model in study.models)


def test_many_checkpoints_differ_before_holm_and_not_after() -> None:
    plant = next(p for p in PLANTS if p.check == "multiple_comparisons" and p.clean == "jsonl-short")
    values = [each.p for each in differences(planted(plant))]
    assert sum(p < 0.05 for p in values) >= 3 and min(holm(values)) >= 0.05


@pytest.mark.parametrize(
    "plant", [p for p in PLANTS if p.check == "unpaired_test" and p.clean != "csv-scores"][::4], ids=lambda p: p.name
)
def test_only_the_pairs_show_a_one_sided_difference(plant: Plant) -> None:
    first = differences(planted(plant))[0]
    assert first.p < 0.01 and first.p_unpaired > 0.1


@pytest.mark.parametrize("name", ["inspect-choice", "lm-eval-short", "helm-short", "csv-scores", "alpaca-made"])
def test_models_of_a_clean_evaluation_differ_by_every_test(name: str) -> None:
    found = differences(CLEAN[name].study())
    values = [each.p for each in found]
    assert max(holm(values)) < 0.01 and max(each.p_unpaired for each in found) < 0.01


def test_real_files_are_changed_in_a_copy(tmp_path: Path) -> None:
    plant = next(p for p in PLANTS if p.clean == "real-inspect-arc" and p.check == "unparsed")
    plant.write(tmp_path)
    (path,) = tmp_path.iterdir()
    log = json.loads(path.read_text(encoding="utf-8"))
    wrong = [sample for sample in log["samples"] if sample["scores"]["choice"]["value"] == "I"]
    assert len(wrong) == 3 and log["results"]["scores"][0]["metrics"]["accuracy"]["value"] == pytest.approx(0.4)
    assert all(sample["output"]["completion"].endswith(f"ANSWER: {sample['target']}") for sample in wrong)
