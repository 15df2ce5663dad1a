"""A GGP player behind an HTTP port.

Whoever can reach the port can send anything, so everything is bounded: the size of a body, the time it may take to
arrive, and how many clients are served at once. A client that has not sent its whole message makes room for a new one when there
are too many, the oldest first, so that connections that say nothing keep nobody out. What is no message gets status 400 and a
line that says why; nothing that was sent is logged as it is.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from paidia.connect.ggp.messages import MessageError, read_message
from paidia.connect.ggp.player import GgpPlayer
from paidia.core.errors import BadInput, PaidiaError
from paidia.core.text import printable

__all__ = ["PORT", "PlayerServer"]

PORT = 9147  # what GGP hosts offer by default
MOST_BYTES = 4_000_000
MOST_CLIENTS = 16
MOST_REPLY = 100_000  # characters
SECONDS_TO_SEND = 20.0  # for a whole request

_LOG = logging.getLogger("paidia")


class PlayerServer(ThreadingHTTPServer):
    """Serves one player.

    Args:
        player: Who answers.
        address: Where to listen; port 0 takes any free one.
        seconds_to_send: How long a client may take to send its request.
    """

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 32

    def __init__(self, player: GgpPlayer, address: tuple[str, int], *, seconds_to_send: float = SECONDS_TO_SEND) -> None:
        self.player = player
        self.seconds_to_send = seconds_to_send
        self._lock = threading.Lock()  # of the two below
        self._clients = 0
        self._sending: dict[socket.socket, None] = {}  # whose messages are not complete, in the order of their coming
        try:
            super().__init__(address, _Handler)
        except (OSError, OverflowError) as error:
            raise BadInput(f"cannot listen at {address[0]}:{address[1]}: {error}") from None

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            oldest = next(iter(self._sending), None) if self._clients >= MOST_CLIENTS else None
            if (self._clients >= MOST_CLIENTS and oldest is None) or self._clients >= 2 * MOST_CLIENTS:
                full = True
            else:
                full = False
                self._clients += 1
                self._sending[request] = None
            if oldest is not None:
                del self._sending[oldest]
        if oldest is not None:
            _cut(oldest)
        if full:
            self.shutdown_request(request)  # all are being answered: this one may come again
            return
        try:
            super().process_request(request, client_address)
        except BaseException:  # no thread could be started
            self._gone(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._gone(request)

    def has_sent(self, request: socket.socket) -> None:
        """A client's message is complete; from now on it is our turn."""
        with self._lock:
            self._sending.pop(request, None)

    def _gone(self, request: socket.socket) -> None:
        with self._lock:
            self._clients -= 1
            self._sending.pop(request, None)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no news; anything else is a defect of ours and is logged."""
        if not isinstance(sys.exception(), OSError):
            _LOG.exception("a request failed")


class _Handler(BaseHTTPRequestHandler):
    server: PlayerServer
    protocol_version = "HTTP/1.0"  # one request a connection, as GGP hosts expect

    def setup(self) -> None:
        self.arrived = time.monotonic()
        super().setup()
        self.connection.settimeout(self.server.seconds_to_send)
        # A client that sends a byte now and then never runs into a timeout: the watch ends it.
        self._watch = threading.Timer(self.server.seconds_to_send, _cut, [self.connection])
        self._watch.daemon = True
        self._watch.start()

    def finish(self) -> None:
        self._watch.cancel()
        super().finish()

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal() and len(length) < 10):
            self._reply(411, "say how long the message is (Content-Length)")
            return
        if int(length) > MOST_BYTES:
            self.close_connection = True
            self._reply(413, f"a message has at most {MOST_BYTES} bytes")
            return
        body = self.rfile.read(int(length))
        self._watch.cancel()
        self.server.has_sent(self.connection)
        if len(body) < int(length):
            return
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            self._reply(400, "the message is not UTF-8 text")
            return
        try:
            self._reply(200, self.server.player.answer(read_message(text), self.arrived))
        except MessageError as error:
            self._reply(400, str(error))
        except PaidiaError as error:
            _LOG.warning("%s", printable(str(error)))
            self._reply(400, str(error))
        except RecursionError:
            self._reply(400, "the message is nested too deeply")

    def do_GET(self) -> None:
        self._reply(405, "a GGP player takes messages by POST; try (INFO)")

    def _reply(self, status: int, text: str) -> None:
        body = printable(text, most=MOST_REPLY).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/acl")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        _LOG.debug("%s %s", self.client_address[0], printable(format % args))


def _cut(connection: socket.socket) -> None:
    """Nothing more is read from a client; its thread finds the end of its message."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RD)
