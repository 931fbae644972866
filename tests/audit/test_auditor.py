"""Which claims are judged together with what they link to."""

import pytest

from kg.audit.auditor import Auditor
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
