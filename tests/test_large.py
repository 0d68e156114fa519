"""Logs of any size and shape: the same answers as for small ones, in flat memory, and they stop when told."""

import gzip
import multiprocessing
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_diagnose import FAILED, SIGNATURES, diagnosed, expected, same

from firstfault import analysis, crowd, extraction, reading
from firstfault.attribution.case import RunFacts
from firstfault.diagnosis import Diagnosis
from firstfault.errors import Cancelled
from firstfault.extraction import Watch
from firstfault.model import Evidence
from firstfault.parsing.neighbourhood import HEAD, TAIL
from firstfault.reading import Opened
from firstfault.shapes import Shapes

PREFILTER = Shapes.of(SIGNATURES).prefilter
STEP = "[rank{rank}]: step {step} loss 0.{loss:04d} lr 3.0e-04 grad_norm 0.912 tokens/s 48211 mem 61.2GiB\n"
ERROR = (
    '[rank{0}]: Traceback (most recent call last):\n[rank{0}]:   File "/job/train.py", line 42, in <module>\n'
    "[rank{0}]:     main()\n[rank{0}]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
)

LABEL = re.compile(r" *\d+: |[\w.-]+/\d+ ")  # of Slurm and torchx, which write it before each line


def chatter(size: int, ranks: int = 8) -> Iterator[str]:
    done = step = 0
    while done < size:
        line = STEP.format(rank=step % ranks, step=step // ranks, loss=step * 7919 % 10_000)
        done, step = done + len(line), step + 1
        yield line


def of_each_cause() -> list[Path]:
    """Return one incident for each cause that is known."""
    # where each line has a number, repeated ones would not go on counting
    usual = [path for path in FAILED if "line-numbers" not in path.name]
    return list({str(expected(path)["causes"]): path for path in usual}.values())


def diluted(text: str) -> str:
    """Let training go on for long before the first line of interest: its own ordinary lines again and again."""
    lines = text.splitlines(True)
    first = next((i for i, line in enumerate(lines) if PREFILTER.named(line)), len(lines))
    own = [line for line in lines[:first] if re.search(r"\b(?:step|loss|epoch)\b", line, re.IGNORECASE)]
    label = next((hit[0] for line in lines if (hit := LABEL.match(line))), "")
    body = "".join(own or [f"{label}step 100 loss 0.5\n"])
    return "".join(lines[:first]) + body * (1 + (1 << 20) // len(body)) + "".join(lines[first:])


@pytest.mark.parametrize("incident", of_each_cause(), ids=lambda path: path.name)
def test_much_training_before_a_failure_changes_nothing(incident: Path) -> None:
    texts, _ = reading.find([incident / "logs"])
    contents = [t.path.read_bytes().decode("utf-8", "surrogateescape") for t in texts if t.path]
    longest = max(range(len(contents)), key=lambda i: len(contents[i]))
    opened = [
        Opened(None, t.name, diluted(c) if i == longest else c)
        for i, (t, c) in enumerate(zip(texts, contents, strict=True))
    ]
    evidence = extraction.extract(opened, SIGNATURES)
    assert same(analysis.conclude(evidence, SIGNATURES, RunFacts()), diagnosed(incident))


def read(text: str) -> Evidence:
    return extraction.extract([Opened(None, "x", text)], SIGNATURES)


def answer(evidence: Evidence) -> Diagnosis:
    return analysis.conclude(evidence, SIGNATURES, RunFacts())


def test_lines_in_the_middle_have_their_exact_numbers() -> None:
    before, after = list(chatter(3 << 20)), list(chatter(3 << 20))
    evidence = read("".join(before) + ERROR.format(3) + "".join(after))
    assert [t.place.line for t in evidence.tracebacks] == [len(before) + 1]
    assert evidence.last_lines == {0: len(before) + 4 + len(after)}
    assert {s.rank: s.last_line for s in evidence.sightings}[7] > len(before)


def test_every_rank_of_thousands_is_seen_once_at_the_head_and_last_at_the_tail() -> None:
    ranks = 4096
    evidence = read("".join(chatter(12 << 20, ranks)))
    assert {s.rank for s in evidence.sightings} == set(range(ranks))
    assert min(s.last_line for s in evidence.sightings) > evidence.last_lines[0] - 2 * ranks


@pytest.mark.parametrize(
    "noise",
    [
        "python: can't open cache /tmp/x{step}: retry {step}",
        "UserWarning: Detected call of `lr_scheduler.step()` before `optimizer.step()`. {step}",
    ],
)
def test_a_line_that_comes_everywhere_is_told_by_its_shape_and_hides_nothing(noise: str) -> None:
    lines = list(chatter(4 << 20))
    noisy = [f"[rank{i % 8}]: {noise.format(step=i)}\n" if i % 10 == 0 else line for i, line in enumerate(lines)]
    noisy.insert(len(noisy) // 2, ERROR.format(3))
    quiet = [*lines[: len(lines) // 2], ERROR.format(3), *lines[len(lines) // 2 :]]
    got, wanted = read("".join(noisy)), read("".join(quiet))
    assert [t.place for t in got.tracebacks] == [t.place for t in wanted.tracebacks]
    assert same(answer(got), answer(wanted))


def test_equal_tracebacks_are_counted_and_not_kept() -> None:
    times = 6000
    evidence = read("step 1 loss 0.5\n" + ERROR.format(3) * times)
    assert len(evidence.tracebacks) < times / 2
    assert evidence.tracebacks[-1].count == times
    assert evidence.tracebacks[-1].place.line == 4 * times - 2
    assert answer(evidence).initiating_ranks == (3,)


def test_a_line_longer_than_memory_is_for(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(b"step 1\n" + b"x" * (40 << 20) + b"\n" + ERROR.format(3).encode())
    evidence = extraction.extract([Opened(path, "a.log")], SIGNATURES)
    assert [t.place.line for t in evidence.tracebacks] == [3]


def test_colours_are_taken_out_before_the_search() -> None:
    coloured = ERROR.format(3).replace("CUDA", "\x1b[31mCU\x1b[1;35mDA\x1b[0m").replace("Trace", "\x1b[1mTrace")
    (found,) = read("".join(chatter(2 << 20)) + coloured).tracebacks
    assert found.finding is not None
    assert found.finding.signature == "memory/cuda-oom"


def test_rotated_files_are_one_text_with_the_lines_of_each(tmp_path: Path) -> None:
    lines = list(chatter(3000))
    whole = "".join(lines) + ERROR.format(3)
    cut = len("".join(lines[:10])), len(whole) - len(ERROR.format(3)) + len(ERROR.format(3).splitlines(True)[0])
    (tmp_path / "job.log.2.gz").write_bytes(gzip.compress(whole[: cut[0]].encode()))
    (tmp_path / "job.log.1").write_text(whole[cut[0] : cut[1]])
    (tmp_path / "job.log").write_text(whole[cut[1] :])
    texts, _ = reading.find([tmp_path])
    assert [[p.name for p in t.parts] for t in texts] == [["job.log.2.gz", "job.log.1", "job.log"]]
    diagnosis = analysis.diagnose(analysis.Request(paths=(tmp_path,)))
    assert diagnosis.initiating_ranks == (3,)
    (item,) = [e for e in diagnosis.evidence if e.role == "initiating"]
    assert (item.path, item.line) == (str(tmp_path / "job.log.1"), len(lines) - 10 + 1)


def test_files_of_ranks_are_no_rotated_log(tmp_path: Path) -> None:
    for name in ("log", "log.0", "log.1"):
        (tmp_path / name).write_text("x\n")
    assert len(reading.find([tmp_path])[0]) == 3


def test_a_file_that_shrinks_while_it_is_read_keeps_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_text(ERROR.format(3) + "".join(chatter(8 << 20)))
    evidence = extraction.extract(
        [Opened(path, "a.log")], SIGNATURES, Watch(advance=lambda _: os.truncate(path, 1000)), threads=1
    )
    assert "became shorter" in evidence.notes[0]
    assert len(evidence.tracebacks) == 1


def test_reading_stops_within_a_few_hundred_lines_of_being_told() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 4

    with pytest.raises(Cancelled):
        extraction.extract([Opened(None, "x", ERROR.format(3) * HEAD)], SIGNATURES, Watch(stop=stop))
    assert asked == 5


def folder(tmp_path: Path) -> list[Opened]:
    for rank in range(6):
        text = "".join(chatter(100_000, 1)).replace("[rank0]: ", "")
        error = ERROR.format(rank).replace(f"[rank{rank}]: ", "") if rank == 4 else ""
        (tmp_path / f"rank-{rank}.log").write_text(text + error)
    return reading.find([tmp_path])[0]


def test_processes_give_the_answer_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "BATCH", 150_000)
    texts = folder(tmp_path)
    read_bytes: list[int] = []
    shared = crowd.extract_in_processes(texts, SIGNATURES, Watch(advance=read_bytes.append), 2)
    assert shared == extraction.extract(texts, SIGNATURES)
    assert sum(read_bytes) == sum(map(reading.size, texts))
    assert answer(shared).initiating_ranks == (4,)


def lives(process: int) -> bool:
    """Ask the system: the pool's own thread reaps its processes too, and then `Process.is_alive` is wrong for ever."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_no_process_outlives_a_cancelled_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "BATCH", 1)
    with pytest.raises(Cancelled):
        crowd.extract_in_processes(folder(tmp_path), SIGNATURES, Watch(stop=lambda: True), 2)
    started = [process.pid for process in multiprocessing.active_children() if process.pid]
    end = time.monotonic() + 120  # one that was just starting ends as soon as it runs
    while any(map(lives, started)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [process for process in started if lives(process)]


def test_the_answer_so_far_comes_while_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "FIRST_LOOK", 0.0)
    shown: list[analysis.Progress] = []
    text = "".join(chatter(1 << 20)) + ERROR.format(3) + "".join(chatter(3 << 20))
    analysis.diagnose(analysis.Request(text=text), SIGNATURES, analysis.Onlooker(shown.append))
    assert shown[0].so_far == ""
    assert shown[-1].so_far == "rank 3, GPU out of memory"
    assert shown[-1].ranks == 8
    assert [p.done for p in shown] == sorted(p.done for p in shown)
    assert shown[-1].done == shown[-1].total


def test_head_and_tail_are_smaller_than_the_texts_above() -> None:
    assert (HEAD + TAIL) * len(STEP) < 1 << 20
