"""Packaged data and its loaders: concepts, presets, prompts, lexicons.

The ground floor beside `records`: it reads files of this package and knows nothing else of the program.
"""

from voirdire.data._prompts import Prompt, load_prompt, own_prompts, parse_own
from voirdire.data._resources import PackagedDataError, names, read_text

__all__ = ["PackagedDataError", "Prompt", "load_prompt", "names", "own_prompts", "parse_own", "read_text"]
