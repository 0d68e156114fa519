"""Every edit, and every rule, on real code: the packages that training programs are built on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from firstfault import fixes, lint

ROOT = Path(__file__).parent.parent
PACKAGES = ("torch", "lightning", "accelerate", "transformers")
COUNT = 200
LARGEST = 40_000  # characters; parsing is most of the work
# Half of the sample is drawn from the files in which an edit may find something
TRAINING = ("init_process_group", "DataLoader(", "torch.save(", "torch.load(", "spawn(", ".backward()")

pytestmark = pytest.mark.slow


def packages() -> Path:
    """Return the folder of the packages in the loop's environment, which is made when it is missing."""
    venv = os.environ.get("FIRSTFAULT_LOOP_VENV", str(ROOT / ".venv-loop"))
    python = Path(venv, "Scripts" if os.name == "nt" else "bin", "python")
    if not python.exists():
        subprocess.run([sys.executable, ROOT / "scripts" / "loop_environment.py"], check=True)
    ask = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    return Path(subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip())


def sample() -> list[Path]:
    folder, choose = packages(), random.Random(7)
    every = [path for name in PACKAGES for path in sorted((folder / name).rglob("*.py")) if fits(path)]
    training = [path for path in every if any(word in path.read_text(encoding="utf-8") for word in TRAINING)]
    return sorted({*choose.sample(every, COUNT // 2), *choose.sample(training, min(COUNT // 2, len(training)))})


def fits(path: Path) -> bool:
    return path.stat().st_size < LARGEST


def compiles(source: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "real", "exec", dont_inherit=True)
        except SyntaxError:
            return False
    return True


def test_every_fix_leaves_real_code_whole() -> None:
    files, changed = sample(), 0
    assert len(files) > COUNT * 0.8
    for path in files:
        source = path.read_text(encoding="utf-8")
        whole = compiles(source)
        for fix in sorted(fixes.IDS):
            new = fixes.apply(fix, source)
            if new == source:
                continue
            changed += 1
            assert compiles(new) or not whole, f"{fix} breaks {path}"
            assert fixes.apply(fix, new) == new, f"{fix} changes {path} again"
    assert changed, "no fix found anything to do, so nothing was tried"


def test_no_rule_fails_on_real_code() -> None:
    for path in sample():
        for found in lint.lint(path.read_text(encoding="utf-8")):
            assert found.line >= 1 and found.message
