"""The page of a failure and the search for it."""

from dataclasses import replace

import pytest

from firstfault import catalogue, pages
from firstfault.catalogue import Catalogue
from firstfault.signature import Code, Ignore, Match, Pattern, Signal, Signature, Verify

HEADINGS = [
    "What it means",
    "Mechanism",
    "What you will see",
    "How to confirm",
    "Fix",
    "Verify",
    "Prevention",
    "On call",
    "Alert on",
    "Related",
    "References",
    "Versions",
]
SHORT = Signature(
    id="storage/disk-full",
    title="The disk is full",
    provenance="run",
    meaning="Nothing more fits on the disk.",
    fix=("Delete old checkpoints.",),
    references=(),
)
PICKLE = Signature(
    id="process/unpicklable",
    title="Object cannot be sent to a process",
    provenance="source",
    meaning="The {kind} cannot be pickled; see `{{}}` and `type({kind})`.",
    mechanism="Spawn pickles the arguments.",
    observe="The run ends at once.",
    confirm="Pickle it yourself.",
    fix=("Create the {kind} in the worker.", "Try again."),
    fix_for={"zeta": ("Ask zeta.",), "lightning": ("Use `ddp`.",), "pytorch": ("Use spawn.",)},
    code=Code(before="\nlock = Lock()\n", after="lock = None  # ```\n"),
    verify=Verify("python -c 'print({{}})' {kind}", "an error about {kind}", "nothing"),
    prevention=("Keep handles out of datasets.",),
    on_call="Nothing is lost.",
    references=("https://docs.python.org/3/library/pickle.html",),
    related=("storage/disk-full",),
    versions="All of them.",
    search=("pickle multiprocessing objects",),
    patterns=(
        Pattern(r"cannot pickle '(?P<kind>[^']+)' object", "initiator"),
        Pattern(r"a `clue` only", "context"),
    ),
    signals=(Signal("popen_spawn", "present", "arguments are pickled"), Signal("popen_fork", "absent", "fork")),
    matches=(Match("TypeError: cannot pickle 'lock' object", {"kind": "lock"}), Match("a `clue` only")),
    ignores=(Ignore("cannot pickle", "no object"),),
)
FULL = Signature(
    id="storage/enospc",
    title="No space left",
    provenance="run",
    meaning="The file system is full.",
    fix=("Free some space.",),
    references=(),
    patterns=(Pattern(r"No space left on device", "initiator"),),
    matches=(Match("OSError: [Errno 28] No space left on device"),),
    ignores=(Ignore("disk usage 80 %", "still fits"),),
)
SMALL = Catalogue([SHORT, PICKLE, FULL])


def headings(page: str) -> list[str]:
    return [line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")]


def test_a_whole_page_has_every_heading_in_order() -> None:
    assert headings(pages.page(PICKLE)) == HEADINGS


def test_a_short_page_leaves_empty_headings_out() -> None:
    assert headings(pages.page(SHORT)) == ["What it means", "Fix"]


def test_page_text() -> None:
    page = pages.page(PICKLE)
    assert page.startswith("# Object cannot be sent to a process\n\n`process/unpicklable` – read in the source")
    assert "The *kind* cannot be pickled; see `{}` and `type(<kind>)`." in page
    assert "```text\nTypeError: cannot pickle 'lock' object\n\na `clue` only\n```" in page
    assert "- Speaks for it in the log: `popen_spawn` (arguments are pickled)." in page
    assert "1. Create the *kind* in the worker.\n2. Try again." in page
    assert page.index("### Plain PyTorch") < page.index("### Lightning") < page.index("### zeta")
    assert "### Before\n\n```python\nlock = Lock()\n```\n\n### After\n\n````python\nlock = None  # ```\n````" in page
    assert "```sh\npython -c 'print({})' <kind>\n```" in page
    assert "- Broken: an error about *kind*\n- Fixed: nothing" in page
    assert "Text `cannot pickle '`, regular expression `cannot pickle '(?P<kind>[^']+)' object`" in page
    assert "clue` only``" not in page, "a context pattern is nothing to alert on"
    assert "- <https://docs.python.org/3/library/pickle.html>" in page


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("process/unpicklable", "process/unpicklable"),
        ("  PROCESS/Unpicklable ", "process/unpicklable"),
        ("disk full", "storage/disk-full"),
        ("the disk is full!", "storage/disk-full"),
        ("RuntimeError: can\N{RIGHT SINGLE QUOTATION MARK}t pickle multiprocessing objects", "process/unpicklable"),
        ("[rank3]: OSError: [Errno 28] No space left on device: 'the disk is full'", "storage/enospc"),
        ("which spawn arguments", "process/unpicklable"),
        ("free space", "storage/enospc"),
    ],
)
def test_search_finds(query: str, first: str) -> None:
    assert pages.search(query, SMALL)[0].id == first


@pytest.mark.parametrize("query", ["", "...", "the of", "quantum chromodynamics lattice"])
def test_search_finds_nothing(query: str) -> None:
    assert pages.search(query, SMALL) == []


def test_an_id_stands_alone_and_words_rank() -> None:
    assert len(pages.search("storage/enospc", SMALL)) == 1
    assert [s.id for s in pages.search("disk space full", SMALL)] == ["storage/disk-full", "storage/enospc"]


def test_examples_that_agree_have_no_faults() -> None:
    assert [fault for s in SMALL.values() for fault in pages.example_faults(s)] == []


def test_examples_that_disagree() -> None:
    broken = replace(
        PICKLE,
        matches=(Match("TypeError: cannot pickle 'lock' object", {"kind": "file"}), Match("something else")),
        ignores=(Ignore("cannot pickle 'generator' object", "not innocent"),),
    )
    assert list(pages.example_faults(broken)) == [
        "no [[matches]] shows 'a `clue` only'",
        "\"TypeError: cannot pickle 'lock' object\" gives kind = 'lock', not 'file'",
        "no pattern matches 'something else'",
        "matches the innocent text \"cannot pickle 'generator' object\"",
    ]
    assert "at least one real text" in next(pages.example_faults(replace(FULL, matches=())))


def test_every_page_renders_and_is_found_by_its_title() -> None:
    everything = catalogue.builtin()
    for identifier, signature in everything.items():
        found = headings(pages.page(signature))
        assert found == [heading for heading in HEADINGS if heading in found], identifier
        assert identifier in {s.id for s in pages.search(signature.title, everything)}, identifier


def test_a_merged_id_leads_to_the_page_that_answers_it() -> None:
    found = pages.search("framework/lightning-cuda-initialised", catalogue.builtin())
    assert [s.id for s in found] == ["process/cuda-in-forked-child"]


def test_the_message_that_only_the_web_knows_leads_to_its_family() -> None:
    found = pages.search("RuntimeError: can't pickle multiprocessing objects", catalogue.builtin())
    assert found[0].area == "process"
