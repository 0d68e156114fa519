"""Which code starts processes: directly, by iterating a DataLoader with workers, or by calling code that does.

In: a module. Out: a `Starts` that answers for one top-level statement. A *carrier* is a value that starts processes
when it is used: a DataLoader with workers, HF's `Trainer(args with dataloader_num_workers=4)`, an object of a class
whose methods start some.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import _calls
from firstfault.fixes._names import CONTEXT, Names
from firstfault.fixes._walk import runs_at_once, walk

_PROCESSES = ("Process", "Pool", "Manager", "spawn", "start_processes", "SpawnContext")
STARTING = frozenset(
    {f"{module}.{name}" for module in ("multiprocessing", CONTEXT) for name in _PROCESSES}
    | {
        "concurrent.futures.ProcessPoolExecutor",
        "torch_xla.distributed.xla_multiprocessing.spawn",
        "torch_xla.launch",
        "pebble.ProcessPool",
    }
)
# Taking a carrier, these start nothing
_HARMLESS = frozenset({"len", "print", "isinstance", "type", "id", "repr", "str", "hasattr", "append", "info", "debug"})
# These wrap a carrier: what they return is one
_WRAPPING = frozenset({"prepare", "setup", "setup_dataloaders", "prepare_data_loader", "cycle", "dict", "zip"})
# Called on a carrier, these use it
_USING = frozenset({"fit", "train", "evaluate", "predict", "test", "validate", "start", "run", "tune", "__iter__"})


class Starts:
    """Know a module's functions and values that start processes."""

    def __init__(self, module: cst.Module, names: Names) -> None:
        self.names = names
        self.known = _calls.constants(module)
        self.functions: set[str] = set()
        self.makers: set[str] = set()
        self.methods: set[str] = set()
        self.attributes: set[str] = set()
        self.top: frozenset[str] = frozenset()
        self._module = module
        self._classes = [node for node in walk(module) if isinstance(node, cst.ClassDef)]
        self._methods = {node: [n for n in node.body.body if isinstance(n, cst.FunctionDef)] for node in self._classes}
        in_classes = {method for methods in self._methods.values() for method in methods}
        self._functions = [n for n in walk(module) if isinstance(n, cst.FunctionDef) and n not in in_classes]
        self.learn()

    def learn(self) -> None:
        """Follow calls and assignments until nothing new is found."""
        before = -1
        while before != (before := self._size()):
            self.top = self.carriers(self._module)
            for node in self._classes:
                self._learn_class(node)
            for function in self._functions:
                held = self.carriers(function)
                if self.starts(function.body, held):
                    self.functions.add(function.name.value)
                if self._returns_carrier(function, held):
                    self.makers.add(function.name.value)

    def starts(self, node: cst.CSTNode, carriers: frozenset[str] | None = None) -> bool:
        """Tell whether reaching a statement starts processes."""
        held = self.top if carriers is None else carriers
        return any(self._starts_here(n, held) for n in walk(node, runs_at_once))

    def carriers(self, node: cst.CSTNode) -> frozenset[str]:
        """Return the names that hold carriers in a function or at module level."""
        found = frozenset(self.top | self.attributes)
        for n in walk(node, runs_at_once):
            if isinstance(n, cst.Assign) and self._carries(n.value, found):
                found |= {name for target in n.targets for name in _target_names(target.target)}
            elif isinstance(n, cst.AnnAssign) and n.value is not None and self._carries(n.value, found):
                found |= set(_target_names(n.target))
        return found

    def _size(self) -> int:
        return sum(map(len, (self.functions, self.makers, self.methods, self.attributes, self.top)))

    def _returns_carrier(self, function: cst.FunctionDef, held: frozenset[str]) -> bool:
        values = (n.value for n in walk(function.body, runs_at_once) if isinstance(n, (cst.Return, cst.Yield)))
        return any(isinstance(value, cst.BaseExpression) and self._carries(value, held) for value in values)

    def _learn_class(self, node: cst.ClassDef) -> None:
        """Learn which methods start processes or return a loader; an object of such a class is a carrier."""
        held = {method: self.carriers(method) for method in self._methods[node]}
        for method, carriers in held.items():
            self.attributes.update(name for name in carriers if name.startswith("self."))
            if self.starts(method.body, carriers):
                self.makers.add(node.name.value)
                (self.functions if method.name.value == "__init__" else self.methods).add(
                    node.name.value if method.name.value == "__init__" else method.name.value
                )
            elif self._returns_carrier(method, carriers):
                self.makers.update((node.name.value, f".{method.name.value}"))
        if any(self.names.dotted(base.value) in STARTING for base in node.bases):
            self.makers.add(node.name.value)

    def _starts_here(self, node: cst.CSTNode, carriers: frozenset[str]) -> bool:
        """Tell whether this one node starts processes, what is below it left aside."""
        if isinstance(node, (cst.For, cst.CompFor)):
            return any(self._carries(n, carriers) for n in _iterated(node.iter))
        if isinstance(node, cst.Call):
            return self._call_starts(node, carriers)
        return False

    def _call_starts(self, call: cst.Call, carriers: frozenset[str]) -> bool:
        callee = _last(call.func)
        if self.names.dotted(call.func) in STARTING:
            return True
        if isinstance(call.func, cst.Name) and callee in self.functions:
            return True
        if any(isinstance(arg.value, cst.Name) and arg.value.value in self.functions for arg in call.args):
            return True
        if isinstance(call.func, cst.Attribute) and (callee in _USING or callee in self.methods):
            return self._carries(call.func.value, carriers) or self._takes_carrier(call, carriers)
        if callee in _HARMLESS or callee in _WRAPPING or callee[:1].isupper() or self.names.is_dataloader(call):
            return False
        return self._takes_carrier(call, carriers)

    def _takes_carrier(self, call: cst.Call, carriers: frozenset[str]) -> bool:
        return any(self._carries(arg.value, carriers) for arg in call.args)

    def _carries(self, node: cst.BaseExpression, carriers: frozenset[str]) -> bool:
        """Tell whether an expression's value is a carrier or holds one."""
        if isinstance(node, cst.Name):
            return node.value in carriers
        if isinstance(node, cst.Attribute):
            return isinstance(node.value, cst.Name) and f"{node.value.value}.{node.attr.value}" in carriers
        if isinstance(node, cst.Subscript):
            return self._carries(node.value, carriers)
        if isinstance(node, cst.Call):
            return self._call_carries(node, carriers)
        return any(self._carries(part, carriers) for part in _parts(node))

    def _call_carries(self, call: cst.Call, carriers: frozenset[str]) -> bool:
        if self.names.is_dataloader(call):
            return self._has_workers(call)
        callee = _last(call.func)
        if isinstance(call.func, cst.Name) and callee in self.makers:
            return True
        workers = _calls.argument(call, "dataloader_num_workers")
        if workers is not None and _calls.positive(workers.value, self.known) is not False:
            return True
        strategy = _calls.argument(call, "strategy")
        if strategy is not None and isinstance(strategy.value, cst.SimpleString):
            return "spawn" in str(strategy.value.evaluated_value)
        if callee in _WRAPPING or callee[:1].isupper():
            return self._takes_carrier(call, carriers)
        return isinstance(call.func, cst.Attribute) and self._carries_method(call.func, carriers)

    def _carries_method(self, func: cst.Attribute, carriers: frozenset[str]) -> bool:
        """Tell whether `loaders.items()` or `data.train_dataloader()` gives carriers."""
        name = func.attr.value
        wanted = name in {"items", "values", "get"} or f".{name}" in self.makers
        return wanted and self._carries(func.value, carriers)

    def _has_workers(self, call: cst.Call) -> bool:
        """Tell whether a DataLoader has workers; an unknown number counts, `**kwargs` alone does not."""
        workers = _calls.loader_argument(call, "num_workers")
        if workers is not None:
            return _calls.positive(workers.value, self.known) is not False
        for arg in call.args:
            if arg.star == "**" and isinstance(arg.value, cst.Name) and arg.value.value in self.known:
                value = self.known[arg.value.value]
                return any(_named(n, "num_workers") for n in walk(value))
        return False


