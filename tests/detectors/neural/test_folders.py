"""What is said of a model's folder before anything is loaded."""

import json
from pathlib import Path
from typing import Any

import pytest

from voirdire.detectors import DetectorError
from voirdire.detectors.neural._folders import EncoderSettings, adapted_base, check_weights, read_settings

GOOD: dict[str, Any] = {"kind": "encoder", "threshold": 0.4, "max_length": 256, "stride": 64}


def test_safetensors_pass_also_in_shards(tmp_path: Path) -> None:
    (tmp_path / "model-00001-of-00002.safetensors").touch()
    check_weights(str(tmp_path))


def test_pickled_weights_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "pytorch_model.bin").touch()
    with pytest.raises(DetectorError, match=r"pickled \(pytorch_model\.bin\).*safetensors"):
        check_weights(str(tmp_path))


def test_pickles_beside_safetensors_do_no_harm(tmp_path: Path) -> None:
    for name in ("pytorch_model.bin", "model.safetensors"):
        (tmp_path / name).touch()
    check_weights(str(tmp_path))


def test_an_empty_folder_and_a_path_to_nowhere_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DetectorError, match="no weights"):
        check_weights(str(tmp_path))
    with pytest.raises(DetectorError, match="There is no folder"):
        check_weights(str(tmp_path / "none"))


def test_a_name_on_the_hub_is_left_to_the_hub() -> None:
    check_weights("owner/model")


def test_an_adapter_says_what_it_is_for(tmp_path: Path) -> None:
    assert adapted_base(str(tmp_path)) is None
    (tmp_path / "adapter_config.json").write_text('{"base_model_name_or_path": "owner/base"}')
    assert adapted_base(str(tmp_path)) == "owner/base"
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(DetectorError, match="does not name the model"):
        adapted_base(str(tmp_path))


def test_settings_of_a_trained_encoder_are_read(tmp_path: Path) -> None:
    (tmp_path / "voirdire.json").write_text(json.dumps(GOOD))
    assert read_settings(str(tmp_path)) == EncoderSettings(0.4, 256, 64)


def test_a_folder_that_training_did_not_make_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DetectorError, match=r"holds no voirdire\.json.*detectors train"):
        read_settings(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "damaged"),
        ("[]", "does not describe an encoder"),
        (json.dumps(GOOD | {"kind": "lexical-learned"}), "does not describe an encoder"),
        (json.dumps(GOOD | {"max_length": "long"}), "max_length as a number"),
        (json.dumps(GOOD | {"max_length": True}), "max_length as a number"),
        (json.dumps(GOOD | {"stride": -1}), "stride as a number"),
        (json.dumps({key: value for key, value in GOOD.items() if key != "threshold"}), "threshold as a number"),
    ],
)
def test_damaged_settings_are_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "voirdire.json").write_text(text)
    with pytest.raises(DetectorError, match=problem):
        read_settings(str(tmp_path))
