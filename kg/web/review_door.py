"""`/review`: the review of a file of proposals as pages, for who has the token that `kg serve --review` prints.

What a decision is, and what becomes of it, is said by `kg.reading.review` and `kg.build.reviewed`, as in the terminal.
"""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from dataclasses import field as fresh
from hashlib import sha256
from itertools import count
from json import dumps
from typing import TYPE_CHECKING, Any, Final, TypeVar

from anyio import to_thread
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from kg.build.review_actions import ReviewActions
from kg.content.coverage import REASONS
from kg.errors import KgError, UsageError
from kg.render.cells import finite
from kg.web.door import FrontDoor
from kg.web.refusal import CONFLICT, FORBIDDEN, NOT_FOUND, REFUSED, WRONG_TYPE, RequestRefused
from kg.web.request_body import read_body, read_fields, read_parameters
from kg.web.templating import page
from kg.web.view import Asked

if TYPE_CHECKING:
    from starlette.requests import Request

    from kg.build.reviewed import OwnFolderKeeper
    from kg.reading.proposals_file import ProposedFigure
    from kg.reading.review import ReviewSession

Result = TypeVar("Result")
PATH: Final = "/review"
_COOKIE: Final = "kg-review"
_SECONDS_OF_COOKIE: Final = 12 * 3600
_JSON: Final = ".json"
_INDEX: Final = "index.json"
_FORM: Final = "application/x-www-form-urlencoded"
_MOST_BYTES: Final = 1 << 16
_PRIVATE: Final = {"Cache-Control": "no-store"}


