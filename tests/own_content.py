"""What a folder of one's own holds, and the audit of all that is shipped, without reading all that is shipped again."""

from collections import defaultdict
from typing import Any

from kg.build.review_audit import ReviewAudit
from kg.content.claim_expander import Expander
from kg.content.claims_file import read_claims_file
from kg.content.entities import read_registry
from kg.content.folders import Content
from kg.content.vocabulary import read_vocabulary


def own_claims(content: Content, source: str) -> dict[str, Any]:
    """The claims of a source in a folder of one's own, by id, as a build records them."""
    expander = Expander(read_registry(content), read_vocabulary(content), {})
    paths = [one for one in content.seed_files("claims") if content.is_own(one) and one.read_bytes().strip()]
    files = [read_claims_file(path, shown=content.shown(path)) for path in paths]
    records = [expander.claim(file, entry) for file in files for _, _, entry in file.entries()]
    return {one["id"]: one for one in records if one["source"] == source}


def copied_audit(audit: ReviewAudit) -> ReviewAudit:
    """One that a test may add claims to; records and registry, which nobody changes, are shared."""
    members = defaultdict(dict, {name: dict(some) for name, some in audit.members.items()})
    return ReviewAudit(dict(audit.claims), audit.auditor, members)
