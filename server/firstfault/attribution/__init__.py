"""Evidence -> who started it and what it was, or honestly undecided."""

from __future__ import annotations

from firstfault.attribution import accounts, collateral, exits, local, outside, peers, runs, unsettled
from firstfault.attribution.case import Case, Conclusion, Rule, RunFacts
from firstfault.catalogue import Catalogue
from firstfault.model import Evidence

# In order of strength; the first that settles something ends the search (ATTRIBUTION, section 0).
RULES: tuple[Rule, ...] = (
    outside.interrupted,
    outside.ended_from_outside,
    exits.hardware_or_kernel,
    exits.died_of_signal,
    local.first_hand,
    collateral.named_culprit,
    collateral.majority_vote,
    collateral.strikes_anyone,
    collateral.never_came,
    outside.launcher_failed,
    local.logged_then_died,
    exits.told_by_code,
    exits.lost_worker,
    exits.left_without_a_word,
    collateral.position,
    peers.node_lost,
    peers.one_is_silent,
    peers.different_place,
    peers.odd_one_out,
    unsettled.only_consequences,
    unsettled.only_the_launchers_word,
    unsettled.hangs,
    unsettled.exit_code_says_so,
)


def finished_well(case: Case) -> bool:
    """Tell whether the run came to a good end, whatever was repaired or retried before."""
    if case.run.exit_code == 0:
        return True
    places = [n.place for n in case.evidence.notices if n.kind == "succeeded"]
    last = [t.place for t in case.evidence.tracebacks] + [n.place for n in case.evidence.notices if n.kind == "exit"]
    return bool(places) and all(
        any(done.source == place.source and done.line > place.line for done in places) for place in last
    )


def attribute(evidence: Evidence, catalogue: Catalogue, run: RunFacts) -> tuple[Case, Conclusion | None]:
    """Return the case and what the first rule that applies concludes; None when nothing failed."""
    case = accounts.build(runs.last_run(evidence), catalogue, run)
    if finished_well(case):
        return case, None
    return case, next((c for rule in RULES if (c := rule(case)) is not None), None)
