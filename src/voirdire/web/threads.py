"""Work in a thread that nobody waits for when the server stops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """What `work` returns or raises, from a thread of its own.

    Unlike one of `asyncio.to_thread`, it ends with the process, so that an export under way never delays Ctrl-C.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def answer(settle: Callable[[], None]) -> None:
        if not done.done():
            settle()

    def run() -> None:
        try:
            result = work()
            settle = lambda: done.set_result(result)  # noqa: E731 - two ways to settle one future
        except BaseException as error:  # whoever waits for it is told
            failure = error
            settle = lambda: done.set_exception(failure)  # noqa: E731
        with suppress(RuntimeError):  # the loop has ended: nobody waits
            loop.call_soon_threadsafe(answer, settle)

    threading.Thread(target=run, daemon=True).start()
    return await done
