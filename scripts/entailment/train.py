"""Train the entailment model: a step on pairs of people, then one on these and the synthetic ones.

    python train.py OUT.pt PAIRS.jsonl.gz... --minutes 20 [--start EARLIER.pt] [--weights weights.json]

Runs on CPU threads in bfloat16, with the weights and AdamW's state in float32. The learning rate rises for 5 % of the
way and then falls to 0; the way is measured in minutes, or in steps to repeat a run on another machine. OUT.pt is
written every few minutes with what a run needs to go on: the same command goes on with it.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import torch
from tokenizers import Tokenizer
from torch import Tensor

from examples import CLASSES, Example, licensed, split
from network import EntailmentNetwork, base_folder

MAX_TOKENS, BATCH_TOKENS, SEED = 160, 3072, 21
RATE, HEAD_RATE, DECAY, WARM_UP = 1.5e-4, 6e-4, 0.01, 0.05
_SAVED_EVERY, _LOGGED_EVERY = 180.0, 20


class Encoded(NamedTuple):
    """A pair as numbers."""

    ids: list[int]
    kinds: list[int]
    allowed: tuple[int, ...]
    source: str


def open_tokenizer() -> Tokenizer:
    """The tokenizer of all-MiniLM-L6-v2, for pairs."""
    tokenizer = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    return tokenizer


def encode(examples: Sequence[Example]) -> list[Encoded]:
    """Examples as numbers, in order."""
    encoded = open_tokenizer().encode_batch([(each.evidence, each.claim) for each in examples])
    return [
        Encoded(pair.ids, pair.type_ids, CLASSES[example.label], example.source)
        for pair, example in zip(encoded, examples, strict=True)
    ]


def batches(pairs: Sequence[Encoded], chance: random.Random) -> Iterator[list[Encoded]]:
    """All pairs once, those of like length together, in random order."""
    order = sorted(pairs, key=lambda pair: len(pair.ids) + chance.random() * 8)
    found: list[list[Encoded]] = [[]]
    for pair in order:
        if len(pair.ids) * (len(found[-1]) + 1) > BATCH_TOKENS:
            found.append([])
        found[-1].append(pair)
    chance.shuffle(found)
    yield from found


def epoch(pairs: Sequence[Encoded], weights: dict[str, float], chance: random.Random) -> list[Encoded]:
    """Each pair as often as its source weighs: 1.5 is once, and half of them twice."""
    chosen = []
    for pair in pairs:
        weight = weights.get(pair.source, 1.0)
        chosen += [pair] * (int(weight) + (chance.random() < weight % 1))
    return chosen


def tensors(batch: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Ids, mask, segments of shape (pairs, tokens); allowed classes of shape (pairs, 4)."""
    longest = max(len(pair.ids) for pair in batch)
    shape = (len(batch), longest)
    ids, mask, kinds = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
    allowed = torch.zeros(len(batch), 4, dtype=torch.bool)
    for row, pair in enumerate(batch):
        length = len(pair.ids)
        ids[row, :length], mask[row, :length] = torch.tensor(pair.ids), 1
        kinds[row, :length] = torch.tensor(pair.kinds)
        allowed[row, list(pair.allowed)] = True
    return ids, mask, kinds, allowed


def loss_of(logits: Tensor, allowed: Tensor) -> Tensor:
    """Minus the logarithm of the probability of all allowed classes together."""
    return (logits.logsumexp(-1) - logits.masked_fill(~allowed, -1e9).logsumexp(-1)).mean()