@dataclass(slots=True)
class ReviewDesk:
    """A review that is open to whoever has the token, one request at a time."""

    session: ReviewSession
    keeper: OwnFolderKeeper
    token: str = fresh(default_factory=lambda: secrets.token_urlsafe(24))
    said: str = ""
    """The result of the last decision."""
    # Of one process: another would have to read the log, the folder and the audit again before each key
    # (decision 43).
    _lock: threading.Lock = fresh(default_factory=threading.Lock)

    @property
    def start(self) -> str:
        """Path and query of the first address."""
        return f"{PATH}?token={self.token}"

    @property
    def cookie(self) -> str:
        """The name of the cookie: one for each review, since a browser sends cookies to all ports of a machine."""
        return f"{_COOKIE}-{sha256(self.token.encode()).hexdigest()[:8]}"

    @property
    def form_token(self) -> str:
        """What every form carries, so that no page of another site can send one."""
        return hmac.new(self.token.encode(), b"form", sha256).hexdigest()

    async def alone(self, work: Callable[[], Result]) -> Result:
        """Do something in a thread while nobody else decides."""

        def done() -> Result:
            with self._lock:
                return work()

        return await to_thread.run_sync(done)

    def check_reader(self, request: Request) -> None:
        """Raises RequestRefused where the cookie does not have the token."""
        if not _same(request.cookies.get(self.cookie, ""), self.token):
            raise RequestRefused(
                FORBIDDEN,
                field="token",
                given="none that is right",
                expected="the address that kg serve printed when it started",
                next_step="open it once in this browser; it ends in ?token=…",
            )

    # --- deciding

    @property
    def _actions(self) -> ReviewActions:
        return ReviewActions(self.session, self.keeper)

    def decide(self, number: int, asked: Asked) -> int:
        """Do what a form asks for with a figure; the number of the figure to look at then. Raises what is wrong."""
        self._look(number)
        session, action, do = self.session, asked.one("action"), self._actions
        actions: Mapping[str | None, Callable[[], str]] = {
            "accept": lambda: self._accept(asked.one("shown") or ""),
            "reject": lambda: do.reject(asked.one("reason") or ""),
            "undo": lambda: self._undo(asked.one("last")),
            "reopen": lambda: self._reopen(asked.one("decision")),
            "candidate": lambda: do.next_candidate(asked.one("field") or ""),
            "choose": lambda: do.choose(asked.one("field") or "", asked.one("value") or ""),
            "edit": lambda: do.edit(asked.one("field") or "", asked.one("typed") or ""),
            "condition": lambda: do.set_condition(asked.one("name") or "", asked.one("typed") or ""),
            "same": do.take_conditions_before,
            "clear": lambda: do.clear(asked.one("field") or ""),
        }
        if action not in actions:
            raise UsageError(field="action", given=action or "nothing", expected=", ".join(map(str, actions)))
        session.keys += 1
        self.said = actions[action]()
        return session.position + 1

    def _look(self, number: int) -> None:
        if not 1 <= number <= len(self.session.figures):
            raise RequestRefused(
                NOT_FOUND, field="number", given=str(number), expected=f"1 to {len(self.session.figures)}"
            )
        self.session.position = number - 1

    def _accept(self, shown: str) -> str:
        """The form says which fields it showed: a page that is old accepts no others."""
        if shown != self._digest():
            raise RequestRefused(
                CONFLICT,
                given="a page that is older than the last change of this figure",
                expected="the fields as they are now; they changed, and nothing was accepted",
                next_step="look at the fields below, then accept",
            )
        return self._actions.accept()

    def _undo(self, last: str | None) -> str:
        """The form says which decision it takes back, so that a page that is old takes back no other."""
        if last != self.last:
            raise UsageError(
                field="last", given=last or "nothing", expected="the last decision", next_step="load the page again"
            )
        return self._actions.undo()

    def _reopen(self, decision: str | None) -> str:
        """As `_undo`: what the form was made for is what is taken back."""
        decided = self.session.decision()
        if decided is None or str(decided.number) != decision:
            raise UsageError(
                field="decision",
                given=decision or "nothing",
                expected="the decision of this figure",
                next_step="load the page again",
            )
        return self._actions.reopen()

    # --- what is shown

    def _digest(self) -> str:
        """Of the figure that is looked at with its fields."""
        figure = self.session.figure
        seen = [figure.printed, figure.start, figure.end, self.session.values()]
        return sha256(dumps(seen, sort_keys=True).encode()).hexdigest()[:32]

    @property
    def last(self) -> str:
        """The number of the last decision that stands."""
        return next((str(one.number) for one in reversed(list(self.session.standing()))), "")

    def listed(self) -> Mapping[str, Any]:
        """All figures with what became of them."""
        session = self.session
        rows = [
            {"number": number, "figure": figure, "status": status, "values": values}
            for number, figure, status, values in zip(
                count(1), session.figures, session.statuses(), session.all_values(), strict=False
            )
        ]
        return {**self._about(), "rows": rows, "next": session.position + 1}

    def shown(self, number: int, selected: str | None) -> Mapping[str, Any]:
        """One figure with its fields."""
        self._look(number)
        session, values = self.session, self.session.values()
        rows = []
        for name in session.fields():
            offered = session.candidates(name)
            value = values.get(name, "")
            rows.append(
                {
                    "name": name,
                    "value": value,
                    "now": next((one for one in offered if one.value == value), None),
                    "offered": offered,
                }
            )
        return {
            **self._about(),
            "number": number,
            "of": len(session.figures),
            "figure": session.figure,
            "state": session.status(),
            "decision": session.decision(),
            "passage": self.keeper.passage(session.figure),
            "fields": rows,
            "selected": selected if selected in session.fields() else session.fields()[0],
            "reasons": REASONS,
            "said": self.said,
            "last": self.last,
            "digest": self._digest(),
            "csrf": self.form_token,
        }

    def _about(self) -> Mapping[str, Any]:
        report = self.session.proposals.report
        return {
            "report": report.title or report.file,
            "progress": self.session.progress(),
            "folder": self.keeper.folder.name,
        }


def index_data(listed: Mapping[str, Any]) -> Mapping[str, Any]:
    """All figures, as the twin `/review/index.json` gives them."""
    rows = [
        {**_figure_data(row["figure"]), "number": row["number"], "status": row["status"], "values": row["values"]}
        for row in listed["rows"]
    ]
    return {name: listed[name] for name in ("report", "folder", "progress", "next")} | {"figures": rows}


def figure_data(shown: Mapping[str, Any]) -> Mapping[str, Any]:
    """One figure with its fields, as the twin `/review/NUMBER.json` gives it; tokens are left out."""
    decision = shown["decision"]
    fields = {
        row["name"]: {"value": row["value"], "candidates": [asdict(one) for one in row["offered"]]}
        for row in shown["fields"]
    }
    return {
        **_figure_data(shown["figure"]),
        **{name: shown[name] for name in ("report", "number", "of")},
        "status": shown["state"],
        "claim": decision.claim if decision else None,
        "passage": shown["passage"]._asdict(),
        "fields": fields,
    }


