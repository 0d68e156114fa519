"""Exit codes and the words launchers use for signals."""

from __future__ import annotations

import signal

WORDS = {
    "Killed": "SIGKILL",
    "Terminated": "SIGTERM",
    "Aborted": "SIGABRT",
    "Segmentation fault": "SIGSEGV",
    "Bus error": "SIGBUS",
    "Floating point exception": "SIGFPE",
    "Illegal instruction": "SIGILL",
    "Interrupt": "SIGINT",
    "KeyboardInterrupt": "SIGINT",
    "Hangup": "SIGHUP",
    "Out Of Memory": "SIGKILL",
}
NUMBERS = {1: "SIGHUP", 2: "SIGINT", 4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV"}
NUMBERS |= {15: "SIGTERM"}
CAUSES = {
    "SIGKILL": "process/killed-sigkill",
    "SIGSEGV": "process/segfault",
    "SIGILL": "process/segfault",
    "SIGBUS": "process/bus-error",
    "SIGFPE": "process/floating-point-exception",
    "SIGABRT": "process/cpp-abort",
    "SIGTERM": "process/sigterm-from-outside",
    "SIGHUP": "process/sighup-terminal-closed",
    "SIGINT": "user/interrupted",
}


def of_code(code: int) -> str | None:
    """Return the signal that an exit code stands for: negative as Python reports it, or 128 + n as a shell does."""
    number = -code if code < 0 else code - 128
    if code >= 0 and number not in (4, 6, 7, 8, 9, 11, 15):
        return None
    return NUMBERS.get(number) or _standard(number)


def _standard(number: int) -> str | None:
    try:
        return signal.Signals(number).name
    except ValueError:
        return None


def of_word(word: str) -> str:
    """Return the signal's name for a launcher's word: `Killed`, `SIGKILL`, `Signals.SIGTERM`, `15`."""
    word = word.removeprefix("Signals.")
    return WORDS.get(word) or (NUMBERS.get(int(word), word) if word.isdecimal() else word)