def _named(node: cst.CSTNode, key: str) -> bool:
    """Tell whether a node is the key of a dict display or a keyword of `dict()`."""
    if isinstance(node, cst.Arg):
        return node.keyword is not None and node.keyword.value == key
    return isinstance(node, cst.SimpleString) and node.evaluated_value == key


def _iterated(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Yield what a loop goes over: itself and the arguments of `enumerate`, `tqdm`, `zip` ..., not of `len`."""
    yield node
    if isinstance(node, cst.Call) and _last(node.func) not in {"len", "range"}:
        for arg in node.args:
            yield from _iterated(arg.value)


def _parts(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Yield the values that a display, a comprehension or a choice may hold."""
    if isinstance(node, (cst.Tuple, cst.List, cst.Dict)):
        yield from (element.value for element in node.elements)
    elif isinstance(node, cst.ListComp):
        yield node.elt
    elif isinstance(node, cst.DictComp):
        yield node.value
    elif isinstance(node, cst.IfExp):
        yield from (node.body, node.orelse)


def _target_names(target: cst.BaseExpression) -> Iterator[str]:
    """Yield the names that an assignment binds, `self.x` as one name."""
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, cst.Attribute) and isinstance(target.value, cst.Name):
        yield f"{target.value.value}.{target.attr.value}"
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _target_names(element.value)


def _last(node: cst.CSTNode) -> str:
    """Return the last part of a dotted name."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""
