"""A front door other than the pages: its routes, and what runs for as long as they are served."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple

from starlette.routing import BaseRoute


class FrontDoor(NamedTuple):
    """Routes and the context that they need; it is entered when the server starts and left when it stops."""

    routes: Sequence[BaseRoute]
    running: AbstractAsyncContextManager[None]
