"""Name a thing of a library the way the file does, and import what it does not import yet.

In: a module and dotted names, e.g. `datetime.timedelta`. Out: the text that means it there, and the imports to add.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from firstfault.fixes._style import Statement, add_import, lines_of, spaced, with_lines
from firstfault.fixes._walk import import_name, parameter_list, walk

# `import torch` brings these along
_WITH_TORCH = frozenset(
    {"torch", "torch.cuda", "torch.distributed", "torch.multiprocessing", "torch.serialization"}
    | {"torch.nn.modules.utils", "torch.utils.data"}
)
# Written as `from a import b` where the file does not have the module
_FROM = frozenset({"torch.utils.data", "accelerate", "torch.distributed.elastic.multiprocessing.errors"})


class Unclear(Exception):
    """The name that an import would bind means something else in the file."""


class Refer:
    """Collects what new code needs; `finish` writes the imports."""

    def __init__(self, module: cst.Module) -> None:
        self._names: dict[str, str] = {}
        self._bound: set[str] = set()
        self._sources: set[str] = set()
        self._plain: set[str] = set()
        self._from: set[tuple[str, str]] = set()
        for statement in module.body:
            if isinstance(statement, cst.SimpleStatementLine):
                for small in statement.body:
                    self._learn(small)
        for node in walk(module):
            self._bind(node)

    def to(self, *dotted: str) -> str:
        """Return how the file writes a thing that has one or more full names.

        Raises `Unclear` when it cannot be written without breaking another name.
        """
        for wanted in dotted:
            for name, meaning in self._names.items():
                if meaning == wanted and name not in self._bound:
                    return name
        for wanted in dotted:
            owner, _, last = wanted.rpartition(".")
            for name, meaning in self._names.items():
                if meaning == owner and name not in self._bound:
                    return f"{name}.{last}"
        return self._imported(dotted[0])

    def _imported(self, dotted: str) -> str:
        module, _, name = dotted.rpartition(".")
        torch = next((n for n, meaning in self._names.items() if meaning == "torch" and n not in self._bound), None)
        if module in self._sources or (module in _FROM and (module not in _WITH_TORCH or torch is None)):
            self._free(name)
            self._from.add((module, name))
            return name
        if {module, dotted} & _WITH_TORCH:
            if torch is None:
                self._free("torch")
                self._plain.add("torch")
            return f"{torch or 'torch'}{dotted.removeprefix('torch')}"
        top = module or dotted
        if top == "os.path":
            top = "os"
        if "." in top:
            raise Unclear(dotted)
        if self._names.get(top) != top or top in self._bound:
            self._free(top)
            self._plain.add(top)
        return dotted

    def _free(self, name: str) -> None:
        if name in self._bound or name in self._names:
            raise Unclear(name)

    def finish(self, module: cst.Module) -> cst.Module:
        """Return the module with the imports that were asked for."""
        for name in sorted(self._plain):
            module = add_import(module, name)
        for source, name in sorted(self._from):
            module = add_from_import(module, source, name)
        return module

    def _learn(self, small: cst.CSTNode) -> None:
        if isinstance(small, cst.Import):
            for alias in small.names:
                name = import_name(alias)
                self._names[name] = _dotted(alias.name) if alias.asname is not None else name
        elif isinstance(small, cst.ImportFrom) and not isinstance(small.names, cst.ImportStar) and not small.relative:
            self._sources.add(_dotted(small.module))
            for alias in small.names:
                self._names[import_name(alias)] = f"{_dotted(small.module)}.{_dotted(alias.name)}"

    def _bind(self, node: cst.CSTNode) -> None:
        """Learn the names that the file binds by other means than an import at its top."""
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            self._bound.add(node.name.value)
        if isinstance(node, cst.FunctionDef):
            self._bound.update(p.name.value for p in parameter_list(node.params))
        if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.CompFor, cst.NamedExpr)):
            self._bound.update(n.value for n in _plain_names(node.target))
        elif isinstance(node, cst.AsName):
            self._bound.update(n.value for n in _plain_names(node.name) if n.value not in self._names)


def _plain_names(target: cst.CSTNode) -> Sequence[cst.Name]:
    """Return the names that a target binds, not those that it reads."""
    if isinstance(target, cst.Name):
        return [target]
    if isinstance(target, (cst.Tuple, cst.List)):
        return [name for element in target.elements for name in _plain_names(element.value)]
    return []


def _dotted(node: cst.CSTNode | None) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def add_from_import(module: cst.Module, source: str, name: str) -> cst.Module:
    """Add a name to the file's `from source import ...`, or such a line after its last import."""
    body = list(module.body)
    last = -1
    for index, statement in enumerate(body):
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
            continue
        small = statement.body[0]
        if isinstance(small, (cst.Import, cst.ImportFrom)):
            last = index
        if isinstance(small, cst.ImportFrom) and not small.relative and _dotted(small.module) == source:
            body[index] = statement.with_changes(body=[_longer(small, name)])
            return module.with_changes(body=body)
    new = cst.parse_statement(f"from {source} import {name}", config=module.config_for_parsing)
    assert isinstance(new, cst.SimpleStatementLine)
    if last < 0:
        return add_from_import_first(module, new)
    return module.with_changes(body=[*body[: last + 1], new, *body[last + 1 :]])


def add_from_import_first(module: cst.Module, new: cst.SimpleStatementLine) -> cst.Module:
    """Put an import above the first statement of a file that has none."""
    body: list[Statement] = list(module.body)
    at = 1 if module.get_docstring() is not None else 0
    if at < len(body):
        body[at] = with_lines(body[at], spaced(lines_of(body[at]), 1, 2))
    return module.with_changes(body=[*body[:at], new, *body[at:]])


def _longer(small: cst.ImportFrom, name: str) -> cst.ImportFrom:
    """Return an import of one name more, in the style of the others."""
    if isinstance(small.names, cst.ImportStar):
        return small
    *others, last = small.names
    new = cst.ImportAlias(name=cst.Name(name), comma=last.comma)
    gap = others[-1].comma if others else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    return small.with_changes(names=[*others, last.with_changes(comma=gap), new])
