"""What an exported report hides: credentials, addresses, names of people, home folders. Equal texts get equal names."""

from __future__ import annotations

import functools
import getpass
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["token", "ip", "user", "home", "email"]

# Names that many machines share, so that they tell nothing and may be ordinary words of a log
NOBODY = re.compile(
    r"root|users?|ubuntu|admin|home|default|public|shared|runner|node|data|work(?:space)?|model|test|train|guest|jovyan"
    r"|vscode|dev|docker|app|local|ray|mpiuser|ec2-user|hadoop|\d*|..?",
    re.IGNORECASE,
)
LOCAL = frozenset({"127.0.0.1", "0.0.0.0", "255.255.255.255"})
OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
HEX4 = r"[0-9a-fA-F]{1,4}"
LABEL = r"[A-Za-z0-9-]{1,63}"
SECRET = r"(?i:api[_-]?key|access[_-]?key|secret|token|passw(?:or)?d|passwd|pwd|credentials?|auth(?:orization)?)"
KEY_END = r"-----END [A-Z ]*PRIVATE KEY-----"

# What is hidden is the group `hide`. The shapes of tokens are those that their issuers document.
SHAPES: dict[Kind, tuple[str, ...]] = {
    "token": (
        rf"(?P<hide>-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:{KEY_END}|\Z))",
        r"\b(?P<hide>eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)",  # JSON Web Token, RFC 7519
        r"\b(?P<hide>(?:hf|api_org)_[A-Za-z0-9]{16,})",
        r"\b(?P<hide>(?:gh[pousr]_|github_pat_|glpat-)[\w-]{16,})",
        r"\b(?P<hide>(?:AKIA|ASIA)[A-Z0-9]{16})\b",
        r"\b(?P<hide>(?:sk|pk|rk|xox[abprs]|nvapi|dapi|pypi|npm|wandb_v1)[-_][\w-]{16,})",
        r"\b(?P<hide>AIza[\w-]{30,})",
        r"\b[Bb]earer\s+(?P<hide>[\w.~+/=-]{8,})",
        r"://[^\s/:@]{0,64}:(?P<hide>[^\s/:@]{1,256})@",
        r"[?&](?:sig|signature|X-Amz-[A-Za-z-]+|key)=(?P<hide>[^\s&\"']{8,})",
        rf"{SECRET}[\"']?\s*[:=]\s*[\"']?(?P<hide>(?!(?:None|null|Bearer|Basic|\d{{1,7}})\b)[^\s\"',;}})\]]{{4,}})",
        rf"--{SECRET}[ =](?P<hide>\S{{4,}})",
        r"(?i:wandb)[^\n]{0,60}?\b(?P<hide>[0-9a-f]{40})\b",
    ),
    "email": (rf"\b(?P<hide>[\w.+-]{{1,64}}@{LABEL}(?:\.{LABEL}){{0,4}}\.[A-Za-z]{{2,12}})\b",),
    "ip": (
        rf"(?<![\w.-])(?P<hide>{OCTET}(?:\.{OCTET}){{3}})(?![\w-]|\.\d)",
        rf"(?<![\w:])(?P<hide>(?:{HEX4}:){{7}}{HEX4})(?![\w:])",
        # a shortened one; three digits in a row tell it from a time and from C++'s `::`
        rf"(?<![\w:.])(?P<hide>(?=[0-9a-fA-F:]*[0-9a-fA-F]{{3}})(?:{HEX4}:){{1,6}}(?::{HEX4}){{1,6}})(?![\w:])",
        rf"\bip-(?P<hide>{OCTET}(?:-{OCTET}){{3}})\b",  # host names of a large cloud
    ),
    "user": (
        r"\b(?:USER|LOGNAME|USERNAME)=(?P<hide>[\w.-]+)",
        r"(?m:(?<![\w.@/-])(?P<hide>[a-z_][\w-]{1,31})@(?=[\w-]+(?:[:~\s]|$)))",  # a shell's prompt
        r"\b[Uu]ser(?:name)?[ :=]+[\"'](?P<hide>[\w.-]{2,32})[\"']",
    ),
}
NAMES = {"token": "token", "ip": "IP address", "user": "user name", "home": "home folder", "email": "e-mail address"}
FOLDER_NAME = r"[^\s/\\:\"'<>|,;()\[\]]{1,64}"
HOMES = re.compile(
    rf"(?P<home>(?:/home|/Users|/(?:export|nfs|gpfs|mnt|lustre)/(?:home|users))/(?P<name>{FOLDER_NAME})"
    # a folder's name on Windows may have blanks, which only the separator after it tells from prose
    rf"|[A-Za-z]:(?:\\{{1,2}}|/)Users(?:\\{{1,2}}|/)(?P<windows>[^\\/:\"<>|\n]{{1,64}}(?=[\\/])|{FOLDER_NAME}))"
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """One text that was hidden: what stands for it, and how often."""

    kind: Kind
    shown: str
    original: str
    count: int


class Redactor:
    """Hides texts, the same text always behind the same name, over any number of calls."""

    def __init__(self, people: Iterable[str] = (), homes: Iterable[str] = ()) -> None:
        """`people` and `homes` are names and folders that are known beforehand, e.g. of this machine's user."""
        self._names: dict[tuple[Kind, str], str] = {}
        self._counts: dict[tuple[Kind, str], int] = {}
        self._people = {name for name in people if _telling(name)}
        self._homes = sorted({home for home in homes if len(home) > 3}, key=len, reverse=True)

    def hide(self, text: str) -> str:
        """Return a text in which nothing of the kinds above is left."""
        for kind, shapes in SHAPES.items():
            for shape in shapes:
                text = self._replace(kind, shape, text)
        text = HOMES.sub(self._home, text)
        for home in self._homes:
            text = re.sub(rf"{re.escape(home)}(?![\w.-])", lambda m: self._named("home", m.group()), text)
        for name in sorted(self._people, key=len, reverse=True):
            pattern = rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])"
            text = re.sub(pattern, lambda m: self._named("user", m.group()), text)
        return text

    def value(self, value: object) -> object:
        """Return a JSON value with every text in it hidden, keys excepted."""
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, Mapping):
            return {key: self.value(item) for key, item in value.items()}
        return [self.value(item) for item in value] if isinstance(value, list | tuple) else value

    def hidden(self) -> list[Hidden]:
        """Return what was hidden so far, in the order of kinds."""
        found = [Hidden(kind, self._names[kind, text], text, n) for (kind, text), n in self._counts.items()]
        return sorted(found, key=lambda h: (h.kind, h.shown))

    def _replace(self, kind: Kind, shape: str, text: str) -> str:
        def put(match: re.Match[str]) -> str:
            found, whole, start = match["hide"], match.group(), match.start("hide") - match.start()
            if found.startswith("<") or not self._worth(kind, found):
                return whole
            return whole[:start] + self._named(kind, found) + whole[start + len(found) :]

        return re.sub(shape, put, text)

    def _worth(self, kind: Kind, found: str) -> bool:
        if kind == "user":
            if not _telling(found):
                return False
            self._people.add(found)
        return found not in LOCAL

    def _home(self, match: re.Match[str]) -> str:
        name = match.group("name") or match.group("windows")
        if name.startswith("<"):
            return match.group()
        if _telling(name):
            self._people.add(name)
        return self._named("home", match.group("home"))

    def _named(self, kind: Kind, text: str) -> str:
        key = (kind, text)
        if key not in self._names:
            number = sum(1 for known, _ in self._names if known == kind) + 1
            self._names[key] = f"<{kind}-{number}>"
        self._counts[key] = self._counts.get(key, 0) + 1
        return self._names[key]


def for_this_machine() -> Redactor:
    """Return a redactor that knows this machine's user and home folder."""
    return Redactor(_this_user(), [str(Path.home())])


def told(hidden: Iterable[Hidden]) -> str:
    """Say in words what was hidden: `2 IP addresses, 1 token`; an empty text for nothing."""
    counts: dict[str, int] = {}
    for item in hidden:
        counts[item.kind] = counts.get(item.kind, 0) + 1
    return ", ".join(f"{n} {NAMES[kind]}{_plural(NAMES[kind]) if n > 1 else ''}" for kind, n in counts.items())


def _plural(word: str) -> str:
    return "es" if word.endswith("s") else "s"


@functools.cache
def _this_user() -> tuple[str, ...]:
    return tuple(_user_names())


def _user_names() -> Iterator[str]:
    try:
        yield getpass.getuser()
    except (KeyError, OSError, ImportError):  # a container's user without a name
        return


def _telling(name: str) -> bool:
    return not NOBODY.fullmatch(name)
