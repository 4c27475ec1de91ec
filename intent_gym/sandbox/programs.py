"""Finding the program in the code blocks of an answer, by its syntax tree. Standard library only.

Runs in the child: parsing is the first thing that a hostile text can attack. The whole block is kept, helpers,
constants and imports included, and nothing is renamed: the name that is called is looked up in the module that the
block makes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

__all__ = ["bound_names", "find_function", "find_script"]


def parsed(text: str) -> ast.Module | None:
    """Return the tree of a program, or None if it is no Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def bound_names(body: Iterable[ast.stmt]) -> set[str]:
    r"""Return what statements bind at their level, functions of a class as ``Class.function``.

    >>> sorted(bound_names(ast.parse("import math as m\nif m:\n    f = g = abs\nclass A:\n    def h(_): 0").body))
    ['A', 'A.h', 'f', 'g', 'm']
    """
    found: set[str] = set()
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            found.add(node.name)
            found.update(f"{node.name}.{name}" for name in bound_names(node.body))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        else:
            for inner in ast.iter_child_nodes(node):
                if isinstance(inner, ast.stmt):
                    found |= bound_names([inner])
                elif isinstance(inner, (ast.expr, ast.ExceptHandler)):
                    found.update(n.id for n in ast.walk(inner) if isinstance(n, ast.Name) and _stores(n))
                    found |= bound_names(s for s in ast.iter_child_nodes(inner) if isinstance(s, ast.stmt))
    return found


def _stores(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def find_function(blocks: Sequence[str], names: Sequence[str], prompt: str = "") -> tuple[list[str], str] | None:
    """Return the programs to run, one after the other in one module, and the name to call; None if there is none.

    The last block that binds one of the names counts. Where none does and there is a prompt, which ends in the head of
    the function, the last block that continues it counts: a body, whose first line may have lost its indentation.

    Args:
        blocks: Code blocks of the answer in their order.
        names: A function, or "Class.function"; the first that a block binds is called.
        prompt: What the answer continues; its names are in scope in any case.
    """
    for block in reversed(blocks):
        tree = parsed(block)
        if tree is None:
            continue
        bound = bound_names(tree.body)
        for name in names:
            if name in bound:
                return [prompt, block], name
    for block in reversed(blocks) if prompt else ():
        if not block.strip():
            continue
        body = block if block[:1].isspace() else "    " + block if _is_cut(block) else ""
        if body and parsed(prompt + body) is not None:
            return [prompt + body], names[0]
    return None


def _is_cut(block: str) -> bool:
    """Whether a text reads like a body whose first line was stripped: no module, or one that returns."""
    tree = parsed(block)
    return tree is None or any(isinstance(node, ast.Return) for node in tree.body)


def find_script(blocks: Sequence[str]) -> str | None:
    """Return the last block that does something: more than a bare value, as a sample of the output would be."""
    for block in reversed(blocks):
        tree = parsed(block)
        if tree is not None and any(isinstance(node, (ast.Call, ast.FunctionDef)) for node in ast.walk(tree)):
            return block
    return None
