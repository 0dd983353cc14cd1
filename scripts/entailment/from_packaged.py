"""Weights to train on from: those of the packaged model, whose 8-bit integers become numbers again.

    python from_packaged.py MODEL.int8.onnx OUT.pt

The weights before they were made small are not kept; these lie within half a step of an integer of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper

from network import EntailmentNetwork


def packaged_weights(file: Path) -> dict[str, torch.Tensor]:
    """The state of an `EntailmentNetwork` as `export.py` wrote it."""
    graph = onnx.load(file).graph
    stored = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    weights = {}
    for name in EntailmentNetwork().state_dict():
        if name in stored:
            weights[name] = stored[name]
        elif f"{name}_quantized" in stored:
            weights[name] = _numbers(stored, name)
    for node in graph.node:
        if node.op_type == "MatMulInteger":
            layer = node.name.strip("/").rpartition("/")[0].replace("/", ".")
            weights[f"{layer}.weight"] = _numbers(stored, node.input[1].removesuffix("_quantized")).T.contiguous()
    return weights


def _numbers(stored: dict[str, torch.Tensor], name: str) -> torch.Tensor:
    integers, zeros = (stored[f"{name}_{part}"].float() for part in ("quantized", "zero_point"))
    return (integers - zeros) * stored[f"{name}_scale"]


def main(model: Path, out: Path) -> None:
    """Write what `train.py --start` and `export.py --earlier` read."""
    network = EntailmentNetwork()
    network.load_state_dict(packaged_weights(model))
    torch.save({"weights": network.state_dict(), "steps": 0}, out)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
