"""Runs the server on this machine."""

from __future__ import annotations

import contextlib
import secrets
import socket
import webbrowser
from collections.abc import Callable

from paidia.core.errors import BadInput
from paidia.web.children import Limits

__all__ = ["serve"]


def serve(port: int, *, open_page: bool = False, limits: Limits | None = None, announce: Callable[[str], None] = print) -> None:
    """Serve on the loopback address until interrupted; `announce` is told the address with its token, once it answers."""
    try:
        import uvicorn

        from paidia.web.app import LARGEST_MESSAGE, make_app
    except ImportError as error:
        raise BadInput(f"the page needs more packages ({error.name} is missing): pip install 'paidia[web]'") from None
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        raise BadInput(f"port {port} cannot be used ({error.strerror}); give another one with --port") from None
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(18)
    hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
    config = uvicorn.Config(
        make_app(token=token, hosts=hosts, limits=limits),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_max_queue=32,
        limit_concurrency=120,
        h11_max_incomplete_event_size=16_384,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    address = f"http://127.0.0.1:{port}/{token}/"

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            announce(address)
            if open_page:
                webbrowser.open(address)

    with contextlib.suppress(KeyboardInterrupt):
        Server(config).run(sockets=[listener])
