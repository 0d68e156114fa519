"""The Python libraries inside the extension's packages: which wheels they are, and their unpacked folder.

`lock` writes requirements/bundle.json (npm run lock), `unpack TARGET FOLDER` makes a folder of libraries from it.
Run by the Python of `.venv`, whose pip is used.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
LOCK = ROOT / "requirements" / "bundle.json"
CACHE = ROOT / "build" / "wheels"
LICENSES = ROOT / "requirements" / "licenses"

PURE = ("attrs", "cattrs", "exceptiongroup", "lsprotocol", "pygls", "ruamel-yaml", "tomli", "typing-extensions")
COMPILED = ("hyperscan", "libcst", "regex")
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14", "3.15")
# the editor's own targets, and the oldest systems that the editor itself runs on: glibc 2.28, macOS 11
GLIBC = ("manylinux_2_28", "manylinux_2_27", "manylinux_2_26", "manylinux_2_24", "manylinux_2_17", "manylinux2014")
TARGETS = {
    "linux-x64": tuple(f"{tag}_x86_64" for tag in GLIBC),
    "linux-arm64": tuple(f"{tag}_aarch64" for tag in GLIBC),
    "alpine-x64": ("musllinux_1_2_x86_64", "musllinux_1_1_x86_64"),
    "darwin-arm64": ("macosx_11_0_arm64",),
    "darwin-x64": ("macosx_11_0_x86_64",),
    "win32-x64": ("win_amd64",),
}
# (target, library) -> version, where the locked one has no wheel
OTHER_VERSIONS = {("darwin-x64", "libcst"): "1.8.6"}  # the last release with wheels for Intel Macs
# (target, library, Python) -> why there is no wheel at all; the engine says so and goes on without
ABSENT = {("darwin-x64", "libcst", "3.15"): "LibCST left Intel Macs before CPython 3.15 came"}

# In the wheels, but of no use to a program that runs: tests, types, sources, samples
USELESS = re.compile(
    r"(^|/)(tests|testing|__pycache__)/|\.(pyi|c|txt|md)$|(^|/)py\.typed$|^libcst/(tool\.py|codemod/commands/)|\.data/"
)
METADATA = re.compile(r"\.dist-info/")
READ_AT_RUN_TIME = re.compile(r"^attrs-[^/]*\.dist-info/METADATA$")
LICENSE = re.compile(r"\.dist-info/(licenses/)?[^/]*(LICEN[CS]E|COPYING|NOTICE)[^/]*$", re.IGNORECASE)


def main(arguments: list[str]) -> int:
    """Run one of the two commands."""
    if arguments == ["lock"]:
        LOCK.write_text(json.dumps(lock(), indent=1) + "\n", encoding="utf-8")
    else:
        command, target, folder = arguments
        if command != "unpack":
            raise SystemExit(f"wheels.py knows lock and unpack, not {command}")
        unpack(target, Path(folder))
    return 0


def lock() -> dict[str, dict[str, str]]:
    """Ask the index for a wheel of each library, target and Python; return file name -> SHA-256 by target."""
    versions = dict(re.findall(r"^([a-z-]+)==(\S+)", (LOCK.parent / "runtime.txt").read_text("utf-8"), re.MULTILINE))
    pure = [("any", name, versions[name], PYTHONS[0], ("any",)) for name in PURE]
    compiled = [
        (target, name, OTHER_VERSIONS.get((target, name), versions[name]), python, platforms)
        for target, platforms in TARGETS.items()
        for name in COMPILED
        for python in PYTHONS
    ]
    wanted = [*pure, *compiled]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda want: locate(*want[1:]), wanted))
    locked: dict[str, dict[str, str]] = {}
    for (target, name, version, python, _), wheel in zip(wanted, found, strict=True):
        if (wheel is None) != ((target, name, python) in ABSENT):
            raise SystemExit(f"{name} {version} for Python {python} on {target}: ABSENT and the index disagree")
        if wheel:
            locked.setdefault(target, {})[wheel[0]] = wheel[1]
    return {target: dict(sorted(wheels.items())) for target, wheels in locked.items()}


def locate(name: str, version: str, python: str, platforms: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the file name and hash of the wheel that pip would take, None when there is none."""
    command = ["install", "--dry-run", "--ignore-installed", "--report", "-", "--target", "unused"]
    done = pip(*command, *platform_options(python, platforms), f"{name}=={version}")
    if done.returncode:
        if "No matching distribution" in done.stderr:
            return None
        raise SystemExit(done.stderr)
    info = json.loads(done.stdout)["install"][0]["download_info"]
    return info["url"].rsplit("/", 1)[1], info["archive_info"]["hashes"]["sha256"]


