"""Drafts of signatures from a line of a log."""

from pathlib import Path

import pytest

from firstfault import catalogue, cli, drafting, pages
from firstfault.errors import FirstfaultError

LINES = {
    "[rank3]: RuntimeError: licence server 10.0.0.7:8080 refused lease 4711 for '/opt/lic/key-7.bin' (code 0x7f)": (
        "RuntimeError: licence server (?P<peer>",
        "RuntimeError: licence server 10.9.9.9:1 refused lease 5 for '/srv/x.bin' (code 0xab)",
    ),
    "2026-11-30 12:00:00,123 [1] ERROR train: shard data/00012.tar is bad": (
        r"\[(?P<number>",
        "2027-01-01 01:00:00,9 [22] ERROR train: shard data/1.tar is bad",
    ),
    "[1,2]<stderr>:OSError: disk 'scratch' has 1.5 GiB of 2 TiB left": (
        "OSError: disk 'scratch' has (?P<size>",
        "OSError: disk 'scratch' has 3 MiB of 4 TiB left",
    ),
    "KeyError: 'label'": ("KeyError: 'label'", "KeyError: 'label'"),
    "weird '''quotes''' and \\back\\slashes [x] {y} \"z\"": (
        "weird '''quotes'''",
        "weird '''quotes''' and \\back\\slashes [x] {y} \"z\"",
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_a_draft_passes_its_own_check_and_finds_the_failure_again(line: str, tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_text(f"step 1\n{line}\nstep 2\n")
    path = drafting.write(f"{log}:2", "own/failure", tmp_path / "signatures", catalogue.builtin())
    signature = catalogue.read_file(path, tmp_path / "signatures")
    assert list(pages.example_faults(signature)) == []
    beginning, again = LINES[line]
    pattern = signature.patterns[0].regex
    assert pattern.startswith(beginning)
    assert catalogue.compiled(pattern).search(again)
    assert (tmp_path / "signatures" / "schema.json").is_file()


def test_a_line_that_is_known_already_is_refined(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_text("OSError: [Errno 28] No space left on device: '/scratch/last.pt'\n")
    path = drafting.write(f"{log}:1", None, tmp_path, catalogue.builtin())
    assert path.relative_to(tmp_path).parent == Path("own")
    assert catalogue.read_file(path, tmp_path).refines == ("storage/enospc",)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("run.log", "name a file and one of its lines"),
        ("run.log:0", "name a file and one of its lines"),
        ("run.log:9", "no line 9"),
        ("run.log:2", "this line is empty"),
        ("run.log:3", "no pattern can be drafted"),
        ("gone.log:1", "gone.log"),
    ],
)
def test_a_place_that_cannot_be_drafted_from(
    place: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.log").write_text("step 1\n\n42 / 43\n")
    assert cli.main(["new-signature", "--from", place]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.toml"))


def test_a_draft_is_not_overwritten(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    log.write_text("licence refused\n")
    drafting.write(f"{log}:1", "own/licence", tmp_path, catalogue.builtin())
    with pytest.raises(FirstfaultError, match="exists already"):
        drafting.write(f"{log}:1", "own/licence", tmp_path, catalogue.builtin())
