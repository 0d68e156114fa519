"""DataLoaders whose arguments contradict each other, or that give every rank the same data."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from firstfault.fixes import (
    _calls,
    dataloader_worker_options,
    distributed_sampler,
    sampler_not_shuffle,
    sampler_set_epoch,
)
from firstfault.fixes._names import Names, names_of
from firstfault.fixes._torch import assigned
from firstfault.fixes._walk import walk


def sampler_and_shuffle(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find loaders that surely get a sampler and a shuffle that is on."""
    names, values = names_of(module), assigned(module)
    for call in _loaders(module, names):
        if sampler_not_shuffle.certain(call, values):
            yield call, "A DataLoader takes sampler or shuffle=True, not both: this raises ValueError."


def options_without_workers(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find loaders without workers that get an option which needs some."""
    names, known = names_of(module), _calls.constants(module)
    for call in _loaders(module, names):
        wrong = dataloader_worker_options.wrong(call, known)
        if wrong:
            words = ", ".join(arg.keyword.value for arg in wrong if arg.keyword is not None)
            yield call, f"Without workers a DataLoader takes no {words}: this raises ValueError."


def no_set_epoch(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find loops over epochs whose sampler shuffles alike in each."""
    for loop, call in sampler_set_epoch.missing(module):
        yield loop.target, f"Every epoch has the same order: {call} is missing in this loop."


def no_distributed_sampler(module: cst.Module) -> Iterator[tuple[cst.CSTNode, str]]:
    """Find training loaders of a DDP program without a sampler."""
    for call, _, dataset in distributed_sampler.missing(module):
        yield call, f"Every rank trains on all of {dataset}: the loader has no DistributedSampler."


def _loaders(module: cst.Module, names: Names) -> Iterator[cst.Call]:
    for node in walk(module):
        if isinstance(node, cst.Call) and names.is_dataloader(node):
            yield node
