"""Findings about the source links of a text: the addresses of its list against the addresses it cites.

Works on recorded facts (place, hash, where two addresses first differ), so that it needs neither text nor address.
"""

from collections.abc import Iterable, Iterator

from kg.audit.finding import Finding, Severity
from kg.model.counting import counted
from kg.model.recorded import ClaimRecord
from kg.model.source_links import CitationLinks, CitedLink, LinkPlace


def link_findings(lists: Iterable[CitationLinks], records: Iterable[ClaimRecord] = ()) -> Iterator[Finding]:
    """What is wrong with the links of each list. A finding is about the text; the claims that rely on the link have a role.

    >>> listed = {"start": 0, "end": 9, "sha256": "a"}
    >>> cited = {"start": 20, "end": 28, "sha256": "b", "first_difference": 8, "equal_suffix": 0}
    >>> lists = [{"source": "source/x", "links": [{"number": 1, "label": "x.org", "listed": listed, "cited": [cited]}]}]
    >>> [(one.code, one.message) for one in link_findings(lists)]
    [('citation.address-differs', 'link 1 (x.org): the cited address differs from the listed one at 8: 1 character against none, 9 and 8 in all')]
    """
    lists = list(lists)
    relying = _relying(records, {one["source"] for one in lists})
    for one in lists:
        for link in one["links"]:
            claims = relying.get((one["source"], link.get("source") or ""), [])
            named = ((one["source"], "text"), *((claim, "relies on the link") for claim in claims))
            for code, severity, text, key in _judge(link):
                message = f"link {link['number']} ({link['label']}): {text}"
                yield Finding(code, code.partition(".")[2], severity, message, named, key=f"{link['number']}{key}")


def _judge(link: CitedLink) -> Iterator[tuple[str, Severity, str, str]]:
    listed, cited = link.get("listed"), link.get("cited") or ()
    if listed is None:
        # a reader can follow a listed address that is cited nowhere, but
        # not look up one that no list has
        yield "citation.cited-not-listed", "warning", "cited, but the text has no list that holds it", ""
        return
    if not cited:
        yield "citation.listed-not-cited", "info", "stands in the list of sources and is cited nowhere", ""
    for position, one in enumerate(cited, 1):
        if one["sha256"] != listed["sha256"]:
            yield (
                "citation.address-differs",
                "warning",
                _difference(listed, one),
                "" if position == 1 else f".{position}",
            )


def _difference(listed: LinkPlace, cited: LinkPlace) -> str:
    lengths = [one["end"] - one["start"] for one in (listed, cited)]
    first, suffix = cited["first_difference"], cited["equal_suffix"]
    there, here = (length - first - suffix for length in lengths)
    of = f"of {lengths[0]}" if lengths[0] == lengths[1] else f"{lengths[0]} and {lengths[1]} in all"
    between = f"{_characters(there)} against {here or 'none'}" if there != here else f"{_characters(there)}"
    return (
        f"the cited address differs from the listed one at {first}: {between}{' ' if of.startswith('of') else ', '}{of}"
    )


def _characters(count: int) -> str:
    return f"{counted(count, 'character') if count else 'no characters'}"


def _relying(records: Iterable[ClaimRecord], texts: set[str]) -> dict[tuple[str, str], list[str]]:
    """The claims of each text by the source they name as theirs."""
    found: dict[tuple[str, str], list[str]] = {}
    for record in records:
        if record["source"] in texts:
            for link in record.get("restates") or ():
                if link.get("source"):
                    found.setdefault((record["source"], link["source"]), []).append(record["id"])
    return {key: sorted(set(names)) for key, names in found.items()}
