"""The rules: each finds places in a module and says why they break a run.

A rule that an edit repairs asks the edit's own module, so that both agree on what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import libcst as cst

from firstfault.lint import environment, loaders, processes, ranks

Hit = tuple[cst.CSTNode, str]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of mistake: how it is found, the failure that it leads to, the edit that repairs it.

    `words`: a text with none of some group has no such mistake; looking for words is cheap, parsing is not.
    """

    id: str
    title: str
    find: Callable[[cst.Module], Iterable[Hit]]
    cause: str | None
    fix: str | None
    words: tuple[str, ...]

    def may_apply(self, source: str) -> bool:
        """Tell whether a text has a word of every group (`a|b`)."""
        return all(any(word in source for word in group.split("|")) for group in self.words)


RULES = (
    Rule(
        "spawn-without-guard",
        "Processes are spawned while the script is imported",
        processes.spawn_without_guard,
        "process/missing-main-guard",
        "main-guard",
        ("spawn|forkserver",),
    ),
    Rule(
        "unpicklable-under-spawn",
        "A lambda or local function goes to a spawned process",
        processes.unpicklable_under_spawn,
        "process/pickle-local-object",
        "lambda-to-function",
        ("spawn|forkserver",),
    ),
    Rule(
        "start-method-twice",
        "The start method is set a second time",
        processes.start_method_twice,
        "process/start-method-already-set",
        "start-method-once",
        ("set_start_method",),
    ),
    Rule(
        "cuda-in-forked-worker",
        "A DataLoader's forked worker uses CUDA",
        processes.cuda_in_worker,
        "process/cuda-in-forked-child",
        "cuda-out-of-dataset",
        ("DataLoader", "num_workers", "cuda", "__getitem__|__iter__|collate_fn"),
    ),
    Rule(
        "collective-on-one-rank",
        "Only one rank reaches a collective",
        ranks.collective_on_one_rank,
        "collective/rank-conditional-collective",
        "collective-on-all-ranks",
        ("rank|is_main_process|is_global_zero", "barrier|all_reduce|broadcast|all_gather|wait_for_everyone"),
    ),
    Rule(
        "sharded-state-on-one-rank",
        "Only one rank gathers a sharded state",
        ranks.sharded_state_on_one_rank,
        "collective/rank-conditional-collective",
        "state-dict-on-all-ranks",
        (
            "rank|is_main_process|is_global_zero",
            "state_dict",
            "FullySharded|fully_shard|get_state_dict|get_model_state_dict",
        ),
    ),
    Rule(
        "sampler-and-shuffle",
        "A DataLoader gets a sampler and shuffle=True",
        loaders.sampler_and_shuffle,
        "data/sampler-shuffle-exclusive",
        "sampler-not-shuffle",
        ("DataLoader", "sampler=", "shuffle=True"),
    ),
    Rule(
        "worker-options-without-workers",
        "A DataLoader without workers gets an option that needs some",
        loaders.options_without_workers,
        "data/loader-options-need-workers",
        "dataloader-worker-options",
        ("DataLoader", "persistent_workers|prefetch_factor|timeout|multiprocessing_context"),
    ),
    Rule(
        "no-set-epoch",
        "The DistributedSampler is not told the epoch",
        loaders.no_set_epoch,
        None,
        "sampler-set-epoch",
        ("DistributedSampler", "DataLoader", "epoch"),
    ),
    Rule(
        "no-distributed-sampler",
        "Every rank trains on all the data",
        loaders.no_distributed_sampler,
        None,
        "distributed-sampler",
        ("DistributedDataParallel", "DataLoader", "init_process_group"),
    ),
    Rule(
        "hard-coded-rendezvous",
        "Address, port or rank of the launcher are overwritten",
        environment.hard_coded,
        "launch/store-connect-timeout",
        "environment-not-hard-coded",
        ("init_process_group", "MASTER_|RANK|WORLD_SIZE"),
    ),
)
