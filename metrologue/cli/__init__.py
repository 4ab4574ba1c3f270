"""The command line: ``metrologue score``, ``coco``, ``compare``, ``documents``, ``report``, ``explain``, ``trace``,
``publish``, ``warmup`` and ``list``.

A command imports what it needs when it runs: ``--help`` loads no kernel and ``score`` no library.
"""

import click

from metrologue import __version__
from metrologue.cli.coco import coco
from metrologue.cli.compare import compare
from metrologue.cli.documents import documents, report
from metrologue.cli.explain import explain
from metrologue.cli.faults import Commands, told
from metrologue.cli.listing import list_
from metrologue.cli.publish import publish
from metrologue.cli.score import score
from metrologue.cli.trace import trace
from metrologue.cli.warmup import warmup

__all__ = ["main", "told"]


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__)
def main() -> None:
    """Text-generation metrics: every library's number, and the reason why they differ.

    A file is text with one segment per line, or JSON Lines if its name ends in .jsonl. Both may be packed by gzip or
    xz. A .tsv or .parquet file gives one of its columns: name it if there are several. "-" is standard input.
    """


for _command in (score, coco, explain, trace, compare, documents, report, publish, warmup, list_):
    main.add_command(_command)