def _figure_data(figure: ProposedFigure) -> Mapping[str, Any]:
    return {"printed": figure.printed, "start": figure.start, "end": figure.end, "is_no_claim_for": figure.reason}


def _twin(data: Mapping[str, object]) -> Response:
    return JSONResponse(finite(data), headers=_PRIVATE)


def _token_in_cookie(desk: ReviewDesk) -> Response:
    """The list once more, without the token: addresses stay in the history and are seen over a shoulder."""
    answer = RedirectResponse(PATH, 303, _PRIVATE)
    answer.set_cookie(desk.cookie, desk.token, path=PATH, max_age=_SECONDS_OF_COOKIE, httponly=True, samesite="strict")
    return answer


def review_door(desk: ReviewDesk) -> FrontDoor:
    """The pages of a review."""

    async def listed(request: Request) -> Response:
        given = request.query_params.get("token")
        if given is not None and _same(given, desk.token):
            return _token_in_cookie(desk)
        desk.check_reader(request)
        listed = await desk.alone(desk.listed)
        return _page("review.html", f"{listed['progress']['open']} proposals are open in “{listed['report']}”", listed)

    async def one(request: Request) -> Response:
        desk.check_reader(request)
        given = str(request.path_params["number"])
        if given == _INDEX:
            return _twin(index_data(await desk.alone(desk.listed)))
        number = _number(given.removesuffix(_JSON))
        if given.endswith(_JSON):
            return _twin(figure_data(await desk.alone(lambda: desk.shown(number, None))))
        return await _figure(desk, number, Asked({}, read_parameters(request)).one("field"))

    async def decided(request: Request) -> Response:
        desk.check_reader(request)
        number, asked = _number(str(request.path_params["number"])), await _form(request, desk)
        try:
            then = await desk.alone(lambda: desk.decide(number, asked))
        except KgError as error:
            status = error.status if isinstance(error, RequestRefused) else REFUSED
            # there is no figure to show the error at
            if status == NOT_FOUND:
                raise
            return await _figure(desk, number, asked.one("field"), wrong=error.words, status=status)
        # what the form sent goes into an address: only where it can be nothing but the name of a field
        suffix = f"?field={asked.one('field')}" if then == number and _is_plain(asked.one("field")) else ""
        return RedirectResponse(f"{PATH}/{then}{suffix}", 303, _PRIVATE)

    of_one = f"{PATH}/{{number}}"
    routes = [Route(PATH, listed), Route(of_one, one), Route(of_one, decided, methods=["POST"])]
    return FrontDoor(routes, nullcontext())


async def _figure(
    desk: ReviewDesk, number: int, selected: str | None, *, wrong: str | None = None, status: int = 200
) -> Response:
    shown = await desk.alone(lambda: desk.shown(number, selected))
    title = f"{shown['figure'].printed}: {shown['state']}, {number} of {shown['of']}"
    return _page("proposal.html", title, {**shown, "wrong": wrong}, status)


def _page(template: str, title: str, values: Mapping[str, object], status: int = 200) -> Response:
    answer = page(template, status=status, title=title, **values)
    answer.headers.update(_PRIVATE)
    return answer


async def _form(request: Request, desk: ReviewDesk) -> Asked:
    """The fields of a form of ours. Raises RequestRefused."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != _FORM:
        raise RequestRefused(WRONG_TYPE, field="Content-Type", given=media_type[:100] or "nothing", expected=_FORM)
    fields = read_fields(await read_body(request, most=_MOST_BYTES), "body")
    if not _same("".join(fields.get("csrf", [])), desk.form_token):
        raise RequestRefused(
            FORBIDDEN,
            field="csrf",
            given="none that is right",
            expected="a form of this page",
            next_step="load it again",
        )
    return Asked({}, {name: tuple(values) for name, values in fields.items()})


# Digits of other scripts pass `isdigit`, and thousands of digits take time to become a number.
def _number(given: str) -> int:
    if not (given.isascii() and given.isdigit() and len(given) < 10):
        raise RequestRefused(NOT_FOUND, field="number", given=given[:40], expected="the number of a figure")
    return int(given)


def _is_plain(name: str | None) -> bool:
    return name is not None and name.replace("_", "").replace(".", "").replace("-", "").isalnum() and name.isascii()


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode())
