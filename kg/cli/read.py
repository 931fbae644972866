"""`kg read`: what a report claims, as proposals to review."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.options import ContentOption, QuietOption, output_to, talker
from kg.cli.text_source import TextKindOption, text_source
from kg.errors import UsageError

if TYPE_CHECKING:
    from kg.reading.language_model import Endpoint
    from kg.reading.reading_session import ReportReading


class ProposalFormat(StrEnum):
    """The forms in which proposals can be written."""

    text = "text"
    jsonl = "jsonl"
    yaml = "yaml"


_ModelOption = Annotated[
    str | None, typer.Option("--model", help="a language model that orders candidates (extra llm)")
]
_EndpointOption = Annotated[
    str | None, typer.Option("--endpoint", help="its address, OpenAI-compatible; key in KG_MODEL_KEY")
]
_OutputOption = Annotated[Path | None, output_to("file to write; .yaml or .jsonl")]


def read(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="reports; - for standard input")],
    *,
    output: _OutputOption = None,
    form: Annotated[ProposalFormat | None, typer.Option("--format", help="text, jsonl or yaml")] = None,
    report_format: TextKindOption = None,
    text_out: Annotated[Path | None, typer.Option("--text-out", help="write the text that positions count in")] = None,
    model: _ModelOption = None,
    endpoint: _EndpointOption = None,
    content: ContentOption = None,
    quiet: QuietOption = False,
) -> None:
    """Every figure of a report: the claims as proposals for review, the others with the reason why they claim nothing.

    Example: kg read report.md -o proposals.yaml
    """
    from kg.build.locate import content_in_use
    from kg.cli.output import put_bytes
    from kg.cli.progress import shown_progress
    from kg.reading.reading_session import ReadingSession

    chosen = _chosen(form, output)
    _check_files(files, chosen, output, text_out)
    session = ReadingSession(str(content_in_use(None, content).place), _model(model, endpoint))
    written: list[str] = []
    for file in files:
        with shown_progress(quiet=quiet) as progress:
            reading = session.read(
                text_source(str(file)), report_format.value if report_format else None, progress=progress
            )
        if text_out is not None:
            put_bytes(reading.report.text.encode(), text_out)
        written += _written(reading, chosen, output)
        _tell(file, reading, output if chosen is ProposalFormat.yaml else None, quiet=quiet)
        if reading.model is not None:
            talker(quiet)(f"{model}: {reading.model.text()}")
    _put_lines(written, chosen, output)


def _put_lines(lines: list[str], chosen: ProposalFormat, output: Path | None) -> None:
    """Write what no reading wrote for itself: a file of YAML is written reading by reading."""
    from kg.cli.output import put_bytes

    whole = "".join(f"{line}\n" for line in lines)
    if output is None:
        sys.stdout.write(whole)
    elif chosen is not ProposalFormat.yaml:
        put_bytes(whole.encode(), output)


def _check_files(files: list[Path], chosen: ProposalFormat, output: Path | None, text_out: Path | None) -> None:
    """Refuse what would write over a report, or one result over another, and YAML without a file for it."""
    _refuse_overwriting(files, output, text_out)
    if len(files) > 1 and (text_out is not None or chosen is ProposalFormat.yaml):
        raise UsageError(given=f"{len(files)} reports", expected="one report for YAML and for --text-out")
    if chosen is ProposalFormat.yaml and output is None:
        raise UsageError(
            given="--format yaml",
            expected="a file for it: the text that was read is kept next to it",
            next_step="give -o FILE.yaml",
        )


def _tell(file: Path, reading: "ReportReading", output: Path | None, *, quiet: bool) -> None:
    """Say how many claims are proposed, and how to go through those of a file for review."""
    claims = sum(one.figure.is_claim for one in reading.proposals)
    talker(quiet)(f"{file}: {len(reading.proposals)} figures, {claims} of them claims to review")
    if output is not None and claims:
        talker(quiet)(f"go through them: kg review {output}")


def _refuse_overwriting(files: list[Path], *targets: Path | None) -> None:
    """Refuse to write over a report that is read, or one result over the other."""
    named = [one.resolve() for one in targets if one is not None]
    read = {one.resolve() for one in files if str(one) != "-"}
    for at, target in enumerate(named):
        if target in read or target in named[:at]:
            raise UsageError(given=str(target), expected="a file that is not read or written otherwise")


def _written(reading: "ReportReading", form: ProposalFormat, output: Path | None) -> list[str]:
    """The lines of one report; proposals in YAML are written here, since their text goes with them."""
    from kg.reading.proposal_lines import proposal_lines, proposal_text

    if form is ProposalFormat.yaml and output is not None:
        reading.write_for_review(output)
        return []
    if form is ProposalFormat.jsonl:
        return list(proposal_lines(reading.proposals))
    return list(proposal_text(reading.report, reading.proposals))


def _model(name: str | None, address: str | None) -> "Endpoint | None":
    """The model behind an address; both or none."""
    if name is None and address is None:
        return None
    if name is None or address is None or not address.startswith(("http://", "https://")):
        raise UsageError(
            given=f"--model {name or '(none)'} --endpoint {address or '(none)'}",
            expected="a name and an http or https address",
            next_step="for example: --model llama3.1 --endpoint http://localhost:11434/v1",
        )
    from kg.reading.language_model import Endpoint

    return Endpoint.open(name, address)


def _chosen(form: ProposalFormat | None, output: Path | None) -> ProposalFormat:
    """The form that was asked for, else that of the file's name, else lines for people."""
    if form is not None or output is None:
        return form or ProposalFormat.text
    return {".yaml": ProposalFormat.yaml, ".yml": ProposalFormat.yaml, ".txt": ProposalFormat.text}.get(
        output.suffix.lower(), ProposalFormat.jsonl
    )
