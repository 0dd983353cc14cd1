"""What spreading work over shards is made of."""

from __future__ import annotations

from dataclasses import dataclass

from voirdire.data.bounds import check_bounds
from voirdire.errors import InputError
from voirdire.models.secrets import masked_url, url_secrets


class ScaleError(InputError):
    """Work that can't be spread as asked: one sentence says what was given and what to do."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Over what the work is spread."""

    address: str | None = None
    """Of a cluster that this machine is part of: "auto" or "HOST:PORT"; `None` starts one here, and stops it."""
    workers: int | None = None
    """Shards at a time; `None`: one for each CPU of the cluster."""
    shard_rows: int = 10_000
    """Entries of the data (lines, rows, answers) in a shard."""
    gpus: float = 0.0
    """That each worker is given."""

    def __post_init__(self) -> None:
        if self.address is not None and self.address.startswith(
            "ray://"
        ):  # seen with 2.60: no iterating over a Dataset
            raise ScaleError(
                f"Ray Data does not run through a Ray client ({self.address}): give the command to a machine of the "
                "cluster, with --address auto, or submit it as a job."
            )
        check_bounds("gpus", self.gpus, 0, 1024, ScaleError)
        if self.shard_rows < 1 or (self.workers is not None and self.workers < 1):
            raise ScaleError(
                "A shard has at least one row, and there is at least one worker; given: "
                f"shard_rows {self.shard_rows}, workers {self.workers}."
            )


def check_address(base_url: str | None) -> None:
    """What workers are told goes through files and the cluster's memory, where no credentials belong.

    Raises:
        ScaleError: the address of a server has some.
    """
    if base_url is not None and url_secrets(base_url):
        raise ScaleError(
            f"Workers are told no credentials, and {masked_url(base_url)} has some: give the address without them, and "
            "each worker the key in its environment."
        )
