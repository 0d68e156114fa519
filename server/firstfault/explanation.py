"""A verdict -> the Diagnosis that a person reads. The only builder of its prose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from firstfault import exhibits, fixes, own_output, platform_facts
from firstfault.attribution.case import Account, Case, Conclusion
from firstfault.attribution.peers import accusations
from firstfault.diagnosis import (
    Cause,
    CodeFix,
    Confidence,
    Diagnosis,
    Fate,
    Fix,
    MissingFact,
    RankFate,
    Verification,
)
from firstfault.model import Place
from firstfault.platform_facts import Platform
from firstfault.signature import Signature
from firstfault.wording import fill, fill_command, listing

FRAMEWORKS = {
    "lightning": "Lightning",
    "fabric": "Fabric",
    "hf": "HF Trainer",
    "accelerate": "Accelerate",
    "deepspeed": "DeepSpeed",
    "ray": "Ray Train",
    "megatron": "Megatron",
    "vllm": "vLLM",
    "pytorch": "PyTorch",
}


def explain(case: Case, conclusion: Conclusion | None, platform: Platform) -> Diagnosis:
    """Return the whole answer for a case and what attribution concluded."""
    if conclusion is None:
        return _nothing_failed(case)
    signature = case.catalogue.get(conclusion.cause) if conclusion.cause else None
    captures = {"allocator": platform.allocator(), **captures_of(case, conclusion)}
    settled = conclusion.ranks is not None or conclusion.cause is not None
    guessed = conclusion.ranks is None and conclusion.confidence == "possible"
    pointed = accusations(case)
    return Diagnosis(
        verdict="failure" if settled and not guessed else "undecided",
        summary=summary(case, conclusion, signature, captures),
        cause=_cause(conclusion, signature),
        initiating_ranks=conclusion.ranks,
        collateral_ranks=tuple(
            a.rank for a in case.accounts.values() if _fate(case, a, conclusion) in ("collateral", "stopped")
        ),
        world_size=case.size,
        attempt=case.attempt,
        launcher=case.launcher,
        framework=case.framework,
        ranks=tuple(_rank(case, case.accounts[r], conclusion, pointed) for r in case.ranks()),
        reasoning=tuple(_reasoning(case, conclusion, signature, platform)),
        evidence=tuple(exhibits.evidence(case, conclusion)),
        location=exhibits.location(conclusion.decisive),
        fix=_fix(case, signature, captures),
        verify=_verify(signature, captures),
        missing_facts=tuple(_missing(case, conclusion, signature, platform)),
        prevention=signature.prevention if signature else (),
        references=signature.references if signature else (),
        related=signature.related if signature else (),
        notes=tuple(_notes(case)),
    )


def _nothing_failed(case: Case) -> Diagnosis:
    if case.evidence.empty:
        summary, reasons = "There was nothing to read: the text is empty.", ["The text is empty."]
    else:
        summary = "Nothing in this text failed."
        reasons = ["No rank raised, crashed, timed out or lost a peer, and no launcher reports a failure."]
        if any(case.evidence.progress.get(i) for i in case.evidence.last_lines):
            reasons.append(
                "The text ends in normal progress: it may be a part of a run that went on, or one killed unseen."
            )
    return Diagnosis(
        "no_failure",
        summary,
        initiating_ranks=(),
        world_size=case.size,
        launcher=case.launcher,
        framework=case.framework,
        ranks=tuple(
            RankFate(a.rank, a.local_rank, a.node, "unknown", said=_said(a)) for _, a in sorted(case.accounts.items())
        ),
        reasoning=tuple(reasons),
        notes=tuple(_notes(case)),
    )


def captures_of(case: Case, conclusion: Conclusion) -> dict[str, str]:
    """Return what prose may name: the decisive texts' captures and the ranks."""
    captures: dict[str, str] = dict(conclusion.captures)
    for statement in reversed(conclusion.decisive):
        if statement.finding and statement.finding.signature == conclusion.cause:
            captures |= statement.finding.captures
    if conclusion.ranks:
        captures["rank"] = str(conclusion.ranks[0])
        captures["ranks"] = listing(conclusion.ranks)
    if case.world:
        captures["world_size"] = str(case.world)
    return captures


def summary(case: Case, conclusion: Conclusion, signature: Signature | None, captures: Mapping[str, str]) -> str:
    """Return the one sentence a person would say."""
    what = signature.title if signature else "what happened is not settled"
    exception = (
        _exception(conclusion)
        if conclusion.cause in ("user/exception", "user/assertion", "data/worker-exception")
        else ""
    )
    what = f"{what} ({exception})" if exception else what
    followed = len([a for a in case.accounts.values() if _fate(case, a, conclusion) in ("collateral", "stopped")])
    tail = (
        f"; {followed} other {'rank' if followed == 1 else 'ranks'} followed" if followed and conclusion.ranks else ""
    )
    if conclusion.ranks is None:
        return f"Which rank started it is not settled: {_inner(what)}."
    if not conclusion.ranks:
        return f"No rank is at fault: {_inner(what)}."
    if case.world == 1:
        return f"{what}."
    every = len(conclusion.ranks) == len(case.accounts) > 1
    who = "Every rank" if every else listing(conclusion.ranks).capitalize()
    return f"{who} broke the run: {_inner(what)}{tail}."


