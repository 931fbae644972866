"""Labels, and the chain from claim to source to people, for tools that know RDFS, PROV and DCAT but not our vocabulary.

A claim is quoted from the source it is printed in, and derived from what it repeats and from the claims it was computed
from; a source is attributed to its publisher and to whoever wrote it.
"""

import re
from collections.abc import Iterator
from typing import Final

from kg.model.claim_label import claim_label
from kg.model.identifiers import snapshot_id
from kg.model.recorded import ClaimRecord, ThingRecord
from kg.model.vocabulary import claim_iri, expand, thing_iri
from kg.projection.literals import XSD, quoted

_LABEL, _QUOTED, _DERIVED, _REVISION, _ATTRIBUTED = (
    f" <{expand(name)}> "
    for name in (
        "rdfs:label",
        "prov:wasQuotedFrom",
        "prov:wasDerivedFrom",
        "prov:wasRevisionOf",
        "prov:wasAttributedTo",
    )
)
_DATA_FORMS: Final = frozenset({"dataset", "listing"})
_TYPE, _DATASET = f" <{expand('rdf:type')}> ", f"<{expand('dcat:Dataset')}>"
_BYTES: Final = f"<{expand('dcat:Distribution')}>"
_DISTRIBUTION: Final = f" <{expand('dcat:distribution')}> "
_LICENCE: Final = f" <{expand('dcterms:license')}> "
_CHECKSUM_CLASS: Final = f"<{expand('spdx:Checksum')}>"
_CHECKSUM, _CHECKSUM_VALUE = (f" <{expand(name)}> " for name in ("spdx:checksum", "spdx:checksumValue"))
_SHA256: Final = f" <{expand('spdx:algorithm')}> <{expand('spdx:checksumAlgorithm_sha256')}> .\n"
_SPDX_ID: Final = re.compile(r"(Apache|CC-BY|CC0|GPL|LGPL|MPL|BSD|ODbL|PDDL|MIT)[A-Za-z0-9.-]*")
"""The short names of licences that SPDX keeps; anything else is a sentence, and stays in `k:licence`."""


def claim_provenance(record: ClaimRecord) -> str:
    """The label of a claim, and what it comes from."""
    node = f"<{claim_iri(record['id'])}>"
    out = [f"{node}{_LABEL}{quoted(claim_label(record))} .\n{node}{_QUOTED}<{thing_iri(record['source'])}> .\n"]
    out.extend(f"{node}{_DERIVED}<{iri}> .\n" for iri in dict.fromkeys(_origins(record)))
    if record.get("supersedes"):
        out.append(f"{node}{_REVISION}<{claim_iri(record['id'])}?revision={record['supersedes']}> .\n")
    return "".join(out)


def _origins(record: ClaimRecord) -> Iterator[str]:
    """What a claim repeats or was computed from; a claim is named rather than the source it appears in."""
    for one in record.get("restates") or ():
        if one.get("claim"):
            yield claim_iri(one["claim"])
        elif one.get("source"):
            yield thing_iri(one["source"])
    for derivation in record.get("derivations") or ():
        for given in derivation["inputs"].values():
            if given.get("claim"):
                yield claim_iri(given["claim"])


def source_provenance(record: ThingRecord) -> str:
    """Who a source is attributed to, its licence and its checksum; a table or data set is a data set of DCAT with its bytes
    as a distribution."""
    node = f"<{thing_iri(record['id'])}>"
    people = dict.fromkeys(filter(None, (record.get("publisher"), record.get("written_by"))))
    out = [f"{node}{_ATTRIBUTED}<{thing_iri(name)}> .\n" for name in people]
    snapshot = f"<{thing_iri(snapshot_id(record['sha256'], record.get('document')))}>" if record.get("sha256") else None
    # An IRI must lead somewhere: a sentence about a licence has no page at SPDX.
    if _SPDX_ID.fullmatch(record.get("licence") or ""):
        licence = f"{_LICENCE}<https://spdx.org/licenses/{record['licence']}> .\n"
        out.extend(f"{one}{licence}" for one in (node, snapshot) if one is not None)
    if record.get("form") in _DATA_FORMS:
        out.append(f"{node}{_TYPE}{_DATASET} .\n")
        if snapshot is not None:
            out.append(f"{node}{_DISTRIBUTION}{snapshot} .\n{snapshot}{_TYPE}{_BYTES} .\n")
    if snapshot is not None:
        checksum = f"{snapshot[:-1]}#sha256>"
        out.append(f"{snapshot}{_CHECKSUM}{checksum} .\n{checksum}{_TYPE}{_CHECKSUM_CLASS} .\n{checksum}{_SHA256}")
        out.append(f'{checksum}{_CHECKSUM_VALUE}"{record["sha256"]}"{XSD["hexBinary"]} .\n')
    return "".join(out)