class Trainer:
    """A network in bfloat16 with its float32 master, and how far it has come.

    Each thread takes a part of a batch. On a machine that does other work too, this is much faster than many threads in
    each operation, all of which wait for the slowest.
    """

    def __init__(self, start: Path | None, threads: int) -> None:
        torch.manual_seed(SEED)
        torch.set_num_threads(1)
        self.threads, self.pool = threads, ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
        self.network = EntailmentNetwork()
        self.network.encoder.load_base(base_folder())
        if start:
            self.network.load_state_dict(torch.load(start, weights_only=True)["weights"])
        self.named = [(name, each) for name, each in self.network.named_parameters() if each.requires_grad]
        self.master = [each.detach().clone().float() for _, each in self.named]
        self.network.encoder.to(torch.bfloat16)
        self.optimizer = torch.optim.AdamW(self._groups(), foreach=True, betas=(0.9, 0.98))
        self.steps, self.seconds = 0, 0.0

    def _groups(self) -> list[dict[str, Any]]:
        groups = defaultdict(list)
        for (name, _), master in zip(self.named, self.master, strict=True):
            groups[name.startswith("head"), master.ndim > 1].append(master)
        return [
            {"params": each, "rate": HEAD_RATE if head else RATE, "weight_decay": DECAY if wide else 0.0}
            for (head, wide), each in groups.items()
        ]

    def step(self, batch: Sequence[Encoded], share: float) -> float:
        """Learn from a batch at this share of the way; its loss."""
        parts = [batch[place :: self.threads] for place in range(min(self.threads, len(batch)))]
        losses, gradients = zip(*self.pool.map(self._gradients, parts), strict=True)
        shares = [len(part) / len(batch) for part in parts]
        for place, master in enumerate(self.master):
            found = [gradient[place].float() * share for gradient, share in zip(gradients, shares, strict=True)]
            master.grad = torch.stack(found).sum(0) if len(found) > 1 else found[0]
        torch.nn.utils.clip_grad_norm_(self.master, 1.0)
        for group in self.optimizer.param_groups:
            group["lr"] = group["rate"] * min(share / WARM_UP, (1 - share) / (1 - WARM_UP))
        self.optimizer.step()
        with torch.no_grad():
            for (_, each), master in zip(self.named, self.master, strict=True):
                each.copy_(master)
        self.steps += 1
        return sum(loss * share for loss, share in zip(losses, shares, strict=True))

    def _gradients(self, part: Sequence[Encoded]) -> tuple[float, tuple[Tensor, ...]]:
        """The loss of a part of a batch and its gradients, computed by one thread."""
        ids, mask, kinds, allowed = tensors(part)
        loss = loss_of(self.network(ids, mask, kinds), allowed)
        return loss.item(), torch.autograd.grad(loss, [each for _, each in self.named])

    def weights(self) -> dict[str, Tensor]:
        """The float32 weights, by name."""
        found = {name: value.float() for name, value in self.network.state_dict().items()}
        found.update({name: master for (name, _), master in zip(self.named, self.master, strict=True)})
        return found

    def save(self, file: Path) -> None:
        """Write what goes on from here."""
        part = file.with_suffix(".part")
        progress = {"steps": self.steps, "seconds": self.seconds}
        torch.save({"weights": self.weights(), "optimizer": self.optimizer.state_dict(), **progress}, part)
        part.replace(file)

    def resume(self, file: Path) -> None:
        """Go on where `save` left off."""
        saved = torch.load(file, weights_only=True)
        with torch.no_grad():
            for (name, each), master in zip(self.named, self.master, strict=True):
                master.copy_(saved["weights"][name])
                each.copy_(master)
        rates = [group["rate"] for group in self.optimizer.param_groups]
        self.optimizer.load_state_dict(saved["optimizer"])
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            group["rate"] = rate
        self.steps, self.seconds = saved["steps"], saved["seconds"]


def train(trainer: Trainer, pairs: list[Encoded], weights: dict[str, float], out: Path, options: Any) -> None:
    """Until the way is gone."""
    chance = random.Random(SEED + trainer.steps)  # noqa: S311
    saved = last = time.monotonic()
    losses: list[float] = []
    while True:
        for batch in batches(epoch(pairs, weights, chance), chance):
            share = trainer.steps / options.steps if options.steps else trainer.seconds / 60 / options.minutes
            if share >= 1:
                trainer.save(out)
                return
            losses.append(trainer.step(batch, max(share, 1e-4)))
            now = time.monotonic()
            trainer.seconds += now - last
            last = now
            if math.isnan(losses[-1]):
                raise SystemExit("The loss is not a number.")
            if trainer.steps % _LOGGED_EVERY == 0:
                minutes, loss = trainer.seconds / 60, sum(losses) / len(losses)
                losses.clear()
                print(f"{minutes:6.1f} min  step {trainer.steps:6}  {share:.0%}  loss {loss:.4f}", flush=True)
            if now - saved > _SAVED_EVERY:
                trainer.save(out)
                saved = now
        print(f"an epoch is over after {trainer.steps} steps", flush=True)


def main() -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--start", type=Path, help="weights to begin with, instead of all-MiniLM-L6-v2's")
    parser.add_argument("--weights", type=Path, help="JSON: source to how often each of its pairs comes in an epoch")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    pairs = encode([example for file in options.pairs for example in split(licensed(file))[0]])
    print(f"{len(pairs)} pairs, {sum(len(pair.ids) for pair in pairs)} tokens", flush=True)
    trainer = Trainer(options.start, options.threads)
    if options.out.exists():
        trainer.resume(options.out)
    weights = json.loads(options.weights.read_text()) if options.weights else {}
    train(trainer, pairs, weights, options.out, options)


if __name__ == "__main__":
    main()