def platform_options(python: str, platforms: tuple[str, ...]) -> Iterator[str]:
    """Yield pip's options for wheels of another Python and system."""
    yield from ("--no-deps", "--only-binary", ":all:", "--implementation", "cp", "--python-version", python)
    for platform in platforms:
        yield from ("--platform", platform)


def pip(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run pip quietly."""
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--no-input", "--disable-pip-version-check"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def wheels(target: str) -> list[Path]:
    """Return the locked wheels of a target, after downloading those that are not here yet."""
    locked = json.loads(LOCK.read_text(encoding="utf-8"))
    hashes = {**locked["any"], **locked[target]}
    CACHE.mkdir(parents=True, exist_ok=True)
    missing = [name for name in hashes if not intact(CACHE / name, hashes[name])]
    by_python: dict[str, list[str]] = {}
    for name in missing:
        by_python.setdefault(python_of(name), []).append(name)
    for python, names in by_python.items():
        download(python, TARGETS[target], {name: hashes[name] for name in names})
    return [CACHE / name for name in hashes]


def intact(wheel: Path, digest: str) -> bool:
    """Tell whether a file is there and is the locked one."""
    return wheel.is_file() and hashlib.sha256(wheel.read_bytes()).hexdigest() == digest


def python_of(wheel: str) -> str:
    """Return the Python for which pip must look: cp313 -> 3.13, py3 -> the oldest."""
    tag = wheel.rsplit("-", 3)[1]
    return f"3.{tag[3:]}" if tag.startswith("cp") else PYTHONS[0]


def download(python: str, platforms: tuple[str, ...], hashes: dict[str, str]) -> None:
    """Let pip download wheels of one Python into the cache; it refuses what does not have the locked hash."""
    listed = CACHE / "requirements.txt"
    pins = ("{}=={}".format(*name.split("-")[:2]) + f" --hash=sha256:{digest}" for name, digest in hashes.items())
    listed.write_text("\n".join(pins) + "\n", encoding="utf-8")
    options = platform_options(python, platforms)
    done = pip("download", "--require-hashes", "--dest", str(CACHE), *options, "--requirement", str(listed))
    listed.unlink()
    wrong = [name for name, digest in hashes.items() if not intact(CACHE / name, digest)]
    if done.returncode or wrong:
        raise SystemExit(f"The locked wheels could not be downloaded ({', '.join(wrong)}): {done.stderr.strip()}")


def unpack(target: str, folder: Path) -> None:
    """Lay the libraries of all Pythons over each other, without what nobody needs, and gather their licences.

    The versions of a library are the same for all Pythons of a target, so only the compiled files differ, and their
    names carry the ABI.
    """
    shutil.rmtree(folder, ignore_errors=True)
    licenses: dict[str, str] = {}
    for path in wheels(target):
        with ZipFile(path) as wheel:
            for name in wheel.namelist():
                if LICENSE.search(name):
                    licenses["-".join(path.name.split("-")[:2])] = wheel.read(name).decode("utf-8")
                if needed(name):
                    place(folder / name, wheel.read(name))
    for path in sorted(LICENSES.glob("*.txt")):
        licenses[path.stem] = path.read_text(encoding="utf-8")
    texts = (f"{'=' * 80}\n{name}\n{'=' * 80}\n\n{licenses[name].strip()}\n" for name in sorted(licenses))
    place(folder / "LICENSES.txt", "\n".join(texts).encode())


def needed(name: str) -> bool:
    """Tell whether a file of a wheel is needed when the program runs."""
    if name.endswith("/"):
        return False
    return bool(READ_AT_RUN_TIME.match(name)) if METADATA.search(name) else not USELESS.search(name)


def place(path: Path, content: bytes) -> None:
    """Write a file; one that two wheels share must be the same in both."""
    if path.exists() and path.read_bytes() != content:
        raise SystemExit(f"{path.name} differs between two wheels: give each Python its own folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
