"""What a statement does on import: only name a value, change a setting of the process, change an object.

In: one statement or expression. Out: yes, no, or the names concerned.
"""

from __future__ import annotations

import libcst as cst

from firstfault.fixes._names import Names
from firstfault.fixes._walk import runs_at_once, walk

# Calls that only make a value: repeating them in a child costs and changes nothing
_MAKERS = frozenset(
    {"int", "float", "str", "bool", "len", "tuple", "list", "dict", "set", "frozenset", "range", "min", "max", "sum"}
    | {"sorted", "abs", "round", "object", "logging.getLogger", "os.environ.get", "os.getenv", "os.cpu_count"}
    | {"os.path.join", "os.path.dirname", "os.path.abspath", "os.path.basename", "os.path.expanduser"}
    | {"os.path.exists", "pathlib.Path", "torch.device", "torch.cuda.is_available", "re.compile", "enum.Enum"}
    | {"typing.TypeVar", "typing.NewType", "typing.cast", "functools.partial"}
    | {"collections.namedtuple", "collections.defaultdict", "collections.OrderedDict"}
)
_METHODS = frozenset(
    {"split", "rsplit", "format", "join", "strip", "lower", "upper", "replace"}
    | {"resolve", "absolute", "expanduser", "with_suffix", "joinpath", "copy"}
)
_SETTINGS = ("os.environ", "os.putenv", "sys.path", "sys.std", "warnings.", "matplotlib.use", "sys.set", "resource.")
_PATCHES = frozenset({"patch_all", "install", "load_dotenv", "monkey_patch"})


def is_constant(small: cst.BaseSmallStatement, names: Names) -> bool:
    """Tell whether a statement only gives names to values that a child process can make again at no cost."""
    if isinstance(small, cst.Assign):
        return all(_is_plain(target.target) for target in small.targets) and is_pure(small.value, names)
    if isinstance(small, cst.AnnAssign):
        return _is_plain(small.target) and (small.value is None or is_pure(small.value, names))
    if isinstance(small, cst.Expr):
        return isinstance(small.value, (cst.BaseString, cst.Ellipsis))
    return isinstance(small, (cst.Pass, cst.TypeAlias))


def is_pure(node: cst.CSTNode, names: Names) -> bool:
    """Tell whether an expression calls nothing but well-known makers of values."""
    for n in walk(node, runs_at_once):
        if isinstance(n, (cst.Await, cst.Yield, cst.NamedExpr)):
            return False
        if isinstance(n, cst.Call) and names.dotted(n.func) not in _MAKERS:
            is_method = isinstance(n.func, cst.Attribute) and n.func.attr.value in _METHODS
            if not is_method:
                return False
    return True


def changed(node: cst.CSTNode) -> set[str]:
    """Return the names of the objects that a statement may change: `parser` of `parser.add_argument("--lr")`."""
    found: set[str] = set()
    for n in walk(node, runs_at_once):
        if isinstance(n, cst.Call) and isinstance(n.func, cst.Attribute):
            found.add(_root(n.func.value))
        elif isinstance(n, (cst.AssignTarget, cst.AugAssign, cst.Del)) and not isinstance(n.target, cst.Name):
            found.add(_root(n.target))
    return found


def is_setting(node: cst.CSTNode, names: Names) -> bool:
    """Tell whether a statement sets up the process for the imports below it, e.g. `os.environ["OMP_NUM_THREADS"]`."""
    if not isinstance(node, cst.SimpleStatementLine):
        return False
    for n in walk(node):
        if isinstance(n, cst.Call) and isinstance(n.func, cst.Attribute) and n.func.attr.value in _PATCHES:
            return True
        if isinstance(n, (cst.Attribute, cst.Name)) and names.dotted(n).startswith(_SETTINGS):
            return True
    return False


def makes_shared(node: cst.CSTNode, names: Names) -> bool:
    """Tell whether a statement makes queues, locks or the like, whose start method must be set before."""
    return any(
        isinstance(n, cst.Call) and names.dotted(n.func).startswith(("multiprocessing.", "torch.distributed."))
        for n in walk(node, runs_at_once)
    )


def _is_plain(target: cst.BaseExpression) -> bool:
    """Tell whether an assignment's left side is names only."""
    if isinstance(target, (cst.Tuple, cst.List)):
        return all(_is_plain(element.value) for element in target.elements)
    return isinstance(target, cst.Name)


def _root(node: cst.BaseExpression) -> str:
    """Return the first name of `a.b[c].d`."""
    while isinstance(node, (cst.Attribute, cst.Subscript, cst.Call)):
        node = node.func if isinstance(node, cst.Call) else node.value
    return node.value if isinstance(node, cst.Name) else ""
