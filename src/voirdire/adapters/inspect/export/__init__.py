"""Our runs as logs that `inspect view` opens and `inspect_ai.log` reads.

from voirdire.adapters.inspect.export import write_eval
write_eval(Path("runs/first"), Path("logs"))
"""

from voirdire.adapters.inspect.export.writer import LogError, write_eval

__all__ = ["LogError", "write_eval"]
