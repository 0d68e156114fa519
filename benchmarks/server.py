"""Measure the server as an editor meets it: cold start, a selection when idle, hover and code action under load.

Usage: python benchmarks/server.py [--gb 10] [--asked 200]

A log of that size is made in the temporary folder, and diagnosed over and over while hover and code action are asked.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from at_size import ERROR, lines, make
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client

SCRIPT = "\n" * 41 + "    main()\n"
SELECTED = 2000
READING = "reading"  # the request that is cancelled in the end


async def start(root: Path) -> tuple[LanguageClient, float]:
    """Start a server; return its client and the seconds until it was initialized."""
    before = time.perf_counter()
    client = await ClientServerConfig(
        [sys.executable, "-m", "firstfault", "lsp"], make_test_lsp_client, dict(os.environ)
    ).start()
    folders = [types.WorkspaceFolder(root.as_uri(), root.name)]
    await client.initialize_session(
        types.InitializeParams(client_capabilities("visual-studio-code"), workspace_folders=folders)
    )
    return client, time.perf_counter() - before


async def diagnose(client: LanguageClient, **asked: object) -> Any:
    """Ask for a diagnosis."""
    params = types.ExecuteCommandParams("firstfault.diagnose", [{"origin": "benchmark", **asked}])
    return await client.workspace_execute_command_async(params)


async def timed(title: str, ask: Callable[[], Awaitable[object]], times: int, pause: float = 0.0) -> None:
    """Print the median and the 95th percentile of how long an answer takes."""
    taken = []
    for _ in range(times):
        before = time.perf_counter()
        assert await ask()
        taken.append((time.perf_counter() - before) * 1000)
        await asyncio.sleep(pause)
    taken.sort()
    print(f"{title:48} p50 {taken[len(taken) // 2]:7.1f} ms   p95 {taken[int(len(taken) * 0.95)]:7.1f} ms", flush=True)


async def endlessly(client: LanguageClient, log: Path) -> None:
    """Keep the server reading, until cancelled."""
    asked = types.ExecuteCommandParams("firstfault.diagnose", [{"origin": "benchmark", "paths": [str(log)]}])
    while True:
        await client.protocol.send_request_async("workspace/executeCommand", asked, READING)


def imports() -> None:
    """Print what the start spends its time on."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import firstfault.lsp.server"],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split("|") for line in done.stderr.splitlines() if line.count("|") == 2]
    slow = sorted(((int(r[1]), r[2].strip()) for r in rows if r[1].strip().isdigit()), reverse=True)
    print("imports (cumulative, ms): " + ", ".join(f"{name} {taken / 1000:.0f}" for taken, name in slow[:8]))


async def measure(root: Path, gigabytes: float, asked: int) -> None:
    """Run all measurements in one server."""
    starts = []
    for _ in range(3):
        client, seconds = await start(root)
        starts.append(seconds)
        await client.shutdown_session()
        await client.stop()
    print(f"{'cold start to initialized':48} {min(starts) * 1000:7.0f} ms", flush=True)
    imports()
    client, _ = await start(root)
    script, log = root / "train.py", root / "long.log"
    script.write_text(SCRIPT)
    text = "".join(list(lines(8))[: SELECTED - 4]) + ERROR.replace("/job/train.py", str(script))
    await diagnose(client, text=text, cwd=str(root))
    document, here = types.TextDocumentIdentifier(script.as_uri()), types.Position(41, 5)
    action = types.CodeActionParams(document, types.Range(here, here), types.CodeActionContext([]))
    await timed(f"selection of {SELECTED} lines, idle", lambda: diagnose(client, text=text, cwd=str(root)), 40)
    await timed("hover, idle", lambda: client.text_document_hover_async(types.HoverParams(document, here)), asked)
    make(log, gigabytes * 1e9, "".join(lines(64)).encode())
    reading = asyncio.ensure_future(endlessly(client, log))
    await asyncio.sleep(1)
    title = f"while {gigabytes:g} GB are read"
    hover = types.HoverParams(document, here)
    await timed(f"hover, {title}", lambda: client.text_document_hover_async(hover), asked, 0.02)
    await timed(f"code action, {title}", lambda: client.text_document_code_action_async(action), asked, 0.02)
    assert not reading.done()
    client.cancel_request(types.CancelParams(READING))
    with suppress(JsonRpcException):
        await reading
    await client.shutdown_session()
    await client.stop()


def main() -> None:
    """Make, measure, delete."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--gb", type=float, default=10.0)
    parser.add_argument("--asked", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="firstfault-benchmark-") as name:
        asyncio.run(measure(Path(name), options.gb, options.asked))


if __name__ == "__main__":
    main()
