"""What lies in the extension's packages: for each target all that is needed, and nothing else."""

from __future__ import annotations

import json
import re
import struct
from functools import cache
from zipfile import ZipFile

import pytest
from packages import LIBRARIES, LOCKED, ROOT, TARGETS, built, host

MOST = 36 << 20  # bytes: six Pythons times three compiled libraries
EACH = [pytest.param(t, marks=() if t == host() else pytest.mark.slow) for t in TARGETS]
STEMS = {"hyperscan": "hyperscan/_hs_ext", "libcst": "libcst/native", "regex": "regex/_regex"}
SUFFIXES = {
    "linux-x64": "cpython-{}-x86_64-linux-gnu.so",
    "linux-arm64": "cpython-{}-aarch64-linux-gnu.so",
    "alpine-x64": "cpython-{}-x86_64-linux-musl.so",
    "darwin-arm64": "cpython-{}-darwin.so",
    "darwin-x64": "cpython-{}-darwin.so",
    "win32-x64": "cp{}-win_amd64.pyd",
}
# CPython 3.10 calls its files gnu on musl too
OTHER_NAMES = {
    "alpine-x64": lambda name: name.replace("-310-x86_64-linux-musl", "-310-x86_64-linux-gnu"),
}
# the compilers' own runtimes, which wheels bring where a system may lack them
BESIDE = {
    "alpine-x64": re.compile(r"libcst\.libs/libgcc_s-[0-9a-f]{8}\.so\.1"),
    "win32-x64": re.compile(r"hyperscan\.libs/msvcp140-[0-9a-f]{32}\.dll"),
}
KINDS = {
    "linux-x64": ("elf", 62),
    "linux-arm64": ("elf", 183),
    "alpine-x64": ("elf", 62),
    "darwin-arm64": ("mach-o", 0x0100000C),
    "darwin-x64": ("mach-o", 0x01000007),
    "win32-x64": ("pe", 0x8664),
}
UNWANTED = re.compile(
    r"(^|/)(tests?|testing|__pycache__|node_modules|src|bin|\.[^/]+)/|(^|/)\.[^/]+$"
    r"|\.(pyc|pyi|pyx|c|h|map|ts|mjs|vsix|whl|log|pem|key|p12|env|tgz|stamp|lock)$|tsconfig|package-lock|RECORD$|\.a$"
)
SECRETS = re.compile(
    rb"-----BEGIN [A-Z ]*PRIVATE KEY-----|\bgh[pousr]_\w{30}|\bnpm_\w{36}|\bAKIA[0-9A-Z]{16}\b|://[^/\s:@]+:[^/\s@{}]+@"
)


@cache
def contents(target: str) -> dict[str, bytes]:
    """Return the files that VS Code would unpack."""
    with ZipFile(built(target)) as package:
        files = [name for name in package.namelist() if name.startswith("extension/") and not name.endswith("/")]
        return {name.removeprefix("extension/"): package.read(name) for name in files}


def tops(names: list[str], below: str = "") -> set[str]:
    return {name.removeprefix(below).split("/")[0] for name in names if name.startswith(below)}


