"""``metrologue doctor``: what is plainly wrong with the files of a comparison."""

from __future__ import annotations

import sys

import click

from metrologue.cli.faults import Refused
from metrologue.cli.inputs import resegmented
from metrologue.cli.logs import LogCommand
from metrologue.cli.options import INPUT, Keys, files_options, format_option, missing, system_names
from metrologue.cli.tables import say
from metrologue.output import as_json


@click.command(cls=LogCommand)
@files_options(several_systems=True)
@click.option("-s", "--sources", type=INPUT, help="What was translated or summarized, one segment per line.")
@click.option("--fail/--no-fail", default=False, show_default=True, help="End with status 1 if there is a fault.")
@format_option("text", "json")
def doctor(
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    keys: Keys,
    sources: str | None,
    fail: bool,
    output_format: str,
) -> None:
    """Find faults in the files, such as shifted lines, and how much each changes a score.

    It finds text that is tokenized or in lower case on one side only, escaped characters, a wrong encoding, two
    Unicode forms, characters that only look equal, such as no-break spaces or Cyrillic letters in Latin words, what a
    program has left around or inside the lines, such as "Translation:", numbers, "**", "@@" or "<s>", shuffled,
    shifted or missing lines, references in the wrong layout, missing newlines between sentences, empty lines, repeated
    predictions, copies of the source or of a reference, scripts that tokenizers drop or whose words they do not find, a
    wrong length, and texts of another language or test set.

    \b
    Examples:
      metrologue doctor -p hyp.txt -r ref.txt
      metrologue doctor -p a.txt -p b.txt -r ref1.txt -r ref2.txt -s source.txt --fail
    """
    from metrologue.comparison.doctor.diagnosis import doctor, told
    from metrologue.files.joined import read_joined
    from metrologue.files.lines import Column
    from metrologue.files.parts import read_parts

    if not references:
        raise missing("references")
    plain = keys["plain"]
    systems = [Column(path, keys["prediction_key"], plain=plain) for path in predictions]
    theirs = [Column(path, keys["reference_key"], True, plain=plain) for path in references]
    source = [Column(sources, plain=plain, name="sources")] if sources else []
    part = None if keys["resegment"] else read_joined(systems, theirs, source)
    if keys["resegment"]:
        _, texts, others, *_ = read_parts([], theirs, source)
        columns = [resegmented(each, texts) for each in systems]
    elif part is None:  # one by one, because a file may have more lines than another
        columns = [read_parts([each], []).systems[0] for each in systems]
        texts = read_parts([], theirs).references
        others = [read_parts([each], []).systems[0] for each in source]
    else:
        columns, texts, others = part.systems, part.references, part.others
    lines = others[0].to_pylist() if others else None
    if lines is not None and len(lines) != len(columns[0]):
        raise Refused(f"{sources}: {len(lines)} lines for {len(columns[0])} predictions; each needs its source.")
    faults = doctor(dict(zip(system_names(predictions), columns, strict=True)), texts, lines)
    if output_format == "json":
        click.echo(as_json([each.to_dict() for each in faults]))
    else:
        say(*told(faults, len(columns)))
    if fail and faults:
        sys.exit(1)
