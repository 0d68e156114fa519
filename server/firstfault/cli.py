"""The command line: `firstfault diagnose`, `explain` and their like; `parser` lists them all."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from firstfault import (
    __version__,
    analysis,
    bar,
    catalogue,
    cluster,
    drafting,
    environment,
    evidence_file,
    fixes,
    following,
    lint,
    pages,
    report,
)
from firstfault.attribution.case import RunFacts
from firstfault.catalogue import Catalogue
from firstfault.diagnosis import Diagnosis
from firstfault.errors import FirstfaultError
from firstfault.extraction import Watch
from firstfault.lint import output
from firstfault.model import Evidence

CUSTOM = Path(".firstfault", "signatures")
FORMATS: dict[str, Callable[[Diagnosis], str]] = {
    "text": report.text,
    "json": lambda d: json.dumps(d.as_json(), indent=1) + "\n",
    "markdown": report.markdown,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 2 for what the user can repair, said in one line."""
    options = parser().parse_args(arguments)
    if sys.stdout is None:
        print("firstfault: standard output is closed, so there is nowhere to write the answer", file=sys.stderr)
        return 2
    try:
        code = int(options.run(options))
        sys.stdout.flush()
    except FirstfaultError as error:
        print(f"firstfault: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output has gone, e.g. `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:  # e.g. no space left where the output goes
        print(f"firstfault: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        return 2
    return code


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = argparse.ArgumentParser(prog="firstfault", description="Name the rank that broke a distributed run, and why.")
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(dest="name", required=True, metavar="COMMAND")
    _diagnose_options(commands.add_parser("diagnose", help="say what broke the run whose text this is"))
    sub = commands.add_parser("extract", help="read logs where they are and write small evidence for `diagnose`")
    sub.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    sub.add_argument("-o", "--output", required=True, type=Path, metavar="EVIDENCE.json")
    sub.set_defaults(run=extract)
    sub = commands.add_parser("explain", help="show the page of a failure, by its id or any words of it")
    sub.add_argument("query", nargs="+", metavar="ID|TEXT")
    sub.set_defaults(run=explain)
    sub = commands.add_parser("list", help="list all failures that are known")
    sub.add_argument("--area", help="only this area, e.g. process")
    sub.set_defaults(run=list_all)
    sub = commands.add_parser("check-signatures", help="check signatures of your own")
    sub.add_argument("folder", type=Path, metavar="DIR")
    sub.set_defaults(run=check_signatures)
    sub = commands.add_parser("new-signature", help="draft a signature of your own from a line of a log")
    sub.add_argument("--from", required=True, dest="place", metavar="LOG:LINE")
    sub.add_argument(
        "--id", metavar="AREA/SLUG", help="what to call it, e.g. data/licence-server; else own/<its words>"
    )
    sub.set_defaults(run=new_signature)
    sub = commands.add_parser("fix", help="edit the code: in place, or as a diff")
    sub.add_argument("id", metavar="ID")
    sub.add_argument("target", metavar="FILE[:LINE]")
    sub.add_argument("--diff", action="store_true", help="print the edit and leave the file alone")
    sub.set_defaults(run=fix)
    sub = commands.add_parser(
        "lint", help="find what will break a run before it starts; exit with 1 when there is some"
    )
    sub.add_argument("paths", nargs="+", type=Path, metavar="FILE")
    sub.add_argument("--format", choices=["text", "json", "sarif"], default="text")
    sub.set_defaults(run=lint_files)
    sub = commands.add_parser("environment", help="show what of this machine decides a fix")
    sub.set_defaults(run=show_environment)
    commands.add_parser("lsp", help="serve an editor over standard input and output").set_defaults(run=lsp)
    return top


def _diagnose_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "paths", nargs="*", default=["-"], metavar="PATH|-", help="files, folders, or - for standard input"
    )
    sub.add_argument("--format", choices=list(FORMATS), default="text")
    sub.add_argument("--run-exit-code", type=int, metavar="N", help="the exit code of the run, when you know it")
    sub.add_argument("--command", metavar="CMD", help="the command that was run")
    sub.add_argument("--cwd", type=Path, metavar="DIR", help="the folder it was run in")
    sub.add_argument("--follow", action="store_true", help="watch a run that is still going, until interrupted")
    sub.add_argument(
        "--silent-after",
        type=float,
        default=following.SILENT,
        metavar="SECONDS",
        help="with --follow: report a hang when all ranks wrote nothing for so long (default: %(default)g)",
    )
    sub.add_argument("--engine", metavar="dask://HOST:PORT", help="read on a cluster (the extra firstfault[cluster])")
    sub.add_argument("--check", action="store_true", help="exit with 1 unless nothing failed")
    sub.set_defaults(run=diagnose)


def _signatures() -> Catalogue:
    """Return the catalogue, with the user's own signatures of this folder where there are some."""
    return catalogue.with_custom(CUSTOM) if CUSTOM.is_dir() else catalogue.builtin()


def diagnose(options: argparse.Namespace) -> int:
    """Print the answer."""
    signatures = _signatures()
    facts = RunFacts(options.run_exit_code, options.command, options.cwd)
    if options.follow:
        return _follow(options, signatures)
    diagnosis = analysis.conclude(_evidence(options, signatures), signatures, facts)
    sys.stdout.write(FORMATS[options.format](diagnosis))
    return int(options.check and diagnosis.verdict != "no_failure")


def _follow(options: argparse.Namespace, signatures: Catalogue) -> int:
    """Tell what fails in a run that is still going, until interrupted."""
    paths = tuple(map(Path, options.paths))
    if "-" in options.paths:
        raise FirstfaultError("--follow needs files or folders; standard input ends by itself")
    request = analysis.Request(paths, exit_code=options.run_exit_code, command=options.command, cwd=options.cwd)
    for sentence in following.follow(request, signatures, following.Pace(options.silent_after)):
        print(f"{datetime.now():%H:%M:%S} {sentence}", flush=True)
    return 0


def _evidence(options: argparse.Namespace, signatures: Catalogue) -> Evidence:
    """Read files, folders and standard input, or evidence that was read elsewhere."""
    paths: Sequence[str] = options.paths
    if "" in paths:
        raise FirstfaultError("an empty path was given; is a variable not set?")
    if "-" in paths and sys.stdin is None:
        raise FirstfaultError("standard input is closed; name a file or a folder")
    if options.engine:
        return cluster.extract_on_cluster(list(paths), options.engine, signatures, Watch())
    given = [Path(p) for p in paths if p != "-"]
    ready = [p for p in given if evidence_file.is_evidence(p)]
    raw = tuple(p for p in given if p not in ready)
    parts = [evidence_file.read(p) for p in ready]
    if raw or "-" in paths:
        stream = sys.stdin.buffer if "-" in paths else None
        with bar.shown() as onlooker:
            parts.append(analysis.read(analysis.Request(raw, stream=stream), signatures, onlooker))
    return parts[0] if len(parts) == 1 else evidence_file.merge(parts)


def extract(options: argparse.Namespace) -> int:
    """Write the evidence of logs to a file."""
    if any(path.exists() and options.output.exists() and path.samefile(options.output) for path in options.paths):
        raise FirstfaultError(f"{options.output}: would overwrite a log that is to be read; name another file with -o")
    with bar.shown() as onlooker:
        evidence = analysis.read(analysis.Request(tuple(options.paths)), _signatures(), onlooker)
    evidence_file.write(evidence, options.output)
    return 0


def explain(options: argparse.Namespace) -> int:
    """Print the page of the failure that fits best, and name the next ones."""
    query = " ".join(options.query)
    found = pages.search(query, _signatures())
    if not found:
        raise FirstfaultError(f"nothing is known about {query!r}; `firstfault list` shows all failures")
    sys.stdout.write(pages.page(found[0]))
    if len(found) > 1:
        print("\nAlso: " + ", ".join(s.id for s in found[1:6]))
    return 0


def list_all(options: argparse.Namespace) -> int:
    """Print ids and titles."""
    rows = [s for s in _signatures().values() if options.area in (None, s.area)]
    if not rows:
        raise FirstfaultError(f"no area {options.area!r}; `firstfault list` without --area shows all")
    width = max(len(s.id) for s in rows)
    for signature in rows:
        print(f"{signature.id:{width}}  {signature.title}")
    return 0


def check_signatures(options: argparse.Namespace) -> int:
    """Check a folder of signatures by their own examples."""
    checked = catalogue.read_folder(options.folder)
    if not checked:
        raise FirstfaultError(f"{options.folder}: no signature in this folder; they are <area>/<slug>.toml files")
    faults = [f"{s.id}: {fault}" for s in checked for fault in pages.example_faults(s)]
    if faults:
        raise FirstfaultError("; ".join(faults))
    print(f"{len(checked)} signatures are in order")
    return 0


def new_signature(options: argparse.Namespace) -> int:
    """Write a draft below the user's own signatures and say where."""
    path = drafting.write(options.place, options.id, CUSTOM, _signatures())
    print(f"{path}: fill in the TODOs, then run: firstfault check-signatures {CUSTOM}")
    return 0


def show_environment(_options: argparse.Namespace) -> int:
    """Print the facts of this machine."""
    for sentence in environment.read().facts().values():
        print(sentence)
    return 0


def fix(options: argparse.Namespace) -> int:
    """Edit a file, or print what the edit would be."""
    name, _, line = options.target.rpartition(":")
    path, number = (Path(name), int(line)) if name and line.isdecimal() else (Path(options.target), None)
    try:
        old = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FirstfaultError(f"{path}: cannot be read: {error}") from error
    new = fixes.apply(options.id, old, number)
    if new == old:
        raise FirstfaultError(f"{path}: {options.id} does not apply here, nothing was changed")
    if options.diff:
        lines = difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(path), str(path))
        sys.stdout.writelines(lines)
    else:
        path.write_bytes(new.encode("utf-8"))
        print(f"{path}: {fixes.describe(options.id).title}")
    return 0


def lint_files(options: argparse.Namespace) -> int:
    """Print what is wrong in Python files, or in those of folders."""
    files = [f for path in options.paths for f in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    found = {file: _linted(file) for file in files}
    shown = {"text": output.text, "json": output.as_json, "sarif": output.sarif}[options.format]
    sys.stdout.write(shown(found))
    return int(any(found.values()))


def _linted(file: Path) -> list[lint.Finding]:
    try:
        return lint.lint(file.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise FirstfaultError(f"{file}: cannot be read: {error}") from error
    except FirstfaultError as error:
        raise FirstfaultError(f"{file}: {error}") from error


def lsp(_options: argparse.Namespace) -> int:
    """Serve an editor. Imported here, for the protocol's library is slow to import."""
    from firstfault.lsp import server  # noqa: PLC0415

    server.main()
    return 0
