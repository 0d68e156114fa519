"""What a verification command prints, read back."""

import pytest

from firstfault import analysis, catalogue, verification
from firstfault.attribution.case import RunFacts
from firstfault.diagnosis import Verification

COUNT = ("`0`", "`1` or more")
WORDS = ("`picklable`", "The same AttributeError or PicklingError.")
ONE_WORD = ("writable", "missing")
PREFIX = ("`ok`, and the script starts its workers.", "`set_start_method at module level, line` and its number")
NO_OUTPUT = ("The number of batches.", "The same ValueError.")


@pytest.mark.parametrize(
    ("states", "code", "output", "resolved"),
    [
        (COUNT, 1, "0\n", True),
        (COUNT, 0, "3\n", False),
        (COUNT, 0, "\x1b[31m1\x1b[0m\r\n", False),
        (COUNT, 127, "bash: torchrun: command not found\n", None),
        (COUNT, 127, "bash: grep: command not found", None),
        (COUNT, 130, "^C", None),
        (COUNT, 0, "", None),
        (WORDS, 0, "picklable\n", True),
        (WORDS, 1, "AttributeError: Can't get local object\n", False),
        (WORDS, 0, "something else\n", None),
        (ONE_WORD, 0, "writable", True),
        (ONE_WORD, 0, "missing", False),
        (PREFIX, 0, "ok\n", True),
        (PREFIX, 0, "set_start_method at module level, line 7\n", False),
        (NO_OUTPUT, 0, "4\n", True),
        (NO_OUTPUT, 1, "ValueError: sampler option is mutually exclusive with shuffle\n", False),
    ],
)
def test_outcome(states: tuple[str, str], code: int, output: str, resolved: bool | None) -> None:
    seen = verification.outcome(Verification("command", verification.expectation(*states)), code, output)
    assert seen.resolved is resolved
    assert seen.said[0].isupper()


@pytest.mark.parametrize(
    ("started", "proof"),
    [
        (None, "python train.py"),
        ("torchrun --nproc-per-node 4 run.py --lr 1", "torchrun --nproc-per-node 4 run.py --lr 1"),
        ("cd job && python run.py | tee log", "(cd job && python run.py | tee log)"),
    ],
)
def test_a_proof_runs_the_program_as_it_was_started(started: str | None, proof: str) -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "run.py", line 9, in <module>\n'
        "    w -= 0.1 * w.grad\n"
        "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.\n"
    )
    known = catalogue.builtin()
    evidence = analysis.read(analysis.Request(text=text), known)
    answer = analysis.conclude(evidence, known, RunFacts(1, started, None))
    assert answer.verify is not None
    assert answer.verify.command == f"{proof} 2>&1 | grep -c 'leaf Variable that requires grad'"


def test_no_signature_takes_its_own_failure_for_a_success() -> None:
    for signature in catalogue.builtin().values():
        if signature.verify is None:
            continue
        shown = Verification(
            "", verification.expectation(signature.verify.expect_fixed, signature.verify.expect_broken)
        )
        assert verification.outcome(shown, 1, "Traceback (most recent call last):\n").resolved is not True, signature.id
