"""The socket that a server listens on, made before it starts so that a port in use is an error in words."""

import socket

from kg.errors import UsageError


class PortTaken(UsageError):
    """The address cannot be listened on."""

    code = "serve.port"


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket bound to the address; port 0 takes a free one."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as cause:  # no name of a host may be: a part of it is empty, or too long
        raise PortTaken(
            field="--host", given=host, expected="an address of this machine", next_step="such as 127.0.0.1"
        ) from cause
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(address)
    except OSError as cause:
        made.close()
        raise PortTaken(
            field="--port",
            given=f"{host}:{port}",
            expected="an address that nobody listens on",
            next_step="give another with --port",
        ) from cause
    return made


def url_of(listening: socket.socket) -> str:
    """The address of the first page."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
