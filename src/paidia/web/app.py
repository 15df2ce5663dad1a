"""The server: hands out the page, and carries messages between each page and its children.

An envelope is all it reads: `{"desk": 3, "do": "open", ...}` asks for a child, `"do": "close"` ends it, and whatever else is
passed on to it. What a child says goes to the page as `{"desk": 3, "say": ...}`.
"""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
from collections.abc import AsyncIterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from paidia.web.children import Child, Limits, Nursery
from paidia.web.security import Guard, Rate

__all__ = ["LARGEST_MESSAGE", "MOST_PAGES", "make_app"]

LARGEST_MESSAGE = 2_000_000  # bytes from a page: a record or a rule sheet
MOST_PAGES = 24  # sockets at the same time
MOST_DESKS = 6  # children of one page
READY = 15.0  # seconds that the server waits for its list of games before it says where it is
PER_SECOND, BURST = 60.0, 200.0  # messages of one page
#: How long a child may take to answer, in units of `Limits.patience`: rules that explode are given up.
WITHIN = {"check": 1.0, "why": 1.0, "open": 4.5, "edges": 1.5}

PAGE: Traversable = resources.files("paidia.web") / "page"


class _Envelope(msgspec.Struct):
    desk: int
    do: str


def make_app(*, token: str, hosts: frozenset[str], limits: Limits | None = None) -> ASGIApp:
    """The application, behind its guard."""
    nursery = Nursery(limits or Limits())
    pages: set[_Page] = set()
    files = {name: _read(name) for name in _names(PAGE)}

    async def file(request: Request) -> Response:
        name = request.path_params["name"] or "index.html"
        if name not in files:
            return Response("not found", status_code=404)
        body, kind = files[name]
        return Response(body, media_type=kind)

    known: list[asyncio.Task[bytes]] = []

    async def catalogue(request: Request) -> Response:
        """Games and agents: asked of a child once, when the server starts, so that the first page need not wait."""
        return Response(await asyncio.shield(known[0]), media_type="application/json")

    async def socket(socket: WebSocket) -> None:
        if len(pages) >= MOST_PAGES:
            await socket.close(1013)
            return
        page = _Page(socket, nursery)
        pages.add(page)
        try:
            await page.serve()
        finally:
            pages.discard(page)
            await page.leave()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        nursery.open()
        known.append(asyncio.create_task(_catalogue(nursery)))
        await asyncio.wait(known, timeout=READY)  # whoever opens the address finds everything there
        yield
        known[0].cancel()
        await nursery.close()

    routes = [WebSocketRoute("/socket", socket), Route("/catalogue.json", catalogue), Route("/{name:path}", file)]
    return Guard(Starlette(routes=routes, lifespan=lifespan), token=token, hosts=hosts)


async def _catalogue(nursery: Nursery) -> bytes:
    child = await nursery.take()
    await child.tell(b'{"do": "open", "kind": "catalogue"}')
    line = await child.next()
    await nursery.give_back(child)
    return line or b'{"error": "the games cannot be listed"}'


def _names(folder: Traversable, above: str = "") -> list[str]:
    found = []
    for entry in folder.iterdir():
        name = f"{above}{entry.name}"
        found += _names(entry, f"{name}/") if entry.is_dir() else [name]
    return found


def _read(name: str) -> tuple[bytes, str]:
    kinds = {".js": "text/javascript", ".svg": "image/svg+xml"}
    suffix = PurePosixPath(name).suffix
    kind = kinds.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return PAGE.joinpath(*name.split("/")).read_bytes(), kind


class _Page:
    """One socket and the children that work for it."""

    def __init__(self, socket: WebSocket, nursery: Nursery) -> None:
        self._socket, self._nursery = socket, nursery
        self._children: dict[int, Child] = {}
        self._speakers: set[asyncio.Task[None]] = set()
        self._rate = Rate(PER_SECOND, BURST)
        self._sending = asyncio.Lock()

    async def serve(self) -> None:
        """Until the page goes."""
        await self._socket.accept()
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                data = message.get("text")
                if data is None or not self._rate.allows():
                    await self._socket.close(1008, "text only, and not so fast")
                    return
                await self._take(data.encode())

    async def _take(self, data: bytes) -> None:
        try:
            envelope = msgspec.json.decode(data, type=_Envelope)
        except msgspec.DecodeError as error:
            await self._say(0, msgspec.json.encode({"error": f"not a message: {error}"}))
            return
        child = self._children.get(envelope.desk)
        if envelope.do == "close":
            if child is not None:
                await self._nursery.give_back(self._children.pop(envelope.desk))
        elif child is not None:
            await child.tell(data, within=self._within(envelope.do))
        elif envelope.do == "open":
            await self._open(envelope.desk, data)
        else:
            await self._say(envelope.desk, msgspec.json.encode({"error": "this desk is closed; open it again", "gone": True}))

    async def _open(self, desk: int, data: bytes) -> None:
        if len(self._children) >= MOST_DESKS or self._nursery.full:
            await self._say(desk, msgspec.json.encode({"error": "too many matches at once: close one first", "gone": True}))
            return
        child = await self._nursery.take()
        self._children[desk] = child
        task = asyncio.create_task(self._speak(desk, child))
        self._speakers.add(task)
        task.add_done_callback(self._speakers.discard)
        await child.tell(data, within=self._within("open"))

    def _within(self, what: str) -> float:
        return WITHIN.get(what, float("inf")) * self._nursery.limits.patience

    async def _speak(self, desk: int, child: Child) -> None:
        """Hand on what a child says, until it ends."""
        while (line := await child.next()) is not None:
            await self._say(desk, line)
        if self._children.get(desk) is child:
            del self._children[desk]
            how = await self._nursery.give_back(child)
            text = f"the process of this desk {how or 'ended'}: it reached a limit on memory or time, or broke"
            await self._say(desk, msgspec.json.encode({"error": text, "gone": True}))

    async def _say(self, desk: int, line: bytes) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            async with self._sending:
                await self._socket.send_text(f'{{"desk":{desk},"say":{line.decode()}}}')

    async def leave(self) -> None:
        """The page has gone: its children go as well."""
        for task in self._speakers:
            task.cancel()
        for child in self._children.values():
            await self._nursery.give_back(child)
        self._children.clear()
