"""What takes more than our own drawing: PNG, and pages whose chart is drawn by Vega-Lite itself (extra `pictures`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import ModuleType
from typing import Any

from voirdire.errors import InputError, not_installed


class PicturesNeeded(InputError):
    """The extra that is needed is not installed."""


def to_png(spec: Mapping[str, Any], scale: float) -> bytes:
    """A Vega-Lite description as a PNG picture, of so many pixels a unit.

    Raises:
        PicturesNeeded: `vl-convert-python` is not installed.
        ValueError: the description would fetch something.
    """
    png: bytes = _vl_convert("A PNG").vegalite_to_png(dict(spec), scale=scale, allowed_base_urls=[])
    return png


def vega_library() -> str:
    """A script that sets `window.vegaEmbed`.

    Raises:
        PicturesNeeded: `vl-convert-python` is not installed.
    """
    return _bundle(_vl_convert("A chart as a page"))


@cache
def _bundle(vl_convert: ModuleType) -> str:
    library: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return library


def _vl_convert(what: str) -> ModuleType:
    try:
        import vl_convert
    except ImportError:
        raise PicturesNeeded(
            f"{not_installed(what, 'vl-convert-python', 'pictures')} An SVG needs nothing more."
        ) from None
    return vl_convert
