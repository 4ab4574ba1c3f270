"""The command line: ``metrologue score``, ``baseline``, ``coco``, ``compare``, ``doctor``, ``documents``, ``report``,
``explain``, ``trace``, ``train``, ``mbr``, ``meta``, ``publish``, ``sacrebleu``, ``warmup``, ``which`` and ``list``.

The module of a command is imported when the command is called, and imports the rest when it runs: ``--help`` loads no
kernel and ``score`` no library.

It may import every other room.
"""

import click

from metrologue.cli.faults import Commands, told, warning_line
from metrologue.deferred import Deferred
from metrologue.version import __version__

__all__ = ["main", "told", "warning_line"]

# The module of each command in this package, and its function there.
_COMMANDS = {
    "baseline": ("baseline", "baseline"),
    "coco": ("coco", "coco"),
    "compare": ("compare", "compare"),
    "doctor": ("doctor", "doctor"),
    "documents": ("documents", "documents"),
    "explain": ("explain", "explain"),
    "list": ("listing", "list_"),
    "mbr": ("mbr", "mbr"),
    "meta": ("meta", "meta"),
    "publish": ("publish", "publish"),
    "report": ("documents", "report"),
    "sacrebleu": ("sacrebleu", "sacrebleu"),
    "score": ("score", "score"),
    "trace": ("trace", "trace"),
    "train": ("train", "train"),
    "warmup": ("warmup", "warmup"),
    "which": ("which", "which"),
}


@click.group(
    cls=Commands,
    commands=Deferred({name: (f"{__name__}.{module}", function) for name, (module, function) in _COMMANDS.items()}),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__)
def main() -> None:
    """Text-generation metrics: every library's number, and the reason why they differ.

    A file is text with one segment per line, or JSON Lines if its name ends in .jsonl. Both may be packed by gzip, xz
    or zstd. A .tsv, .parquet or Arrow file (.arrow, .arrows, .feather, .ipc) gives one of its columns: name it if there
    are several. "-" is standard input.
    """
