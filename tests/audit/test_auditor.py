"""Which claims are judged together with what they link to."""

import pytest

from kg.audit.audit import AuditInput
from kg.audit.auditor import Auditor
from kg.model.reference import References
from tests.audit.seeds import claim, seeds

LINKS = {
    "derivations": [{"expression": "a", "inputs": {"a": {"claim": "x/2"}}}],
    "restates": [{"claim": "x/2"}],
    "same_as": "x/2",
    "path": ["source/1"],
}


@pytest.mark.parametrize("link", LINKS)
def test_a_claim_with_any_link_is_judged_with_what_it_links_to(link: str) -> None:
    assert Auditor.has_own(claim("x/1", **{link: LINKS[link]}))
    assert not Auditor.has_own(claim("x/1"))


def test_the_links_of_all_curated_claims_are_of_these_kinds() -> None:
    for record in seeds().claims.values():
        assert Auditor.has_own(record) == any(link in record for link in LINKS)


def test_a_changed_input_is_seen_once_what_was_worked_out_is_forgotten() -> None:
    known, name = seeds(), "002/l405.gb200.offline.per-accelerator"
    claims = dict(known.claims)
    total = claims[name]["derivations"][0]["inputs"]["total"]["claim"]
    given = AuditInput(claims, known.registry.records, known.vocabulary.units, known.deriver, References.of())
    auditor = given.auditor()
    before = auditor.own(claims[name]).findings
    quantity = claims[total]["quantity"]
    claims[total] = {**claims[total], "quantity": {**quantity, "value": quantity["value"] * 3, "printed": None}}
    auditor.forget()
    after = auditor.own(claims[name]).findings
    assert [one.computed for one in after] == [one.computed * 3 for one in before if one.computed is not None]
    assert auditor.corrected(name) == after[0].corrected
