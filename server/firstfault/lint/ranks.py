"""Collectives that not all ranks reach."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import collective_on_all_ranks, state_dict_on_all_ranks
from firstfault.fixes._tree import called, expression_of, text_of


def collective_on_one_rank(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find barriers and collectives in `if rank == 0:` without a counterpart."""
    for node, inside in collective_on_all_ranks.conditional(module):
        for statement in inside:
            name = called(expression_of(statement) or statement)
            yield (
                statement,
                f"Only ranks with `{text_of(node.test)}` call {name}(): it waits for the others until it times out.",
            )


def sharded_state_on_one_rank(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find gathering calls, which are collectives, in `if rank == 0:`."""
    for node, gathering in state_dict_on_all_ranks.conditional(module):
        for call in gathering:
            yield (
                call,
                f"Only ranks with `{text_of(node.test)}` call {called(call)}(), which needs all: it waits for ever.",
            )
