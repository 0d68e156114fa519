"""Every format reads its own samples as they say, and each shape has a sample."""

import pytest

from firstfault import formats
from firstfault.formats import Format, Sample
from firstfault.model import Source
from firstfault.parsing.tagging import Tagger

FORMATS = formats.load()
SAMPLES = [pytest.param(f, s, id=f"{f.name}-{i}") for f in FORMATS for i, s in enumerate(f.samples)]


@pytest.mark.parametrize(("form", "sample"), SAMPLES)
def test_sample(form: Format, sample: Sample) -> None:
    if sample.prefix is not None:
        shape = next(p for p in form.prefixes if p.name == sample.prefix)
        hit = formats.compiled(shape.regex).match(sample.log)
    else:
        hits = {s.kind: h for s in form.notices if (h := formats.compiled(s.regex).search(sample.log))}
        hit = hits.get(sample.notice or "")
    assert hit is not None
    assert {k: hit.groupdict().get(k) for k in sample.fields} == dict(sample.fields)


@pytest.mark.parametrize("form", FORMATS, ids=[f.name for f in FORMATS])
def test_every_shape_has_a_sample(form: Format) -> None:
    logs = [s.log for s in form.samples]
    for prefix in form.prefixes:
        assert any(s.prefix == prefix.name for s in form.samples), prefix.name
    for shape in form.notices:
        assert any(formats.compiled(shape.regex).search(log) for log in logs), shape.regex


@pytest.mark.parametrize("form", FORMATS, ids=[f.name for f in FORMATS])
def test_prefixes_leave_other_formats_samples_alone(form: Format) -> None:
    """A prefix that is no whole text's habit must not eat what another format wrote."""
    for other in FORMATS:
        for sample in other.samples:
            for prefix in form.prefixes:
                if other is not form and not (prefix.most_lines or prefix.counts):
                    hit = formats.compiled(prefix.regex).match(sample.log)
                    taken = hit is not None and hit.end() > 0 and sample.prefix != prefix.name
                    assert not taken, f"{prefix.name} takes {sample.log!r} of {other.name}"


@pytest.mark.parametrize(
    ("line", "rank", "local_rank", "text"),
    [
        ("[default3]:[rank7]: Traceback (most recent call last):", 7, 3, "Traceback (most recent call last):"),
        ("[1,2]<stderr>:[rank2]: KeyError: 'label'", 2, None, "KeyError: 'label'"),
        ("2026-11-30T13:54:33.581447649Z stderr F [rank1]: KeyError: 'x'", 1, None, "KeyError: 'x'"),
        ("[rank: 2] Received SIGTERM: 15", 2, None, "Received SIGTERM: 15"),
        (
            "[pod/job-worker-3/pytorch] 2026-11-30 13:00:00,123 INFO hello",
            None,
            None,
            "2026-11-30 13:00:00,123 INFO hello",
        ),
        ("12: no label, for other lines have none", None, None, "12: no label, for other lines have none"),
    ],
)
def test_prefixes_nest(line: str, rank: int | None, local_rank: int | None, text: str) -> None:
    (tagged,) = Tagger(Source(0, None, "text"), FORMATS, ["hello", "world"]).tag(line)
    assert (tagged.speaker.rank, tagged.speaker.local_rank, tagged.text) == (rank, local_rank, text)


def test_growing_numbers_count_lines_and_not_ranks() -> None:
    lines = [f"{n}: [rank3]: a line of a pasted log" for n in range(41, 60)]
    tagger = Tagger(Source(0, None, "text"), FORMATS, lines)
    assert {(t.speaker.rank, t.text) for line in lines for t in tagger.tag(line)} == {(3, "a line of a pasted log")}


def test_a_label_counts_where_most_lines_have_it() -> None:
    lines = ["0: start", "1: start", "srun: error: node-0: task 1: Killed"]
    tagger = Tagger(Source(0, None, "slurm.out"), FORMATS, lines)
    assert [next(tagger.tag(line)).speaker.rank for line in lines] == [0, 1, None]


def test_a_line_glued_behind_a_progress_bar_is_its_own_ranks() -> None:
    line = "  0%|          | 0/18 [00:00<?, ?it/s][rank1]:[W1130 13:55:17.121097567 reducer.cpp:1529] Warning"
    parts = list(Tagger(Source(0, None, "text"), FORMATS, [line]).tag(line))
    assert [p.speaker.rank for p in parts] == [None, 1]


def test_tags_in_the_middle_of_a_line_are_taken_out() -> None:
    line = (
        "[1,0]<stderr>:terminate called after throwing an instance of '[1,0]<stderr>:std::runtime_error[1,0]<stderr>:'"
    )
    (tagged,) = Tagger(Source(0, None, "text"), FORMATS, [line]).tag(line)
    assert tagged.text == "terminate called after throwing an instance of 'std::runtime_error'"
