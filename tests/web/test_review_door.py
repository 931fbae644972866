"""The pages of a review: decisions as in the terminal, and nothing without the token and a form of ours."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from kg.content.claims import read_claims
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.content.own_folder import make_own_folder
from kg.content.vocabulary import read_vocabulary
from kg.reading.review import open_review
from kg.session import open_graph
from kg.web.app import make_app
from kg.web.review_door import ReviewDesk, review_door
from tests.reading.review_samples import keeper_of, sample
from tests.web.test_hostile_pages import WORDS, Markup


def make_desk(own: Content, folder: Path) -> ReviewDesk:
    proposals = sample(folder)
    keeper = keeper_of(own, proposals)
    return ReviewDesk(open_review(proposals.path, keeper, who="ada"), keeper)


@contextmanager
def serving(desk: ReviewDesk, store: Path) -> Iterator[TestClient]:
    app = make_app(open_graph(store), doors=[lambda _: review_door(desk)])
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as made:
        yield made


@pytest.fixture
def own(tmp_path: Path) -> Content:
    return make_own_folder(tmp_path / "mine").content


@pytest.fixture
def desk(own: Content, tmp_path: Path) -> ReviewDesk:
    return make_desk(own, tmp_path / "in")


@pytest.fixture
def outside(desk: ReviewDesk, store: Path) -> Iterator[TestClient]:
    with serving(desk, store) as made:
        yield made


@pytest.fixture
def inside(outside: TestClient, desk: ReviewDesk) -> TestClient:
    outside.get(desk.start)
    return outside


@pytest.fixture(scope="module")
def undecided(tmp_path_factory: pytest.TempPathFactory) -> ReviewDesk:
    """A review in which nothing is ever decided: those who are refused share it, for it takes seconds to make."""
    folder = tmp_path_factory.mktemp("undecided")
    return make_desk(make_own_folder(folder / "mine").content, folder / "in")


@pytest.fixture(scope="module")
def stranger(undecided: ReviewDesk, store: Path) -> Iterator[TestClient]:
    with serving(undecided, store) as made:
        yield made


@pytest.fixture(scope="module")
def reviewer(undecided: ReviewDesk, store: Path) -> Iterator[TestClient]:
    with serving(undecided, store) as made:
        made.get(undecided.start)
        yield made


def send(client: TestClient, desk: ReviewDesk, number: int, **fields: str):  # type: ignore[no-untyped-def]  # noqa: ANN201
    given = {"shown": desk.shown(number, None)["digest"]} if fields.get("action") == "accept" else {}
    return client.post(f"/review/{number}", data={"csrf": desk.form_token, **given, **fields})


def accepted(content: Content) -> dict[str, Any]:
    claims = read_claims(content, read_registry(content), read_vocabulary(content))
    return {one["id"]: one for one in claims if one["source"] == "source/look-at-h200"}


def test_the_start_address_gives_a_cookie_that_no_script_and_no_other_site_gets(
    outside: TestClient, desk: ReviewDesk
) -> None:
    found = outside.get(desk.start)
    assert (found.status_code, found.headers["location"]) == (303, "/review")
    cookie = found.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/review" in cookie
    assert f"{desk.cookie}=" in cookie and "max-age=43200" in cookie
    page = outside.get("/review")
    assert page.status_code == 200 and "150 GB" in page.text and "taken for no claim: version" in page.text
    assert page.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/review",
        "/review/2",
        "/review/2.json",
        "/review/index.json",
        "/review/99",
        "/review?token=",
        "/review?token=wrong",
        "/review?token=%ff",
    ],
)
@pytest.mark.parametrize("cookie", [None, "", "wrong"])
def test_without_the_token_it_is_403_in_words(
    stranger: TestClient, undecided: ReviewDesk, path: str, cookie: str | None
) -> None:
    headers = {} if cookie is None else {"Cookie": f"{undecided.cookie}={cookie}"}
    found = stranger.get(path, headers=headers)
    assert found.status_code == 403 and "kg serve" in found.text and "150 GB" not in found.text


def test_a_form_without_its_token_or_without_the_cookie_decides_nothing(outside: TestClient, desk: ReviewDesk) -> None:
    assert send(outside, desk, 2, action="accept").status_code == 403
    outside.get(desk.start)
    for csrf in ({}, {"csrf": ""}, {"csrf": "wrong"}, {"csrf": desk.token}):
        assert outside.post("/review/2", data={"action": "accept", **csrf}).status_code == 403
    plain = outside.post("/review/2", content=b"action=accept", headers={"Content-Type": "text/plain"})
    assert plain.status_code == 415
    assert desk.session.decisions == []


def test_conditions_of_the_claim_before_are_taken_and_a_field_can_be_emptied(
    inside: TestClient, desk: ReviewDesk
) -> None:
    assert 'data-key="s"' in inside.get("/review/2").text
    send(inside, desk, 2, action="same")
    assert "the claim before has no other conditions" in inside.get("/review/2").text
    send(inside, desk, 2, action="edit", field="subject", typed="H200")
    send(inside, desk, 2, action="condition", name="precision", typed="precision/fp8")
    assert send(inside, desk, 2, action="accept").status_code == 303
    send(inside, desk, 3, action="same")
    assert desk.session.values(2)["conditions.precision"] == "precision/fp8"
    assert "as the claim before: precision" in inside.get("/review/3").text
    send(inside, desk, 3, action="clear", field="conditions.precision")
    assert "conditions.precision" not in desk.session.values(2)


def test_no_page_is_there_without_a_review(client: TestClient) -> None:
    assert client.get("/review").status_code == 404


def test_accept_edit_reject_and_undo_are_those_of_the_session(
    inside: TestClient, desk: ReviewDesk, own: Content
) -> None:
    page = inside.get("/review/2").text
    assert re.search(r"<mark[^>]*>150 GB</mark>", page) and "family/nvidia-h100" in page
    assert send(inside, desk, 2, action="candidate", field="subject").headers["location"] == "/review/2?field=subject"
    assert desk.session.values(1)["subject"] == "family/nvidia-h100"
    send(inside, desk, 2, action="edit", field="subject", typed="H200")
    assert desk.session.values(1)["subject"] == "family/nvidia-h200"
    send(inside, desk, 2, action="condition", name="precision", typed="precision/fp8")
    done = send(inside, desk, 2, action="accept")
    assert (done.status_code, done.headers["location"]) == (303, "/review/3")
    assert "accepted as look-at-h200/memory-capacity.nvidia-h200" in inside.get("/review/3").text
    assert set(accepted(own)) == {"look-at-h200/memory-capacity.nvidia-h200"}
    send(inside, desk, 3, action="reject", reason="idiom")
    assert desk.session.status(2) == "rejected"
    assert desk.session.decisions[-1].keys == 1
    stale = str(desk.session.decisions[0].number)
    assert send(inside, desk, 4, action="undo", last=stale).status_code == 400
    assert desk.session.status(2) == "rejected"
    for _ in range(6):
        send(inside, desk, 4, action="undo", last=desk.last)
    assert accepted(own) == {} and desk.session.progress()["open"] == 4


def test_a_decided_figure_is_opened_again_by_its_own_page_only(
    inside: TestClient, desk: ReviewDesk, own: Content
) -> None:
    send(inside, desk, 2, action="accept")
    send(inside, desk, 3, action="reject", reason="idiom")
    (decision,) = re.findall(r'name="decision" value="(\d+)"', inside.get("/review/2").text)
    assert send(inside, desk, 3, action="reopen", decision=decision).status_code == 400
    assert send(inside, desk, 2, action="reopen", decision=decision).headers["location"] == "/review/2"
    assert accepted(own) == {} and desk.session.status(2) == "rejected"
    assert send(inside, desk, 2, action="reopen", decision=decision).status_code == 400, "it is open"
    assert 'name="decision"' not in inside.get("/review/2").text


def test_other_fields_than_a_page_showed_are_not_accepted_by_it(
    inside: TestClient, desk: ReviewDesk, own: Content
) -> None:
    (seen,) = re.findall(r'name="shown" value="(\w+)"', inside.get("/review/2").text)
    send(inside, desk, 2, action="candidate", field="subject")
    assert send(inside, desk, 2, action="accept", shown="").status_code == 409
    found = send(inside, desk, 2, action="accept", shown=seen)
    assert found.status_code == 409 and "changed" in found.text and "family/nvidia-h100" in found.text
    assert accepted(own) == {} and desk.session.status(1) == "open"
    (now,) = re.findall(r'name="shown" value="(\w+)"', found.text)
    assert send(inside, desk, 2, action="accept", shown=now).status_code == 303


def test_a_new_thing_is_made_and_a_wrong_claim_is_told(inside: TestClient, desk: ReviewDesk, own: Content) -> None:
    send(inside, desk, 2, action="choose", field="subject", value="new:Acme 9")
    assert send(inside, desk, 2, action="accept").status_code == 303
    (claim,) = accepted(own).values()
    assert claim["subject"] == "accelerator/acme-9"
    send(inside, desk, 3, action="edit", field="subject", typed="accelerator/zork")
    found = send(inside, desk, 3, action="accept")
    assert found.status_code == 400 and "known entity" in found.text and desk.session.status(2) == "open"
    assert send(inside, desk, 2, action="accept").status_code == 400, "it is decided"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"action": "nothing"},
        {"action": "reject", "reason": "because"},
        {"action": "candidate", "field": "unit_of_nothing"},
        {"action": "choose", "field": "__class__", "value": "x"},
        {"action": "edit", "field": "subject", "typed": "../../x = y"},
        {"action": "edit", "field": "subject", "typed": "x" * 5000},
        {"action": "undo", "last": "7"},
        {"action": "reopen", "decision": "7"},
    ],
)
def test_what_is_no_decision_is_refused_in_words(
    reviewer: TestClient, undecided: ReviewDesk, fields: dict[str, str]
) -> None:
    found = send(reviewer, undecided, 2, **fields)
    assert 400 <= found.status_code < 500, found.text
    assert "<h1" in found.text and "Traceback" not in found.text
    assert undecided.session.decisions == []


@pytest.mark.parametrize(
    "path", ["/review/0", "/review/6", "/review/x", "/review/-1", "/review/" + "9" * 400, "/review/٣"]
)
def test_a_figure_that_is_not_there_is_404(reviewer: TestClient, path: str) -> None:
    assert reviewer.get(path).status_code == 404


@pytest.mark.parametrize("word", WORDS[::4])
def test_hostile_words_are_shown_as_text(reviewer: TestClient, undecided: ReviewDesk, word: str) -> None:
    for fields in (
        {"action": "choose", "field": "subject", "value": word},
        {"action": "condition", "name": word, "typed": word},
    ):
        assert send(reviewer, undecided, 2, **fields).status_code in (303, 400)
    found = reviewer.get("/review/2", params={"field": word})
    assert found.status_code in (200, 400)
    markup = Markup()
    markup.feed(found.text)
    assert markup.strange == []


def test_the_twins_say_what_the_pages_say_and_hold_no_token(inside: TestClient, desk: ReviewDesk) -> None:
    index = inside.get("/review/index.json")
    assert (index.status_code, index.headers["cache-control"]) == (200, "no-store")
    assert [one["printed"] for one in index.json()["figures"]] == [one.printed for one in desk.session.figures]
    send(inside, desk, 2, action="edit", field="subject", typed="H200")
    send(inside, desk, 2, action="accept")
    found = inside.get("/review/2.json").json()
    assert (found["printed"], found["status"]) == ("150 GB", "accepted")
    assert found["claim"] == "look-at-h200/memory-capacity.nvidia-h200"
    assert found["fields"]["subject"]["value"] == "family/nvidia-h200"
    assert found["passage"]["printed"] == "150 GB"
    for path in ("/review/2.json", "/review/index.json"):
        text = inside.get(path).text
        assert desk.token not in text and desk.form_token not in text
    assert inside.get("/review/99.json").status_code == 404


def test_two_reviews_on_one_machine_have_cookies_of_their_own(undecided: ReviewDesk) -> None:
    assert undecided.cookie != ReviewDesk(undecided.session, undecided.keeper).cookie