def kind(content: bytes) -> tuple[str, int] | None:
    """Return the format and the machine of a program or library; None for anything else."""
    if content.startswith(b"\x7fELF"):
        return "elf", struct.unpack_from("<H", content, 18)[0]
    if content[:4] in (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe"):
        return "mach-o", struct.unpack_from("<I", content, 4)[0]
    if content[:4] in (b"\xca\xfe\xba\xbe", b"\xfe\xed\xfa\xcf"):
        return "mach-o of several machines", 0
    if content.startswith(b"MZ"):
        return "pe", struct.unpack_from("<H", content, struct.unpack_from("<I", content, 0x3C)[0] + 4)[0]
    return ("archive", 0) if content.startswith((b"PK\x03\x04", b"!<arch>", b"\x1f\x8b")) else None


@pytest.mark.parametrize("target", EACH)
def test_only_what_belongs_lies_in_a_package(target: str) -> None:
    names = list(contents(target))
    assert tops(names) == {"package.json", "readme.md", "changelog.md", "LICENSE.txt", "dist", "server"}
    assert tops(names, "dist/") == {"extension.cjs", "LICENSES.txt"}
    assert tops(names, "server/") == {"start.py", "firstfault", "libs"}
    libraries = {"attr", "attrs", "cattr", "cattrs", "exceptiongroup", "lsprotocol", "pygls", "ruamel", "tomli"}
    libraries |= {"hyperscan", "libcst", "regex", "typing_extensions.py", "LICENSES.txt"}
    libraries |= {
        f"{wheel.removesuffix('-py3-none-any.whl')}.dist-info"
        for wheel in LOCKED["any"]
        if "attrs-" in wheel and "cattrs" not in wheel
    }
    assert tops(names, "server/libs/") - {"hyperscan.libs", "libcst.libs"} == libraries
    assert [name for name in names if UNWANTED.search(name)] == []


@pytest.mark.parametrize("target", EACH)
def test_the_engine_is_whole(target: str) -> None:
    expected = {"start.py": ROOT / "server" / "start.py"}
    for folder, to in ((ROOT / "server" / "firstfault", "firstfault"), (ROOT / "signatures", "firstfault/signatures")):
        for path in folder.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                expected[f"{to}/{path.relative_to(folder).as_posix()}"] = path
    shipped = {n.removeprefix("server/"): c for n, c in contents(target).items() if n.startswith("server/")}
    engine = {name: content for name, content in shipped.items() if not name.startswith("libs/")}
    assert engine == {name: path.read_bytes() for name, path in expected.items()}
    assert sum(name.startswith("firstfault/signatures/") for name in engine) > 300


@pytest.mark.parametrize("target", EACH)
def test_every_python_has_its_compiled_files_and_no_other_system_has(target: str) -> None:
    versions = [p.replace(".", "") for p in LIBRARIES["PYTHONS"]]
    absent = {(lib, python.replace(".", "")) for (t, lib, python) in LIBRARIES["ABSENT"] if t == target}
    wanted = {f"{STEMS[lib]}.{SUFFIXES[target].format(v)}" for lib in STEMS for v in versions if (lib, v) not in absent}
    wanted = set(map(OTHER_NAMES.get(target, str), wanted))
    libs = {n.removeprefix("server/libs/"): c for n, c in contents(target).items() if n.startswith("server/libs/")}
    found = {name: kind(content) for name, content in contents(target).items() if kind(content)}
    assert set(found.values()) == {KINDS[target]}
    compiled = {name.removeprefix("server/libs/") for name in found}
    extra = compiled - wanted
    assert wanted <= compiled
    assert all(target in BESIDE and BESIDE[target].fullmatch(name) for name in extra), extra
    if KINDS[target][0] == "elf":
        musl = {name for name in compiled if b"libc.musl-x86_64.so.1" in libs[name]}
        assert musl == (compiled if target.startswith("alpine") else set())


@pytest.mark.parametrize("target", EACH)
def test_a_package_says_what_it_is_and_keeps_its_size(target: str) -> None:
    manifest = json.loads(contents(target)["package.json"])
    assert not {"scripts", "devDependencies", "private", "type"} & set(manifest)
    assert manifest["main"].removeprefix("./") in contents(target)
    with ZipFile(built(target)) as package:
        assert f'TargetPlatform="{target}"' in package.read("extension.vsixmanifest").decode()
    assert built(target).name == f"firstfault-{target}-{manifest['version']}.vsix"
    assert built(target).stat().st_size < MOST


@pytest.mark.parametrize("target", EACH)
def test_nothing_tells_of_the_machine_that_built_it(target: str) -> None:
    place = str(ROOT).encode()
    assert [name for name, content in contents(target).items() if place in content] == []
    assert {n: s.group() for n, c in contents(target).items() if not kind(c) and (s := SECRETS.search(c))} == {}


@pytest.mark.parametrize("target", EACH)
def test_every_library_comes_with_its_licence(target: str) -> None:
    texts = contents(target)["server/libs/LICENSES.txt"].decode()
    for wheel in (*LOCKED["any"], *LOCKED[target]):
        assert f"\n{'-'.join(wheel.split('-')[:2])}\n" in texts
    assert {"pcre", "vectorscan"} <= set(texts.splitlines())
    assert len(re.findall(r"Permission is hereby granted|Redistribution and use|Apache License|PSF", texts)) >= 10
    assert "MIT" in contents(target)["dist/LICENSES.txt"].decode()


def test_a_package_that_is_up_to_date_is_not_built_again() -> None:
    before = built(host()).stat().st_mtime_ns
    built.cache_clear()
    assert built(host()).stat().st_mtime_ns == before


def test_the_locked_wheels_are_those_of_the_locked_requirements() -> None:
    runtime = dict(re.findall(r"^([a-z-]+)==(\S+)", (ROOT / "requirements" / "runtime.txt").read_text(), re.MULTILINE))
    assert set(LOCKED) == {"any", *LIBRARIES["TARGETS"]}
    for target, wheels in LOCKED.items():
        for wheel, digest in wheels.items():
            name, version = wheel.split("-")[:2]
            name = name.replace("_", "-")
            assert version == LIBRARIES["OTHER_VERSIONS"].get((target, name), runtime[name])
            assert re.fullmatch(r"[0-9a-f]{64}", digest)
            assert re.fullmatch(r"[\w.]+-[\w.]+-[\w.]+-[\w.]+-[\w.]+\.whl", wheel)
