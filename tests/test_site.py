"""The static catalogue: whole, offline, and searched by a script that runs in any browser."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import catalogue_site
import pytest

from firstfault import catalogue

SIGNATURES = catalogue.builtin()
STUB = """
const elements = {};
const element = (id) => elements[id] ??= {value: "", children: [], hidden: false,
  addEventListener() {}, replaceChildren(...rows) { this.children = rows; },
  append(...parts) { this.parts = parts; }};
globalThis.document = {getElementById: element, createElement: () => ({append(...p) { this.parts = p; }})};
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    catalogue_site.write(folder, list(SIGNATURES.values()))
    return folder


class Links(HTMLParser):
    """Collects what a page loads, and what it links to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src"):
                (self.linked if tag == "a" else self.loaded).append(value or "")


def pages_of(site: Path) -> Iterator[tuple[Path, Links]]:
    for path in site.rglob("*.html"):
        links = Links()
        links.feed(path.read_text(encoding="utf-8"))
        yield path, links


def test_one_page_per_failure_and_nothing_from_outside(site: Path) -> None:
    seen = list(pages_of(site))
    assert len(seen) == len(SIGNATURES) + 1
    for path, links in seen:
        for target in links.loaded:
            assert (path.parent / target).is_file(), f"{path}: {target}"
        for target in links.linked:
            outside = target.startswith(("https://", "mailto:"))
            assert outside or (path.parent / target).is_file(), f"{path}: {target}"


@pytest.mark.parametrize("identifier", ["memory/cuda-oom", "process/pickle-local-object", "process/killed-sigkill"])
def test_a_page_holds_the_whole_failure(site: Path, identifier: str) -> None:
    text = (site / f"{identifier}.html").read_text(encoding="utf-8")
    headings = re.findall(r"<h2>(.*?)</h2>", text)
    assert {"What it means", "How to confirm", "Fix", "On call", "References", "Fingerprint"} <= set(headings)


@pytest.mark.skipif(shutil.which("node") is None, reason="the search is JavaScript")
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("memory/cuda-oom", "memory/cuda-oom"),
        ("RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x15 and 16x32)", "model/shape-matmul"),
        ("OSError: [Errno 28] No space left on device", "storage/enospc"),
        ("fallen off the bus", "hardware/xid-79"),
    ],
)
def test_search(site: Path, query: str, first: str) -> None:
    start = (site / "index.html").read_text(encoding="utf-8")
    data = re.search(r"<script>(const INDEX=.*?)</script>", start, re.DOTALL)
    assert data
    script = (site / "search.js").read_text(encoding="utf-8")
    ask = f'show({json.dumps(query)}); console.log(element("found").children[0].parts[0].href)'
    done = subprocess.run(
        ["node", "-"], input=f"{STUB}{data[1]}{script}{ask}", capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"{first}.html"
