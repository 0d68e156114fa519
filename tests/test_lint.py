"""What is found before anything runs: in tests/lint/<rule>/, `# here` ends the lines that the rule must find."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firstfault import catalogue, cli, fixes, lint
from firstfault.errors import FirstfaultError
from firstfault.lint.rules import RULES

FOLDER = Path(__file__).parent / "lint"
CASES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*.py"))
BROKEN = FOLDER / "start-method-twice" / "one-after-the-other.py"


def found_in(case: str) -> list[lint.Finding]:
    return lint.lint((FOLDER / case).read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    rule = case.partition("/")[0]
    lines = (FOLDER / case).read_text(encoding="utf-8").splitlines()
    wanted = [(number, rule) for number, line in enumerate(lines, 1) if line.endswith("# here")]
    assert [(finding.line, finding.rule) for finding in found_in(case)] == wanted


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule(rule: lint.rules.Rule) -> None:
    own = [case for case in CASES if case.startswith(f"{rule.id}/")]
    hits = {case: found_in(case) for case in own}
    assert any(hits.values()) and not all(hits.values()), "a rule needs a case that it finds and one that it must not"
    assert rule.cause is None or rule.cause in catalogue.builtin()
    assert rule.fix is None or rule.fix in fixes.IDS
    assert rule.title[0].isupper() and not rule.title.endswith(".")


@pytest.mark.parametrize("case", CASES)
def test_the_edit_takes_the_finding_away(case: str) -> None:
    source = (FOLDER / case).read_text(encoding="utf-8")
    for finding in lint.lint(source):
        assert finding.fix
        mended = fixes.apply(finding.fix, source, finding.line)
        assert mended != source
        assert finding.rule not in {again.rule for again in lint.lint(mended)}


def test_text_for_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lint", str(BROKEN)]) == 1
    said = capsys.readouterr().out
    assert said.startswith(f"{BROKEN}:7:5: start-method-twice: The start method has been set already")
    assert said.endswith(f"[firstfault fix start-method-once {BROKEN}:7]\n")


def test_json_and_sarif(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lint", "--format", "json", str(BROKEN)]) == 1
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["path"], row["line"], row["fix"]) == (str(BROKEN), 7, "start-method-once")
    assert cli.main(["lint", "--format", "sarif", str(FOLDER)]) == 1
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert {result["ruleId"] for result in run["results"]} == {rule["id"] for rule in run["tool"]["driver"]["rules"]}


def test_nothing_to_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text("print('torch.distributed')\n")
    assert cli.main(["lint", str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""


def test_what_is_no_python_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text("import multiprocessing\nset_start_method(\n")
    assert cli.main(["lint", str(tmp_path / "a.py")]) == 2
    assert "not valid Python" in capsys.readouterr().err
    with pytest.raises(FirstfaultError):
        lint.lint("def (spawn")
