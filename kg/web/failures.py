"""What a request gets that cannot be answered: the error in words, as a page or as JSON, never a traceback."""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from kg.errors import ContentError, DocumentError, KgError, LedgerError, ModelError, QueryError, StoreError, UsageError
from kg.web.refusal import RequestRefused
from kg.web.templating import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

# By code, where the class of the error would say something else: what is not there is 404, not a
# wrong request.
_BY_CODE: Final = {
    "trace.unknown-claim": 404,
    "cite.nothing": 404,
    "question.unknown": 404,
    "usage.source": 404,
    "usage.thing": 404,
    "query.deadline": 503,
}
_OF_THE_DATA: Final = (StoreError, LedgerError, DocumentError, ContentError)
"""What is wrong with what is served, not with the request or the program."""
_WORDS: Final = {
    400: "This cannot be read",
    403: "This is not open to you",
    404: "There is nothing here",
    405: "This page is only read",
    413: "This is too long",
    415: "This cannot be read",
    500: "This page failed",
    503: "No answer at the moment",
}


def status_of(error: KgError) -> int:
    """The HTTP status of an error: 4xx where the request is at fault, 503 where what is served is."""
    if isinstance(error, RequestRefused):
        return error.status
    if error.code in _BY_CODE:
        return _BY_CODE[error.code]
    if isinstance(error, _OF_THE_DATA):
        return 503
    return 400 if isinstance(error, UsageError | QueryError | ModelError) else 500


async def refused(request: Request, error: Exception) -> Response:
    """An error of ours, in its own words."""
    assert isinstance(error, KgError)
    status = status_of(error)
    return _answer(request, status, error.words, error.code)


async def not_served(request: Request, error: Exception) -> Response:
    """A path or a method that is not served."""
    assert isinstance(error, HTTPException)
    message = {404: "No page has this address.", 405: "Pages are read with GET."}.get(error.status_code, error.detail)
    answer = _answer(request, error.status_code, message, None)
    answer.headers.update(error.headers or {})
    return answer


async def broken(request: Request, error: Exception) -> Response:
    """An error of the program: logged where it runs, not shown to the reader."""
    traceback.print_exception(error, file=sys.stderr)
    return _answer(request, 500, "A mistake of the program; the terminal of kg serve says where.", "kg")


def _answer(request: Request, status: int, message: str, code: str | None) -> Response:
    if request.url.path.endswith(".json") or "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"error": message, "code": code}, status_code=status)
    title = _WORDS.get(status, "This cannot be answered")
    return page("failure.html", status=status, title=title, message=message, code=code)
