"""All that lines are compared with: the patterns of the signatures and what launchers write."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from itertools import chain

from firstfault import formats
from firstfault.catalogue import Catalogue, Trigger
from firstfault.formats import Format, NoticeShape
from firstfault.literals import required_literals
from firstfault.parsing.table import LITERALS as TABLES
from firstfault.parsing.tracebacks import LITERALS as TRACEBACKS
from firstfault.prefilter import Prefilter

FRAMEWORKS = {
    "/lightning/": "lightning",
    "/pytorch_lightning/": "lightning",
    "/transformers/": "hf",
    "/accelerate/": "accelerate",
    "/deepspeed/": "deepspeed",
    "/ray/train/": "ray",
    "/megatron/": "megatron",
    "/vllm/": "vllm",
    "RayTrainWorker": "ray",
}


@dataclass(frozen=True, slots=True)
class Shapes:
    """Signatures and formats by the literals that they require, compiled once per catalogue."""

    formats: tuple[Format, ...]
    prefilter: Prefilter
    triggers: dict[str, list[Trigger]]
    notices: dict[str, list[tuple[Format, NoticeShape]]]
    slow: set[Trigger] = field(default_factory=set)

    @classmethod
    def of(cls, catalogue: Catalogue, *, fast: bool = True) -> Shapes:
        """Collect the literals of signatures and formats, or take those collected last, for that takes a while."""
        for known, mode, shapes in _KEPT:
            if known is catalogue and mode == fast:
                return replace(shapes, slow=set())
        shapes = cls._collect(catalogue, fast=fast)
        _KEPT.append((catalogue, fast, shapes))
        return shapes

    @classmethod
    def _collect(cls, catalogue: Catalogue, *, fast: bool) -> Shapes:
        loaded = formats.load()
        triggers: dict[str, list[Trigger]] = {}
        notices: dict[str, list[tuple[Format, NoticeShape]]] = {}
        for trigger in chain(catalogue.triggers, catalogue.signals):
            for literal in trigger.literals:
                triggers.setdefault(literal, []).append(trigger)
        for form in loaded:
            for shape in form.notices:
                for literal in required_literals(shape.regex):
                    notices.setdefault(literal, []).append((form, shape))
        return cls(
            loaded, Prefilter([*triggers, *notices, *FRAMEWORKS, *TRACEBACKS, *TABLES], fast=fast), triggers, notices
        )


_KEPT: deque[tuple[Catalogue, bool, Shapes]] = deque(maxlen=4)  # built-in and custom, with and without Hyperscan
