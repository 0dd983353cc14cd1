"""The command in a process that has no network but its own loopback.

    python -m tests.e2e.cut_off WORDS …

prints how the network was cut to stderr: "namespace", an empty one of the system's, or, where that is not permitted,
"hook", which refuses whatever Python would look up or connect to beyond this machine.
"""

import ctypes
import errno
import fcntl
import os
import socket
import struct
import sys

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # CLONE_NEWUSER, CLONE_NEWNET
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
_OUTSIDE = ("192.0.2.1", 9)  # TEST-NET-1: nobody's


def cut() -> str:
    """Cut the network; how it was done."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_NEW_NETWORK) == 0 or libc.unshare(_NEW_USER | _NEW_NETWORK) == 0:
        try:
            _raise_loopback()
        except PermissionError:
            sys.addaudithook(_refuse)
            return "hook"
        return "namespace"
    sys.addaudithook(_refuse)
    return "hook"


def reaches_outside() -> bool:
    """Whether anything beyond this machine can be connected to."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_OUTSIDE)
        except OSError:
            return False
    return True


def _raise_loopback() -> None:
    """A new namespace has a loopback that is down; models in this process are reached through it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, _GET_FLAGS, asked))[1]
        fcntl.ioctl(control, _SET_FLAGS, struct.pack("16sH14x", b"lo", flags | _UP))


def _refuse(event: str, arguments: tuple) -> None:
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        given = arguments[0] if event.startswith("socket.get") else arguments[1]
        host = given[0] if isinstance(given, tuple) else given
        if host not in ("127.0.0.1", "localhost", "::1"):
            raise OSError(errno.ENETUNREACH, os.strerror(errno.ENETUNREACH))


if __name__ == "__main__":
    print(cut(), "open" if reaches_outside() else "shut", file=sys.stderr)
    from voirdire.cli import main

    main()
