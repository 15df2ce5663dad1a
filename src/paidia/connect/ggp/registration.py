"""Players that announce themselves to a host, instead of the host knowing where they are.

A player sends `( REGISTER name port )` by POST to the host; the host takes the address from the connection and answers with the
number of the seat, or says why not. Nothing else is taken: a body of a few hundred bytes, within seconds, one a connection.
"""

from __future__ import annotations

import http.client
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from paidia.connect.ggp.host import Address
from paidia.core.errors import BadInput

__all__ = ["Registration", "announce"]

MOST_BYTES = 400
SECONDS_TO_SEND = 5.0

_MESSAGE = re.compile(r"\s*\(\s*REGISTER\s+([A-Za-z0-9._-]{1,64})\s+(\d{1,5})\s*\)\s*", re.IGNORECASE)


class Registration(HTTPServer):
    """Takes players until all seats are taken."""

    allow_reuse_address = True

    def __init__(self, address: tuple[str, int]) -> None:
        self.came: list[tuple[str, Address]] = []
        self.wanted = 0
        try:
            super().__init__(address, _Handler)
        except (OSError, OverflowError) as error:
            raise BadInput(f"cannot listen at {address[0]}:{address[1]}: {error}") from None

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def wait(self, seats: int, seconds: float) -> list[tuple[str, Address]]:
        """The next players that come, with their names.

        Raises:
            BadInput: too few came in time.
        """
        self.wanted = seats
        end = time.monotonic() + seconds
        while len(self.came) < seats:
            left = end - time.monotonic()
            if left <= 0:
                raise BadInput(f"only {len(self.came)} of {seats} players have registered in {seconds:g} s")
            self.timeout = min(left, 1.0)
            self.handle_request()
        return list(self.came)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever goes away in the middle has not registered."""


class _Handler(BaseHTTPRequestHandler):
    server: Registration
    protocol_version = "HTTP/1.0"
    timeout = SECONDS_TO_SEND

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal() and len(length) < 5 and int(length) <= MOST_BYTES):
            self._reply(400, f"a registration has a length of at most {MOST_BYTES} bytes")
            return
        message = _MESSAGE.fullmatch(self.rfile.read(int(length)).decode("ascii", "replace"))
        if message is None or not 0 < int(message[2]) < 65536:
            self._reply(400, "a registration is (REGISTER name port)")
            return
        address = Address(self.client_address[0], int(message[2]))
        known = [other for _, other in self.server.came]
        if address in known:
            self._reply(200, str(known.index(address) + 1))
        elif len(known) >= self.server.wanted:
            self._reply(409, "all seats are taken")
        else:
            self.server.came.append((message[1], address))
            self._reply(200, str(len(known) + 1))

    def _reply(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/acl")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


def announce(name: str, port: int, host: Address) -> str:
    """Tell a host of a player that listens at a port of this machine; returns the number of its seat."""
    body = f"( REGISTER {re.sub(r'[^A-Za-z0-9._-]+', '-', name)[:64]} {port} )"
    connection = http.client.HTTPConnection(host.host, host.port, timeout=10.0)
    try:
        connection.request("POST", "/", body, {"Content-Type": "text/acl"})
        answer = connection.getresponse()
        told = answer.read(MOST_BYTES).decode("ascii", "replace")
    except (OSError, http.client.HTTPException) as error:
        raise BadInput(f"the host at {host} cannot be reached: {error}") from None
    finally:
        connection.close()
    if answer.status != 200:
        raise BadInput(f"the host at {host} did not take the registration: {told}")
    return told
