"""Failures that the real libraries made: each output names its signature, each verify command tells its states.

`tests/provoke/run.py` makes the outputs anew. Verify commands that need a library run where `FIRSTFAULT_PROVOKE_PYTHON`
names a Python that has it.
"""

import json
import os
import re
import sys
from pathlib import Path

import laboratory
import pytest
from laboratory import Case, State, VerifyStates

from firstfault import catalogue
from firstfault.wording import fill_command

CASES = {case.id: case for case in laboratory.cases()}
RECORDED = sorted(p.relative_to(laboratory.RECORDED).as_posix() for p in laboratory.RECORDED.glob("*/*.log"))
VERSIONS: dict[str, dict[str, str]] = json.loads(laboratory.VERSIONS.read_text(encoding="utf-8"))
SIGNATURES = catalogue.builtin()
WITH_STATES = [case for case in CASES.values() if case.verify_states]
LIBRARIES = os.environ.get("FIRSTFAULT_PROVOKE_PYTHON")


def test_at_least_a_hundred_failures_were_made_by_the_real_thing() -> None:
    assert len({name.removesuffix(".log").partition("@")[0] for name in RECORDED}) >= 100


@pytest.mark.parametrize("identifier", CASES)
def test_case(identifier: str) -> None:
    case = CASES[identifier]
    assert identifier in SIGNATURES
    assert case.run or case.verify_states, "neither makes the failure nor shows its verify command"
    assert not case.verify_states or SIGNATURES[identifier].verify, "states of a verify command that is not there"
    if case.run and not case.oldest:
        assert laboratory.recording(case).exists(), "nothing is recorded: run tests/provoke/run.py --update"
    if case.run:
        assert SIGNATURES[identifier].provenance == "run"


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_output_names_its_signature(name: str) -> None:
    key = name.removesuffix(".log")
    case = CASES[key.partition("@")[0]]
    text = (laboratory.RECORDED / name).read_text(encoding="utf-8")
    code = VERSIONS[key]["code"]
    assert not laboratory.fault_of(case, text, None if code == "None" else int(code))


@pytest.mark.parametrize("name", [n for n in RECORDED if SIGNATURES[n.partition("@")[0].removesuffix(".log")].patterns])
def test_recorded_text_is_an_example(name: str) -> None:
    case = CASES[name.removesuffix(".log").partition("@")[0]]
    texts = laboratory.own_texts(case, (laboratory.RECORDED / name).read_text(encoding="utf-8"))
    examples = [laboratory.masked(match.log) for match in SIGNATURES[case.id].matches]
    assert any(example in laboratory.masked(text) for example in examples for text in texts), texts


def states(case: Case) -> list[tuple[str, State]]:
    assert isinstance(case.verify_states, VerifyStates)
    return [("broken", case.verify_states.broken), ("fixed", case.verify_states.fixed)]


@pytest.mark.parametrize(
    ("case", "state"),
    [
        pytest.param(c, s, id=f"{c.id}-{name}", marks=pytest.mark.slow if c.needs or c.programs else ())
        for c in WITH_STATES
        for name, s in states(c)
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="the commands are a Linux shell's")
def test_verify_tells_the_states_apart(case: Case, state: State, tmp_path: Path) -> None:
    python = laboratory.interpreter(Path((LIBRARIES if case.needs else None) or sys.executable))
    missing = laboratory.lacks(case, python)
    assert not missing, f"install {', '.join(missing)}, or point FIRSTFAULT_PROVOKE_PYTHON to a Python that has them"
    verify, captures = (
        SIGNATURES[case.id].verify,
        {**case.verify_states.captures, **state.captures} if case.verify_states else {},
    )
    assert verify is not None
    command = f"{state.setup}\n{fill_command(verify.command, captures)}"
    files = {"train.py": case.script, **case.files, **state.files}
    output = laboratory.run(command, tmp_path, python, files, {}, 90)
    assert re.search(state.prints, output.text.strip()), output.text
