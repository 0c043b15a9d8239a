"""The names and addresses under which this machine can be reached."""

from __future__ import annotations

import errno
import socket
from contextlib import suppress

EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104
LOCAL = ["localhost", "127.0.0.1", "[::1]"]


class CannotBind(Exception):
    """A port cannot be served; the text says why and what to do."""


def lan_address() -> str | None:
    """This machine's address in its network; asks the routing table, sends nothing."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        address: str = probe.getsockname()[0]
        return None if address.startswith("127.") or address in EVERYWHERE else address
    return None


def allowed_hosts(host: str) -> list[str]:
    """What a browser may call a site that listens on ``host``."""
    names = [*LOCAL]
    if host in EVERYWHERE:
        name = socket.gethostname().lower()
        names += [name, f"{name}.local"]
        lan = lan_address()
        if lan:
            names.append(lan)
    else:
        names.append(f"[{host}]" if ":" in host else host)
    return list(dict.fromkeys(names))


def try_port(host: str, port: int) -> None:
    """Raise ``CannotBind`` unless ``port`` is free on ``host``."""
    if port not in range(1, 65536):
        raise CannotBind(f"{port} is no port: give one from 1 to 65535, as in --port 8000")
    try:
        family, kind, proto, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, proto) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except socket.gaierror as error:
        raise CannotBind(f"there is no address {host} on this machine: check --host") from error
    except OSError as error:
        raise CannotBind(_why(error, host, port)) from error


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken: give another, as in --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"port {port} needs more rights: give one above 1023, as in --port 8000"
    return f"cannot listen on {host} ({error.strerror}): check --host"
