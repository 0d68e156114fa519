"""A run that is still going: what fails is told as it appears, and silence of all ranks as a hang."""

from collections.abc import Iterator
from pathlib import Path

from test_diagnose import SIGNATURES
from test_large import ERROR, chatter

from firstfault import analysis, following
from firstfault.following import Pace


class Clock:
    """Time that passes only where the follower sleeps; `events` happen in that order, one in each pause."""

    def __init__(self, events: Iterator[None]) -> None:
        self.time, self.events, self.over = 0.0, events, False

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        next(self.events, None)


def sentences(folder: Path, events: Iterator[None], most: int) -> list[str]:
    clock = Clock(events)
    pace = Pace(silent_after=60, interval=1, now=lambda: clock.time, sleep=clock.sleep)
    told = following.follow(analysis.Request((folder,)), SIGNATURES, pace)
    return [next(told) for _ in range(most)]


def test_a_failure_is_told_when_it_appears(tmp_path: Path) -> None:
    log = tmp_path / "job.log"

    def events() -> Iterator[None]:
        log.write_text("".join(chatter(20_000)))
        yield
        with log.open("a") as file:
            file.write(ERROR.format(3)[:100])
            file.flush()
            yield
            file.write(ERROR.format(3)[100:])
        yield

    assert sentences(tmp_path, events(), 1) == ["Rank 3 broke the run: GPU out of memory."]


def test_silence_of_all_ranks_is_a_hang_that_says_who_was_last_seen_where(tmp_path: Path) -> None:
    def events() -> Iterator[None]:
        (tmp_path / "rank-0.log").write_text("2026-11-30 12:00:09 step 9 loss 0.5\n")
        (tmp_path / "rank-1.log").write_text("2026-11-30 12:00:04 step 4 loss 0.5\n")
        yield

    (said,) = sentences(tmp_path, events(), 1)
    assert "hang: ranks 0 and 1 wrote nothing for 60 seconds" in said
    assert said.index("rank 1 at rank-1.log:1: ") < said.index("rank 0 at rank-0.log:1: ")


def test_a_log_that_is_rotated_or_begun_anew_is_read_on(tmp_path: Path) -> None:
    log = tmp_path / "job.log"

    def events() -> Iterator[None]:
        log.write_text("".join(chatter(20_000)))
        yield
        log.rename(tmp_path / "job.log.old.json")
        log.write_text(ERROR.format(5))
        yield

    assert sentences(tmp_path, events(), 1) == ["Rank 5 broke the run: GPU out of memory."]
