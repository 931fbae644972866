"""`/check`: a text that is pasted, with every figure of it next to what is known. The text is data; nothing of it is kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from kg.answers.checked_figures import MOST_TEXT, SECONDS
from kg.reading.errors import ReportTooLarge, ReportUnreadable
from kg.render.cells import finite
from kg.render.check_words import ACTED_ON, answer, figures_table, markdown, passage, reason
from kg.render.marked_lines import marked_lines
from kg.web.negotiation import preferred
from kg.web.page_routes import csv_text
from kg.web.refusal import NOT_ACCEPTABLE, REFUSED, TOO_LARGE, WRONG_TYPE, RequestRefused
from kg.web.request_body import read_body, read_fields, read_text
from kg.web.site import site_of
from kg.web.templating import page

if TYPE_CHECKING:
    from starlette.requests import Request

    from kg.answers.checked_figures import CheckedFigure, CheckedText, KnownValue
    from kg.model.verdict import Verdict
    from kg.session import Graph

_FORM: Final = "application/x-www-form-urlencoded"
_PLAIN: Final = ("text/plain", "text/markdown")
_KNOWN: Final = 4
_FORMS: Final = {"html": "text/html", "json": "application/json", "csv": "text/csv", "md": "text/markdown"}
"""Forms of the answer by the end of the address, with their media types; the first one is sent to whoever takes all."""


class FigureMark(NamedTuple):
    """A figure of the text as it is marked."""

    number: int
    checked: CheckedFigure

    @property
    def start(self) -> int:
        """Where it begins, in code points."""
        return self.checked.figure.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.checked.figure.end

    @property
    def verdict(self) -> Verdict:
        """What is known of it."""
        return self.checked.verdict

    @property
    def known(self) -> Sequence[KnownValue]:
        """Claims next to it."""
        return (*self.checked.same[:_KNOWN], *self.checked.others)


def routes() -> list[BaseRoute]:
    """The form and its answer."""
    asked = [Route("/check", check, methods=["POST"]), Route("/check.{form}", check, methods=["POST"])]
    return [Route("/check", show_form), *asked]


async def show_form(request: Request) -> Response:
    """The empty form."""
    return page("check.html", **_values(request, None), title="Check the figures of a text")


async def check(request: Request) -> Response:
    """The figures of the text that was sent, in the form that the address ends in, or that `Accept` prefers."""
    wanted = _form_of(request)
    text = await _sent_text(request)
    checked = await site_of(request).query(lambda graph: _checked(graph, text))
    if wanted == "text/html":
        return page("check.html", **_values(request, checked), title=_sentence(checked))
    return Response(_written(checked, wanted), media_type=wanted)


def _form_of(request: Request) -> str:
    """The media type of the answer."""
    if "form" in request.path_params:
        ending = str(request.path_params["form"])
        if ending not in _FORMS:
            raise HTTPException(404)
        return _FORMS[ending]
    accept = ",".join(request.headers.getlist("accept"))
    wanted = preferred(accept, tuple(_FORMS.values()))
    if wanted is None:
        raise RequestRefused(NOT_ACCEPTABLE, field="Accept", given=accept[:200], expected=", ".join(_FORMS.values()))
    return wanted


def _written(checked: CheckedText, media_type: str) -> str:
    """The answer as a file."""
    if media_type == "application/json":
        body = {"answer": _sentence(checked), **checked.to_json()}
        return json.dumps(finite(body), ensure_ascii=False, indent=1) + "\n"
    if media_type == "text/csv":
        return csv_text(figures_table(checked))
    return "".join(f"{line}\n" for line in markdown(checked, verbose=True))


async def _sent_text(request: Request) -> str:
    """The field `text` of a form, or a body that is the text itself; line ends are those of Unix."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in (_FORM, *_PLAIN):
        raise RequestRefused(
            WRONG_TYPE,
            field="Content-Type",
            given=media_type[:100] or "nothing",
            expected=", ".join((_FORM, *_PLAIN)),
            next_step="paste the text; files are read by kg check FILE",
        )
    body = await read_body(request)
    if media_type == _FORM:
        given = read_fields(body, "body").get("text", [])
        if len(given) != 1:
            raise RequestRefused(REFUSED, field="text", given=f"{len(given)} texts", expected="one text")
        text = given[0]
    else:
        text = read_text(body, "body")
    # Places are counted in the text as it is shown: a form sends CR LF, where the page has one line
    # end.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise RequestRefused(REFUSED, field="text", given="nothing", expected="a text with figures")
    if len(text) > MOST_TEXT:
        raise RequestRefused(
            TOO_LARGE,
            field="text",
            given=f"{len(text):,} characters",
            expected=f"at most {MOST_TEXT:,}",
            next_step="check it in parts, or as a file: kg check FILE",
        )
    return text


def _checked(graph: Graph, text: str) -> CheckedText:
    try:
        return graph.check(text, timeout_seconds=SECONDS)
    except ReportUnreadable as cause:
        raise RequestRefused(REFUSED, field="text", given=cause.given, expected="text") from cause
    except ReportTooLarge as cause:
        raise RequestRefused(TOO_LARGE, field="text", given=cause.given, expected=cause.expected) from cause


def _sentence(checked: CheckedText) -> str:
    """The sentence that answers, without the name that a pasted text does not have."""
    said = answer(checked).removeprefix(f"{checked.name}: ")
    return said[:1].upper() + said[1:].rstrip(".")


def _values(request: Request, checked: CheckedText | None) -> Mapping[str, Any]:
    marks = [FigureMark(at, one) for at, one in enumerate(() if checked is None else checked.figures, 1)]
    # By identity: two figures of a text may be equal in all that they say.
    numbers = {id(mark.checked): mark for mark in marks}
    worst_first = [] if checked is None else [numbers[id(one)] for one in checked.worst_first()]
    return {
        "checked": checked,
        "marks": marks,
        "lines": [] if checked is None else list(marked_lines(checked.text, marks)),
        "counts": {} if checked is None else {word: n for word, n in checked.counts().items() if n},
        "worst": [mark.number for mark in worst_first if mark.verdict in ACTED_ON],
        "worst_first": worst_first,
        "most": MOST_TEXT,
        "here": request.url.replace(query=""),
        "reason": reason,
        "passage": passage,
    }
