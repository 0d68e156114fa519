"""What pygls leaves open: cancelling a command that runs, and answering with one sentence instead of a stack trace."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcRequestCancelled
from pygls.protocol import LanguageServerProtocol

from firstfault.errors import Cancelled, FirstfaultError
from firstfault.lsp.requests import BadArguments

if TYPE_CHECKING:
    from cattrs import Converter

    from firstfault.lsp.session import FirstfaultServer


class Protocol(LanguageServerProtocol):
    """Passes `$/cancelRequest` on to the command that runs, which pygls answers for but lets run on."""

    def __init__(self, server: FirstfaultServer, converter: Converter) -> None:
        self.running: dict[str | int | None, asyncio.Task[object]] = {}
        super().__init__(server, converter)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        super()._handle_cancel_notification(msg_id)
        if msg_id in self.running:
            self.running[msg_id].cancel()

    async def cancel_all(self) -> None:
        """Cancel every command that runs, and wait until each has answered."""
        tasks = list(self.running.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


@asynccontextmanager
async def answering(ls: FirstfaultServer) -> AsyncIterator[None]:
    """Make the request that is being answered cancellable, and its failures errors of the protocol."""
    running, name, task = ls.protocol.running, ls.protocol.msg_id, asyncio.current_task()
    assert task is not None
    running[name] = task
    try:
        yield
    except BadArguments as error:
        raise JsonRpcInvalidParams(str(error)) from error
    except FirstfaultError as error:
        raise JsonRpcException(str(error), types.LSPErrorCodes.RequestFailed.value) from error
    except (Cancelled, asyncio.CancelledError) as error:
        raise JsonRpcRequestCancelled from error
    finally:
        running.pop(name, None)


def is_news(record: logging.LogRecord) -> bool:
    """Tell what belongs into the log from a stack trace for what the user was told in a sentence."""
    error = record.exc_info[1] if record.exc_info else None
    expected = (FirstfaultError, Cancelled, asyncio.CancelledError)
    return not (isinstance(error, JsonRpcException) and isinstance(error.__cause__, expected))
