"""Edits of the user's code, one LibCST codemod per file; a fix's id is its file's name with dashes."""

from __future__ import annotations

from pathlib import Path

IDS = frozenset(
    path.stem.replace("_", "-") for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_")
)
