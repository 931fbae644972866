"""A request that the server does not answer, with the status that HTTP has for the reason."""

from __future__ import annotations

from typing import Final

from kg.errors import KgError

REFUSED: Final = 400
FORBIDDEN: Final = 403
NOT_FOUND: Final = 404
NOT_ACCEPTABLE: Final = 406
TOO_SLOW: Final = 408
CONFLICT: Final = 409
TOO_LARGE: Final = 413
ADDRESS_TOO_LONG: Final = 414
WRONG_TYPE: Final = 415
WRONG_HOST: Final = 421
HEADERS_TOO_LARGE: Final = 431
NOT_IMPLEMENTED: Final = 501
BUSY: Final = 503


class RequestRefused(KgError):
    """A request that breaks a rule of its protocol or a limit of the server.

    >>> RequestRefused(406, given="image/png", expected="text/turtle").status
    406
    """

    code = "serve.request"

    def __init__(
        self,
        status: int,
        message: str = "",
        *,
        field: str | None = None,
        given: str | None = None,
        expected: str | None = None,
        next_step: str | None = None,
    ) -> None:
        super().__init__(message, field=field, given=given, expected=expected, next_step=next_step)
        self.status = status
