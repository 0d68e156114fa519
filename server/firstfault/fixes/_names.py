"""What a name in the user's file stands for: `mp.Process` of `import torch.multiprocessing as mp`, and so on.

In: a module. Out: dotted names in one spelling, e.g. `torch.multiprocessing.spawn` reads `multiprocessing.spawn`.
"""

from __future__ import annotations

import functools

import libcst as cst

from firstfault.fixes._walk import import_name, walk

DATALOADERS = frozenset(
    {
        "torch.utils.data.DataLoader",
        "torch_geometric.loader.DataLoader",
        "torch_geometric.data.DataLoader",
        "torchdata.stateful_dataloader.StatefulDataLoader",
        "monai.data.DataLoader",
    }
)
# `multiprocessing.context` stands for what get_context() returned
CONTEXT = "multiprocessing.context"
_SAME = (
    ("torch.multiprocessing", "multiprocessing"),
    ("torch.utils.data.dataloader", "torch.utils.data"),
    ("multiprocessing.process", "multiprocessing"),
    ("multiprocessing.pool.Pool", "multiprocessing.Pool"),
    ("torch.multiprocessing.spawn.spawn", "multiprocessing.spawn"),
    ("concurrent.futures.process", "concurrent.futures"),
    ("torchvision.transforms.v2", "torchvision.transforms"),
    ("torchvision.transforms.transforms", "torchvision.transforms"),
)
_STAR = {
    "torch.utils.data": ("DataLoader", "Dataset"),
    "multiprocessing": ("Process", "Pool", "get_context", "set_start_method"),
    "torchvision.transforms": ("Compose", "Lambda"),
}


def same(dotted: str) -> str:
    """Return a dotted name in its one spelling."""
    for spelling, name in _SAME:
        if dotted == spelling or dotted.startswith(spelling + "."):
            dotted = name + dotted[len(spelling) :]
    return dotted


@functools.lru_cache(maxsize=2)
def names_of(module: cst.Module) -> Names:
    """Return a module's names, worked out once for all that ask."""
    return Names(module)


class Names:
    """The meaning of a module's names; scopes are not told apart, and a name with two meanings has none."""

    def __init__(self, module: cst.Module) -> None:
        self._aliases: dict[str, str] = {}
        self._ambiguous: set[str] = set()
        nodes = list(walk(module))
        for node in nodes:
            if isinstance(node, cst.Import):
                self._add_import(node)
            elif isinstance(node, cst.ImportFrom):
                self._add_import_from(node)
        for node in nodes:
            if isinstance(node, cst.Assign) and self._is_get_context(node.value):
                for target in node.targets:
                    self._aliases[self._plain(target.target)] = CONTEXT

    def dotted(self, node: cst.CSTNode) -> str:
        """Return what an expression names; empty when it names nothing."""
        if isinstance(node, cst.Call):
            return CONTEXT if self._is_get_context(node) else ""
        plain = self._plain(node)
        head, _, tail = plain.partition(".")
        if plain in self._aliases:
            return self._aliases[plain]
        if head == "self" and plain.count(".") > 1:
            first, _, last = plain.rpartition(".")
            return f"{self._aliases[first]}.{last}" if first in self._aliases else plain
        if head in self._ambiguous:
            return ""
        if not head and isinstance(node, cst.Attribute):
            inner = self.dotted(node.value)
            return same(f"{inner}.{node.attr.value}") if inner else ""
        return same(f"{self._aliases.get(head, head)}.{tail}") if tail else self._aliases.get(head, head)

    def is_dataloader(self, node: cst.CSTNode) -> bool:
        """Tell whether an expression is a construction of a DataLoader."""
        return isinstance(node, cst.Call) and self.dotted(node.func) in DATALOADERS

    def imported(self, name: str) -> bool:
        """Tell whether imports bind a name, all to the same thing."""
        return name in self._aliases and name not in self._ambiguous

    def local_name(self, dotted: str) -> str | None:
        """Return the name by which the file knows an imported thing."""
        return next((name for name, meaning in self._aliases.items() if meaning == dotted), None)

    def _is_get_context(self, node: cst.CSTNode) -> bool:
        return isinstance(node, cst.Call) and self.dotted(node.func) == "multiprocessing.get_context"

    def _plain(self, node: cst.CSTNode) -> str:
        """Return the text of `a.b.c`; empty for anything else."""
        if isinstance(node, cst.Name):
            return node.value
        if isinstance(node, cst.Attribute):
            value = self._plain(node.value)
            return f"{value}.{node.attr.value}" if value else ""
        return ""

    def _add(self, name: str, meaning: str) -> None:
        meaning = same(meaning)
        if self._aliases.setdefault(name, meaning) != meaning:
            self._ambiguous.add(name)

    def _add_import(self, node: cst.Import) -> None:
        for alias in node.names:
            name = import_name(alias)
            self._add(name, self._plain(alias.name) if alias.asname is not None else name)

    def _add_import_from(self, node: cst.ImportFrom) -> None:
        source = "." * len(node.relative) + (self._plain(node.module) if node.module is not None else "")
        if isinstance(node.names, cst.ImportStar):
            for name in _STAR.get(same(source), ()):
                self._add(name, f"{source}.{name}")
            return
        for alias in node.names:
            self._add(import_name(alias), f"{source}.{self._plain(alias.name)}")
