"""Files of others, read without trusting them: bounded in size and depth, and never more than plain data.

Every function raises `UntrustedError`, whose text goes on a sentence that the caller begins ("The preset x.yaml …").
"""

from voirdire.data.untrusted._errors import UntrustedError
from voirdire.data.untrusted._files import plain_path, read_bytes, read_text, text_of
from voirdire.data.untrusted._json import json_of
from voirdire.data.untrusted._yaml import MAX_DEPTH, MAX_NODES, yaml_of

__all__ = [
    "MAX_DEPTH",
    "MAX_NODES",
    "UntrustedError",
    "json_of",
    "plain_path",
    "read_bytes",
    "read_text",
    "text_of",
    "yaml_of",
]
