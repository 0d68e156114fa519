"""Start Firstfault out of the extension's folder, with the libraries that lie in `libs` beside this file.

No arguments: the language server. `--probe`: one line of JSON about this Python; `--probe --libraries`: also about the
compiled libraries that it gets, which takes a second. Others: the command line's.
The file must parse on any Python, so that one that is too old is told so in a sentence.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib is not in every Python
# libcst alone can be imported without its compiled half, and cannot parse then
COMPILED = {"hyperscan": "hyperscan", "libcst": "libcst.native", "regex": "regex"}
TOO_OLD = 3  # exit code


def main(arguments):  # type: (list[str]) -> int
    """Refuse a Python that is too old, else run what is asked for."""
    if sys.version_info < (3, 10):  # noqa: UP036 - this is the one place that an older Python reaches
        version = "{}.{}".format(*sys.version_info)
        sys.stderr.write("Firstfault needs Python 3.10 or newer, and this is " + version + ".\n")
        return TOO_OLD
    # Before the interpreter's own packages. The names of compiled files carry the ABI for which they are built, so
    # each CPython finds its own among them, and any other Python finds none.
    sys.path[:0] = [HERE, os.path.join(HERE, "libs")]  # noqa: PTH118
    if arguments[:1] == ["--probe"]:
        return probe("--libraries" in arguments)
    from firstfault import cli  # noqa: PLC0415 - must not be parsed by an older Python

    return cli.main(arguments or ["lsp"])


def probe(libraries):  # type: (bool) -> int
    """Print what this Python is, and, where that is asked for, from where it takes the compiled libraries."""
    import json  # noqa: PLC0415
    import sysconfig  # noqa: PLC0415

    from firstfault import __version__  # noqa: PLC0415

    facts = {
        "firstfault": __version__,
        "version": "{}.{}.{}".format(*sys.version_info),
        "implementation": sys.implementation.name,
        "abi": sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag,
        "platform": sysconfig.get_platform(),
        "executable": sys.executable,
    }
    if libraries:
        facts["libraries"] = {name: located(COMPILED[name]) for name in sorted(COMPILED)}
    print(json.dumps(facts))
    return 0


def located(name):  # type: (str) -> dict[str, str | None]
    """Import a library; tell its folder, or why it cannot be had."""
    import importlib  # noqa: PLC0415

    try:
        found = importlib.import_module(name)
    except ImportError as error:
        return {"path": None, "error": str(error)}
    return {"path": os.path.dirname(str(found.__file__)), "error": None}  # noqa: PTH120


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
