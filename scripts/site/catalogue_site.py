"""Write the catalogue as static pages: one per failure, and a start page that searches them without a server.

    python scripts/site/catalogue_site.py [FOLDER]      # build/docs

Pages name no file outside their folder, so they open from a disk and work offline.
"""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from string import Template

from markdown_it import MarkdownIt

from firstfault import catalogue, pages
from firstfault.literals import required_literals
from firstfault.signature import Signature

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = Template((HERE / "page.html").read_text(encoding="utf-8"))
NAMED_GROUP = re.compile(r"\(\?P<")
ID = re.compile(r"<code>([a-z0-9-]+/[a-z0-9-]+)</code>")


def main(arguments: Sequence[str]) -> int:
    """Write the site and say where it is."""
    folder = Path(arguments[0]) if arguments else ROOT / "build" / "docs"
    signatures = list(catalogue.builtin().values())
    write(folder, signatures)
    print(f"{len(signatures)} pages: {folder / 'index.html'}")
    return 0


def write(folder: Path, signatures: Sequence[Signature]) -> None:
    """Write every page, the start page and the two files that they share."""
    known = {signature.id for signature in signatures}
    for signature in signatures:
        path = folder / f"{signature.id}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(failure(signature, known), encoding="utf-8")
    (folder / "index.html").write_text(start(signatures), encoding="utf-8")
    for name in ("style.css", "search.js"):
        (folder / name).write_text((HERE / name).read_text(encoding="utf-8"), encoding="utf-8")


def failure(signature: Signature, known: set[str]) -> str:
    """Return the page of one failure; ids of others become links."""
    body = MarkdownIt("commonmark", {"html": False}).render(pages.page(signature))
    linked = ID.sub(lambda hit: _link(hit[1]) if hit[1] in known - {signature.id} else hit[0], body)
    home = '<nav><a href="../index.html">All failures</a></nav>'
    return PAGE.substitute(
        title=html.escape(signature.title), root="..", body=home + linked + _alert(signature), script=""
    )


def _link(identifier: str) -> str:
    return f'<a href="../{identifier}.html"><code>{identifier}</code></a>'


def _alert(signature: Signature) -> str:
    """Return what to give to a log alert: the fixed text and the regex of each telling pattern, to copy."""
    rows = [
        f"<p>Plain text</p><pre>{html.escape(chr(10).join(required_literals(p.regex)))}</pre>"
        f"<p>Regular expression</p><pre>{html.escape(p.regex)}</pre>"
        for p in signature.patterns
        if p.role != "context"
    ]
    nothing = "<p>Nothing prints this failure by itself; it is concluded from what all ranks say.</p>"
    return f'<section id="fingerprint"><h2>Fingerprint</h2>{"".join(rows) or nothing}</section>'


def start(signatures: Sequence[Signature]) -> str:
    """Return the start page: the search, and all failures by area."""
    index = json.dumps([_entry(signature) for signature in signatures], ensure_ascii=False, separators=(",", ":"))
    body = (
        "<h1>Failures of distributed training</h1>"
        '<input id="query" type="search" autofocus placeholder="An id, words, or a pasted message" aria-label="Search">'
        f'<ol id="found" hidden></ol><div id="all">{"".join(_areas(signatures))}</div>'
    )
    data = index.replace("</", r"<\/")  # "</script" inside the data would end the element
    script = f'<script>const INDEX={data};</script><script src="search.js"></script>'
    return PAGE.substitute(title="Failures of distributed training", root=".", body=body, script=script)


def _areas(signatures: Sequence[Signature]) -> Iterator[str]:
    for area, members in groupby(sorted(signatures, key=lambda s: s.id), key=lambda s: s.area):
        rows = "".join(
            f'<li><a href="{s.id}.html">{html.escape(s.title)}</a> <code>{s.id}</code></li>' for s in members
        )
        yield f"<h2>{area}</h2><ul>{rows}</ul>"


def _entry(signature: Signature) -> dict[str, object]:
    """Return what the search knows of a failure; its regexes are written as a browser reads them."""
    words = [*signature.search, signature.meaning, *(m.log[:300] for m in signature.matches)]
    regexes = [NAMED_GROUP.sub("(?<", p.regex) for p in signature.patterns if p.role != "context"]
    return {"id": signature.id, "title": signature.title, "words": " ".join(words).lower(), "regexes": regexes}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
