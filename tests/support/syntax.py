"""Modules as Python reads them: parsing the whole package takes seconds, and several tests look through it."""

import ast
from functools import cache


@cache
def nodes(source: str) -> tuple[ast.AST, ...]:
    """All nodes of a module's syntax tree, from its root down; each source is parsed once in a process."""
    return tuple(ast.walk(ast.parse(source)))
