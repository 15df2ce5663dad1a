"""Who may speak to the server: hosts, origins, the token, and how much.

The address that `paidia web` prints holds a random token; whoever does not know it gets 404, whatever they ask for. A browser
names the host it thinks it speaks to and the page that a socket belongs to: both must be ours, so that no page of others can
use the token by a trick with names (DNS rebinding) or from another origin.
"""

from __future__ import annotations

import hmac
import time

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "Guard", "Rate"]

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Lets requests through that come from our own page with the right token, and adds the headers of `HEADERS`.

    Args:
        app: Whatever answers them.
        token: The first part of every path.
        hosts: Names by which this server may be called, with the port.
    """

    def __init__(self, app: ASGIApp, *, token: str, hosts: frozenset[str]) -> None:
        self._app, self._token, self._hosts = app, token.encode(), hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        fitting = origin in {f"http://{host}" for host in self._hosts}
        _, given, rest = [*scope["path"].split("/", 2), "", ""][:3]
        known = hmac.compare_digest(given.encode(), self._token)
        if scope["type"] == "websocket":
            allowed = fitting and known and headers.get("host") in self._hosts
            if not allowed:
                await receive()
                await send({"type": "websocket.close", "code": 1008})
                return
        elif headers.get("host") not in self._hosts or (origin is not None and not fitting):
            await _refuse(send, 403, "this address belongs to somebody else")
            return
        elif not known or scope["method"] not in ("GET", "HEAD"):
            await _refuse(send, 404, "not found: use the address that `paidia web` printed")
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        await self._app({**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode()}, receive, guarded)


async def _refuse(send: Send, status: int, text: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *((k.encode(), v.encode()) for k, v in HEADERS.items())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


class Rate:
    """How fast a connection may speak: so many messages per second on average, and a few more at once."""

    def __init__(self, per_second: float, burst: float) -> None:
        self._per_second, self._burst = per_second, burst
        self._left, self._then = burst, time.monotonic()

    def allows(self, cost: float = 1.0) -> bool:
        """Whether one more is in order now; if so it is counted."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._then) * self._per_second)
        self._then = now
        if self._left < cost:
            return False
        self._left -= cost
        return True
