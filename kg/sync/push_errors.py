"""What keeps a push from ending: another one, lines that are missing or left, a newer program."""

from kg.errors import StoreError


class PushTakenOver(StoreError):
    """Another push to the same server began meanwhile."""

    code = "push.taken-over"


class PushIncomplete(StoreError):
    """After a push the server does not hold as much as was sent."""

    code = "push.counts"


def not_removed(server: str, left: str) -> PushIncomplete:
    """The error of a server on which something of ours is left where all of it was to go."""
    return PushIncomplete(
        path=server,
        given=left,
        expected="nothing of ours",
        next_step="end what writes there, or remove it with the server's own means; then push again",
    )


class NewerForm(StoreError):
    """A server was filled by a newer version of this program."""

    code = "push.form"
