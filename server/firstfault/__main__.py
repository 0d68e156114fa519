"""Run `python -m firstfault`, the same program as `firstfault`; this file parses on any Python 3."""

import sys


def main():  # type: () -> int
    """Refuse a Python that is too old with one sentence, else run the command line."""
    if sys.version_info < (3, 10):  # noqa: UP036 - this is the one place that an older Python reaches
        version = "{}.{}".format(*sys.version_info)
        sys.stderr.write("Firstfault needs Python 3.10 or newer, and this is " + version + ".\n")
        return 2
    from firstfault import cli  # noqa: PLC0415 - must not be parsed by an older Python

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
