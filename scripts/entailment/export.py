"""Write trained weights as the package ships them: int8 ONNX, tokenizer, settings with SHA-256s.

    python export.py WEIGHTS.pt OUT_FOLDER [--earlier EARLIER.pt --share 0.8] [--float32 FILE.onnx]

MatMul, Gather and Gemm are stored as 8-bit integers, a scale for each output channel. With `--earlier` the weights are
a mean of two stages of one training, which keeps more of what the earlier one knew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from network import LABELS, EntailmentNetwork
from train import MAX_TOKENS, base_folder

OPSET, READ_TOKENS = 17, 256
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def write_float32(network: EntailmentNetwork, file: Path) -> None:
    """The network as ONNX, for any number of pairs of any length up to 512 tokens."""
    ids = torch.randint(1000, 2000, (2, 24))
    mask, kinds = torch.ones_like(ids), torch.zeros_like(ids)
    kinds[:, 16:] = 1
    axes = {name: {0: "pairs", 1: "tokens"} for name in INPUTS} | {"logits": {0: "pairs"}}
    torch.onnx.export(
        network,
        (ids, mask, kinds),
        str(file),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes=axes,
        opset_version=OPSET,
        dynamo=False,
    )


def main() -> None:
    """Read the options, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--earlier", type=Path, help="weights of an earlier stage to be averaged in")
    parser.add_argument("--share", type=float, default=0.8, help="of the later weights, beside earlier ones")
    parser.add_argument("--float32", type=Path, help="keep the ONNX file before it is made small")
    options = parser.parse_args()
    network = EntailmentNetwork()
    saved = torch.load(options.weights, weights_only=True)
    weights = saved["weights"]
    if options.earlier:
        earlier = torch.load(options.earlier, weights_only=True)["weights"]
        weights = {
            name: options.share * value.float() + (1 - options.share) * earlier[name].float()
            for name, value in weights.items()
        }
    network.load_state_dict(weights)
    network.eval()
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        full = options.float32 or Path(folder) / "model.onnx"
        write_float32(network, full)
        small = options.out / "model.int8.onnx"
        kinds = ["MatMul", "Gather", "Gemm"]
        quantize_dynamic(full, small, op_types_to_quantize=kinds, per_channel=True, weight_type=QuantType.QInt8)
        onnx.checker.check_model(str(small))
    tokenizer = options.out / "tokenizer.json"
    tokenizer.write_bytes((base_folder() / "tokenizer.json").read_bytes())
    settings = {
        "labels": LABELS,
        "max_length": READ_TOKENS,
        "truncation": "longest_first",
        "trained": {"base": "all-MiniLM-L6-v2", "max_tokens": MAX_TOKENS, "steps": saved["steps"]},
        "sha256": {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in (small, tokenizer)},
    }
    (options.out / "model.json").write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    print(f"{options.out}: {sum(file.stat().st_size for file in options.out.iterdir()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
