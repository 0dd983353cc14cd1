"""Preset files."""

import warnings

from fuzz._files import written
from voirdire import data as packaged
from voirdire.ddft.presets import PresetNote, load_preset

SEEDS = [packaged.read_text(f"presets/{name}.yaml").encode() for name in packaged.names("presets", ".yaml")]
SEEDS.append(b"extends: sound\nroles: {judge: {base_url: 'http://localhost/v1', price_per_million: [1, 2]}}\n")
warnings.simplefilter("ignore", PresetNote)


def one(data: bytes) -> None:
    """Read a file."""
    load_preset(str(written("a.yaml", data))).identity()
