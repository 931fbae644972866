"""How much memory the system lets this process have: by a limit on what it maps, or as part of a container."""

from contextlib import suppress
from pathlib import Path
from typing import Final

ALLOW_MORE: Final = "allow more with ulimit -v or in the settings of the container"
_ENOUGH: Final = 2 << 30
"""A container with as much holds every command on the shipped content; the property graph takes most, 1 GB."""
_OWN_GROUP: Final = Path("/proc/self/cgroup")
_GROUPS: Final = Path("/sys/fs/cgroup")


def memory_limit() -> int | None:
    """The bytes that this process may map, or that its container may use where those are few; None without such a limit."""
    return min((limit for limit in (_mapping_limit(), container_limit()) if limit is not None), default=None)


def _mapping_limit() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def container_limit(own: Path = _OWN_GROUP, groups: Path = _GROUPS) -> int | None:
    """The bytes that the control group of this process may use (Linux, both versions); None from 2 GB on.

    Where they are used up the system kills the process that has most of them. In a container its own group is the root.
    """
    found: list[int] = []
    with suppress(OSError, ValueError):
        for line in own.read_text("ascii").splitlines():
            _, controllers, path = line.split(":", 2)
            if "memory" in controllers.split(","):
                # Version 1 of control groups has a folder for each controller, version 2 (no
                # controller named) one for all. The path is that outside of a container; inside,
                # the own group is the root, so both are read.
                files = [groups / "memory" / part / "memory.limit_in_bytes" for part in (path.lstrip("/"), "")]
            elif not controllers:
                files = [groups / part / "memory.max" for part in (path.lstrip("/"), "")]
            else:
                continue
            found += [int(text) for text in map(_text_of, files) if text.isdecimal()]
    least = min(found, default=_ENOUGH)
    return least if least < _ENOUGH else None


def _text_of(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except OSError:
        return ""
