"""The command line: ``metrologue score``, ``baseline``, ``coco``, ``compare``, ``doctor``, ``documents``, ``report``,
``explain``, ``install``, ``trace``, ``train``, ``mbr``, ``meta``, ``publish``, ``sacrebleu``, ``warmup``, ``which`` and
``list``.

The module of a command is imported when the command is called, and imports the rest when it runs: ``--help`` loads no
kernel and ``score`` no library.

It may import every other room.
"""

import click

from metrologue.cli.faults import Commands, told, warning_line
from metrologue.deferred import Deferred
from metrologue.version import __version__

__all__ = ["main", "told", "warning_line"]

# The commands whose module or function in this package has another name.
_ELSEWHERE = {"list": ("listing", "list_"), "report": ("documents", "report")}
# In the order of use, which the help text has too.
_COMMANDS = (
    "score", "compare", "report", "explain", "trace", "doctor", "which", "list", "meta", "mbr", "sacrebleu", "coco",
    "install", "train", "baseline", "documents", "publish", "warmup",
)  # fmt: skip


def _home(name: str) -> tuple[str, str]:
    """The module of a command, and its function there."""
    module, function = _ELSEWHERE.get(name, (name, name))
    return f"{__name__}.{module}", function


@click.group(
    cls=Commands,
    commands=Deferred({name: _home(name) for name in _COMMANDS}),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__)
def main() -> None:
    """Text-generation metrics: every library's number, and the reason why they differ.

    A file is text with one segment per line, or JSON Lines if its name ends in .jsonl. Both may be packed by gzip, xz
    or zstd. A .tsv, .parquet or Arrow file (.arrow, .arrows, .feather, .ipc) gives one of its columns: name it if there
    are several. "-" is standard input. SQuAD's JSON, COCO's captions, CoNLL, Kaldi's text, TRN, STM, CTM, SegLST, SGM,
    WMT's XML, SRT and VTT are read as what they are, and joined by their ids; --plain reads them as plain text.

    \b
    Examples:
      metrologue score bleu chrf -p hyp.txt -r ref.txt
      metrologue compare -p a.txt -p b.txt -r ref.txt
      metrologue explain bleu nltk sacrebleu -p hyp.txt -r ref.txt
    """