def _inner(title: str) -> str:
    """Return a title for the middle of a sentence; names such as CUDA and DataLoader keep their capitals."""
    word, _, rest = title.partition(" ")
    name = word[1:] != word[1:].lower() or "." in word or rest[:1].isdigit()
    return title if name else title[:1].lower() + title[1:]


def _exception(conclusion: Conclusion) -> str:
    traceback = conclusion.decisive[0].traceback if conclusion.decisive else None
    if traceback is None:
        return ""
    line = traceback.cause.text.strip().splitlines()
    return line[0][:120] if line else ""


def _cause(conclusion: Conclusion, signature: Signature | None) -> Cause | None:
    if conclusion.cause is None:
        return None
    confidence: Confidence = conclusion.confidence
    if signature and signature.provenance == "memory":
        confidence = "possible"
    title = signature.title if signature else conclusion.cause
    return Cause(conclusion.cause, title, conclusion.cause.partition("/")[0], confidence)


def _fate(case: Case, account: Account, conclusion: Conclusion) -> Fate:
    if conclusion.ranks and account.rank in conclusion.ranks:
        return "initiating"
    end = account.end
    if any(s.role in ("collateral", "either") for s in account.statements):
        return "collateral"
    if account.closing or (end and end.signal == "SIGTERM"):
        return "stopped"
    if account.statements or (end and (end.code or end.signal)):
        return "collateral" if conclusion.ranks is not None else "unknown"
    if end and end.code == 0:
        return "finished"
    return "silent" if account.sightings else "unknown"


def _rank(case: Case, account: Account, conclusion: Conclusion, pointed: Mapping[int, tuple[int, ...]]) -> RankFate:
    end, last = account.end, account.last
    return RankFate(
        account.rank,
        account.local_rank,
        account.node,
        _fate(case, account, conclusion),
        end.code if end else None,
        end.signal if end else None,
        _said(account),
        last.last_time if last else None,
        pointed.get(account.rank, ()),
    )


def _said(account: Account) -> str:
    """Return a rank's own error in one line, else its last sign of life."""
    first = next((s for s in account.statements if s.uncaught), None)
    text = first.text if first else (account.last.last_text if account.last else "")
    lines = text.strip().splitlines()
    return lines[0][:200] if lines else ""


def _reasoning(case: Case, conclusion: Conclusion, signature: Signature | None, platform: Platform) -> Iterator[str]:
    yield from (reason for reason in conclusion.reasons if reason)
    if case.attempts > 1:
        yield f"The run was started {case.attempts} times; this speaks of the first attempt, whose failure came first."
    if signature:
        yield from _signals(case, signature)
        if signature.depends_on:
            yield from platform.sentences(signature.depends_on)


def _signals(case: Case, signature: Signature) -> Iterator[str]:
    """Say which of the signature's further signals this log shows, and which it lacks."""
    seen: dict[int, Place] = {}
    for message in case.evidence.messages:
        if message.finding.signature == signature.id and message.finding.signal is not None:
            seen.setdefault(message.finding.signal, message.place)
    for traceback in case.evidence.tracebacks:
        for finding in traceback.mentions:
            if finding.signature == signature.id and finding.signal is not None:
                seen.setdefault(finding.signal, traceback.place)
    for index, signal in enumerate(signature.signals):
        if index in seen:
            weight = "supports this" if signal.expected == "present" else "speaks against this"
            yield f"{case.ref(seen[index])} {weight}: {signal.because}"
        elif signal.expected == "present":
            yield f"Not in this log, though one might expect it: {signal.because}"


def _fix(case: Case, signature: Signature | None, captures: Mapping[str, str]) -> Fix | None:
    if signature is None or not signature.fix:
        return None
    special = [
        f"{FRAMEWORKS.get(case.framework or '', '')}: {step}"
        for step in signature.fix_for.get(case.framework or "", ())
    ]
    filled = tuple(fill(step, captures) for step in (*special, *signature.fix))
    known = [fixes.describe(identifier) for identifier in signature.code_fixes]
    code = tuple(CodeFix(f.id, f.title, f.safety) for f in known)
    return Fix(fill(signature.meaning, captures), filled, code[0].id if code else None, code)


def _verify(signature: Signature | None, captures: Mapping[str, str]) -> Verification | None:
    if signature is None or signature.verify is None:
        return None
    verify = signature.verify
    broken, fixed = fill(verify.expect_broken, captures), fill(verify.expect_fixed, captures)
    return Verification(fill_command(verify.command, captures), f"Fixed: {fixed} Still broken: {broken}")


def _missing(
    case: Case, conclusion: Conclusion, signature: Signature | None, platform: Platform
) -> Iterator[MissingFact]:
    for asked in conclusion.missing:
        yield replace(asked, command=own_output.fitting(asked.command, case.launcher, case.framework))
    for unknown in platform.unknown(signature.depends_on if signature else ()):
        yield MissingFact(platform_facts.ASK[unknown], platform_facts.COMMAND)
    weak = conclusion.confidence == "possible" or (signature and signature.provenance == "memory")
    if not conclusion.missing and (conclusion.ranks is None or conclusion.cause is None or weak):
        told = signature.confirm.strip() if signature else ""
        command = (
            signature.verify.command
            if signature and signature.verify
            else own_output.command(case.launcher, case.framework)
        )
        yield MissingFact(told or "the ranks' own output", command)


def _notes(case: Case) -> Iterator[str]:
    yield from case.evidence.notes
    yield from case.notes
    if case.attempts > 1:
        yield f"Attempts after the first are not judged: {case.attempts - 1} more in this text."
