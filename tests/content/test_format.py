"""The formatter: `find` becomes `at`; formatting twice changes nothing; what is read stays the same."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import strategies as st

from kg.build.content_review import Unformatted, check_content, format_content
from kg.content.carried_comments import carried_comments
from kg.content.claims_file import ClaimsFile, read_claims_file
from kg.content.documents import Document, read_document
from kg.content.folders import Content, find_content
from kg.content.format import formatted, laid_out, layout_of, locate, yaml_files
from kg.content.layout import WIDTH, comments_of, layout
from kg.content.located import located_text
from kg.errors import KgError
from tests.sampling import SIGNS, generated
from tests.small_content import DOCUMENT, TEXT, write_text

SHIPPED_ROOT = find_content()
SHIPPED = yaml_files(SHIPPED_ROOT)


def read(folder: Path, text: str) -> ClaimsFile:
    path = folder / "claims.yaml"
    path.write_text(text, encoding="utf-8")
    return read_claims_file(path, shown="claims.yaml")


@pytest.fixture
def document(tmp_path: Path) -> Document:
    return read_document(write_text(tmp_path / "texts") / DOCUMENT)


def test_find_becomes_at_and_places_become_spans(tmp_path: Path, document: Document) -> None:
    working = (
        f"document: {DOCUMENT}\nsource: source/900\ngroups:\n- claims:\n"
        "  - {unit: W, printed: 1,000 W, find: Acme Two draws 1,000 W, id: a}\n"
        "  - {id: b, printed: Acme One, find: Two was 2.5x as fast as Acme One 🚀, also_at: [{find: 'One draws', printed: One}]}\n"
        "  - {id: c, printed: 'm', find: 'rack of either costs $3.1M.\n| thing | mem', nth: 1, context_at: [{find: 141 GB, gives: unit}]}\n"
    ).replace("printed: 1,000 W, find: Acme Two draws 1,000 W", "printed: '1,000 W', find: 'Acme Two draws 1,000 W'")
    text = formatted(read(tmp_path, working), document)
    one, two, three = yaml.safe_load(text)["groups"][0]["claims"]
    assert one == {"id": "a", "printed": "1,000 W", "at": TEXT.index("1,000 W"), "unit": "W"}
    second = TEXT.index("Acme One 🚀")
    assert (two["at"], two["also_at"]) == (second, [{"at": TEXT.index("One"), "to": TEXT.index("One") + 3}])
    assert TEXT[three["at"]] == "m" and three["context_at"] == [
        {"at": TEXT.index("141 GB"), "to": TEXT.index("141 GB") + 6, "gives": "unit"}
    ]
    assert formatted(read(tmp_path, text), document) == text


@pytest.mark.parametrize(
    ("find", "printed", "said"),
    [
        ("Acme One", "One", "they occur 3 times"),
        ("nowhere", "1", "they occur 0 times"),
        ("draws 700 W", "701", "text inside"),
    ],
)
def test_words_that_lead_to_no_single_place_are_refused(find: str, printed: str, said: str) -> None:
    with pytest.raises(KgError, match=said):
        locate(TEXT, {"find": find}, printed)


def test_nth_counts_inside_the_words_and_spaces_may_be_line_ends() -> None:
    words = "Acme Two draws 1,000 W at most. In tests Acme Two"
    assert locate(TEXT, {"find": words, "nth": 2}, "Acme") == (
        TEXT.index("Acme Two was"),
        TEXT.index("Acme Two was") + 4,
    )


def test_a_find_stays_when_the_text_is_not_at_hand(tmp_path: Path) -> None:
    text = formatted(
        read(
            tmp_path,
            "source: source/900\ngroups:\n- about: x\n  claims:\n  - {find: draws 700 W, id: a, printed: 700 W}\n",
        ),
        None,
    )
    assert "- {id: a, printed: 700 W, find: draws 700 W}" in text


def test_all_mistakes_of_a_file_are_told(tmp_path: Path, document: Document) -> None:
    text = "source: source/900\ngroups:\n- claims:\n  - {id: a, printed: x, find: nowhere}\n  - {id: b, find: Acme}\n  - {id: c, at: x}\n"
    with pytest.raises(KgError) as raised:
        formatted(read(tmp_path, text), document)
    told = str(raised.value).splitlines()[::2]
    assert [line.split(": ")[:2] for line in told] == [
        ["claims.yaml:4", "a.find"],
        ["claims.yaml:5", "b.printed"],
        ["claims.yaml:6", "c.at"],
    ]


def test_a_comment_stays_above_what_it_is_about(tmp_path: Path) -> None:
    given = (
        "# of the file\nsource: source/900\ngroups:\n- about: x\n  claims:\n"
        "  # looked at twice\n  - {printed: 700 W, id: a}  # and once more\n# last\n"
    )
    text = formatted(read(tmp_path, given), None)
    assert text == (
        "# of the file\nsource: source/900\ngroups:\n- about: x\n  claims:\n"
        "  # looked at twice\n  # and once more\n  - {id: a, printed: 700 W}\n# last\n"
    )
    assert formatted(read(tmp_path, text), None) == text


def test_a_comment_above_a_key_that_is_no_text_stays_with_it(tmp_path: Path) -> None:
    given = "a: 1\n# of 16\n0x10:\n- b\n- c\n"
    located = located_text(given, tmp_path, shown="x")
    after = {"a": 1, 16: ["b"]}
    noted = carried_comments(comments_of(given, located), located.value, after)
    assert layout(after, comments=noted) == "a: 1\n# of 16\n16: [b]\n"


def test_two_keys_that_are_read_as_one_are_the_key_twice(tmp_path: Path) -> None:
    with pytest.raises(KgError, match="the key twice"):
        located_text("0x10: 1\n16: 2\n", tmp_path, shown="x")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ('a: "x # d\n  e"\nb: 1\n', "a: 'x # d e'\nb: 1\n"),  # in quotes, no comment
        ("a: 'x\n  y'  # of a\nb: 1\n", "# of a\na: x y\nb: 1\n"),
        ("? # of a\n  a\n: # of a too\n  1\n", "# of a\n# of a too\na: 1\n"),
        # keys that are read as something else than they are written as
        (
            "# of 16\n0x10: 1\n# of true\nyes: {a: 1}\n# of nothing\n~: 2\n",
            "# of 16\n16: 1\n# of true\ntrue: {a: 1}\n# of nothing\nnull: 2\n",
        ),
        ("yes:\n  # of a\n  a: 1\n", "true:\n  # of a\n  a: 1\n"),
    ],
)
def test_a_comment_behind_a_value_goes_above_its_key(given: str, wanted: str, tmp_path: Path) -> None:
    assert (
        layout((located := located_text(given, tmp_path, shown="x")).value, comments=comments_of(given, located))
        == wanted
    )


def test_no_comment_goes_with_a_key_that_the_formatter_leaves_out(tmp_path: Path, document: Document) -> None:
    given = (
        "# of the file\ndocument: made.txt\nsource: source/900\ngroups:\n- about: x\n  # nothing shared yet\n  with: {}\n"
        "  claims:\n  - printed: 700 W\n    # the second one\n    find: draws 700 W\n    id: a\n"
    )
    text = formatted(read(tmp_path, given), document)
    assert text.startswith("# of the file\nsource: ") and "find" not in text
    assert all(comment in text for comment in ("# nothing shared yet", "# the second one"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(SHIPPED_ROOT.root).as_posix())
def test_shipped_files_are_in_the_layout_and_no_line_is_long(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert layout_of(path, SHIPPED_ROOT) == text, "run: kg content format"
    assert [line for line in text.splitlines() if len(line) > WIDTH] == []


def test_what_fits_is_one_line_and_what_does_not_has_one_key_a_line() -> None:
    entry = {"id": "org/acme", "kind": "vendor", "aliases": ["Acme"], "note": "made up for this"}
    assert layout([entry]) == "- {id: org/acme, kind: vendor, aliases: [Acme], note: made up for this}\n"
    entry["note"] = " ".join(["word"] * 40)
    first, *rest = layout([entry]).splitlines()
    assert [first, *rest[:2]] == ["- id: org/acme", "  kind: vendor", "  aliases: [Acme]"]
    assert rest[2].startswith("  note: word word") and rest[3].startswith("    word") and len(rest) == 4
    assert yaml.safe_load(layout([entry])) == [entry]


def test_entities_stand_by_id_and_the_comment_of_the_file_stays_on_top(tmp_path: Path) -> None:
    folder = tmp_path / "entities"
    folder.mkdir()
    path = folder / "a.yaml"
    path.write_text(
        "# of the file\n- {id: org/b, kind: vendor, label: B}\n# of a\n- {label: A, kind: vendor, id: org/a}\n",
        encoding="utf-8",
    )
    assert laid_out(path, shown="a.yaml") == (
        "# of the file\n# of a\n- {id: org/a, kind: vendor, label: A}\n- {id: org/b, kind: vendor, label: B}\n"
    )


def test_another_layout_is_refused_by_the_check_and_written_by_the_formatter(root: Path) -> None:
    content = Content(root.resolve())
    format_content(content, None, tell=lambda _: None)
    path = content.ontology / "units.yaml"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("# ", "#   ", 1) + "\n\n", encoding="utf-8")
    with pytest.raises(Unformatted, match=r"ontology/units\.yaml"):
        check_content(content, None)
    assert format_content(content, None, tell=lambda _: None) == [path]
    assert check_content(content, None).counts["units"] > 80


# --- laws ------------------------------------------------------------------------------------------------------------

SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12),
    st.integers(0, 10**12),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["yes", "1:30", "2025-01-01", "null", "~", "0x10", "a: b", "#x", "*y"]),
)
TEXTS = SCALARS.map(str).filter(bool)
CLAIM = st.fixed_dictionaries(
    {"id": TEXTS},
    optional={
        "printed": TEXTS,
        "note": TEXTS,
        "value": SCALARS,
        "unit": TEXTS,
        "at": st.integers(0, 10**6),
        "path": st.lists(TEXTS, max_size=3),
        "conditions": st.dictionaries(
            TEXTS, st.one_of(SCALARS, st.none(), st.fixed_dictionaries({"value": SCALARS})), max_size=3
        ),
        "exact": st.booleans(),
        "subject": st.one_of(TEXTS, st.none()),
    },
)
FILES = st.fixed_dictionaries(
    {
        "source": TEXTS,
        "groups": st.lists(
            st.fixed_dictionaries({}, optional={"about": TEXTS, "with": CLAIM, "claims": st.lists(CLAIM, max_size=3)}),
            max_size=3,
        ),
    },
    optional={"document": TEXTS},
)


@generated(value=FILES, few=20, many=80)
def test_formatting_keeps_what_is_read_and_twice_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, value: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("any")
    before = read(folder, yaml.safe_dump(value, allow_unicode=True))
    entries = list(before.entries())
    once = formatted(before, None)
    after = read(folder, once)
    assert (after.source, after.document, list(after.entries())) == (before.source, before.document, entries)
    assert formatted(after, None) == once


ANY = st.recursive(
    st.one_of(
        SCALARS,
        st.none(),
        st.dates(),
        st.text(SIGNS, max_size=12),
        st.lists(st.text(" a:#-,'\"\\\n", min_size=1, max_size=9), min_size=30, max_size=60).map("a ".join),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)


@generated(value=ANY, blocks=st.integers(0, 4), few=40, many=300)
def test_any_value_comes_back_from_its_layout(value: Any, blocks: int) -> None:
    text = layout(value, blocks=blocks)
    assert located_text(text, Path("any.yaml"), shown="any.yaml").value == value == yaml.safe_load(text)


@generated(
    value=st.lists(st.dictionaries(TEXTS, SCALARS, min_size=1, max_size=4), min_size=1, max_size=4),
    data=st.data(),
    few=30,
    many=200,
)
def test_comments_come_back_from_a_layout(value: Any, data: st.DataObject) -> None:
    plain = located_text(layout(value, blocks=2), Path("any.yaml"), shown="any.yaml")
    places = data.draw(
        st.lists(
            st.sampled_from([key for key in plain.lines if key and key[-1] != next(iter(value[key[0]]))]), unique=True
        )
    )
    noted = {key: [f"# {'word ' * data.draw(st.integers(1, 40))}{key}".strip()] for key in places}
    text = layout(value, blocks=2, comments=noted)
    again = located_text(text, Path("any.yaml"), shown="any.yaml")
    assert again.value == value
    assert layout(value, blocks=2, comments=comments_of(text, again)) == text
    assert all(len(line) <= WIDTH for line in text.splitlines() if line.lstrip().startswith("# word"))
