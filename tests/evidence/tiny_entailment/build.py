"""Builds the model beside it, which stands in for the real one: run this file where onnx is installed.

Same files, inputs and output. It adds up what each word says, whichever side it stands on: "denied" contradicts, a
"dragon" is in no evidence, "hello" claims nothing; without them a sentence is supported.
"""

import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

HERE = Path(__file__).parent
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "denied", "dragon", "hello")
SAYS = {"[CLS]": (3, 0, 0, 0), "denied": (0, 6, 0, 0), "dragon": (0, 0, 6, 0), "hello": (0, 0, 0, 9)}


def write_tokenizer() -> None:
    tokenizer = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    (HERE / "tokenizer.json").write_text(tokenizer.to_str())


def write_weights() -> None:
    table = np.array([SAYS.get(word, (0, 0, 0, 0)) for word in WORDS], np.float32)
    sides = ["batch", "length"]
    names = ("input_ids", "attention_mask", "token_type_ids")
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("Add", ["attention_mask", "none"], ["mask"]),
        helper.make_node("Add", ["token_type_ids", "none"], ["types"]),
        helper.make_node("Cast", ["mask"], ["real"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["types"], ["side"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["side", "zero"], ["nothing"]),
        helper.make_node("Add", ["real", "nothing"], ["weight"]),
        helper.make_node("Unsqueeze", ["weight", "last"], ["column"]),
        helper.make_node("Mul", ["rows", "column"], ["said"]),
        helper.make_node("ReduceSum", ["said", "second"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, sides) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 4])],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array(0, np.int64), "none"),
            numpy_helper.from_array(np.array(0, np.float32), "zero"),
            numpy_helper.from_array(np.array([2], np.int64), "last"),
            numpy_helper.from_array(np.array([1], np.int64), "second"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    (HERE / "model.int8.onnx").write_bytes(model.SerializeToString())


def write_settings() -> None:
    hashes = {
        name: hashlib.sha256((HERE / name).read_bytes()).hexdigest() for name in ("model.int8.onnx", "tokenizer.json")
    }
    settings = {"sha256": hashes, "max_length": 256, "truncation": "longest_first", "temperature": 1.0}
    (HERE / "model.json").write_text(json.dumps(settings, indent=2) + "\n")


if __name__ == "__main__":
    write_tokenizer()
    write_weights()
    write_settings()
