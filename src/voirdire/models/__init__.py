"""From a spec ("provider/name") to a model that can be called.

Importing this package is cheap: the libraries that talk to providers are loaded when a model is opened.
"""

from voirdire.models.base import Model, ModelError, ModelOptions, SpecError
from voirdire.models.batch import Batching, BatchRecord, Ledger, Pace, batch_discount, check_batched
from voirdire.models.prices import price_of, price_usd, prices_assumed
from voirdire.models.registry import CheckResult, ModelEntry, check, check_async, list_models, open_model, register
from voirdire.models.simulated import simulated_role
from voirdire.models.specs import Spec, parse_spec

__all__ = [
    "BatchRecord",
    "Batching",
    "CheckResult",
    "Ledger",
    "Model",
    "ModelEntry",
    "ModelError",
    "ModelOptions",
    "Pace",
    "Spec",
    "SpecError",
    "batch_discount",
    "check",
    "check_async",
    "check_batched",
    "list_models",
    "open_model",
    "parse_spec",
    "price_of",
    "price_usd",
    "prices_assumed",
    "register",
    "simulated_role",
]
