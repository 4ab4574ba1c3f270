"""``metrologue sacrebleu``: the arguments and the output of sacrebleu's own command, from the engine here."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from metrologue.cli.sacrebleu.refusing import refuse
from metrologue.version import __version__

if TYPE_CHECKING:
    from argparse import Namespace

    from metrologue.cli.sacrebleu.texts import Texts

__all__ = ["sacrebleu"]


class _Whole(click.Command):
    """A command that gets its arguments as they are: click has no options that take several values."""

    ignore_unknown_options = True
    allow_extra_args = True
    allow_interspersed_args = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all arguments."""
        ctx.params["arguments"] = tuple(args)
        return []


@click.command(cls=_Whole, add_help_option=False, context_settings={"help_option_names": []})
def sacrebleu(arguments: tuple[str, ...]) -> None:
    """Take the arguments of sacrebleu's command and print the same, in a fraction of the time.

    `metrologue sacrebleu --help` lists them.
    """
    from metrologue.cli.sacrebleu.arguments import parsed

    options = parsed(arguments)
    from metrologue.cli.sacrebleu import testsets

    if testsets.is_about(options):
        sys.exit(testsets.show(arguments))
    _check(options)
    from metrologue.cli.sacrebleu.inputs import read_texts
    from metrologue.scorers.core.variants import LIBRARIES

    texts = read_texts(options)
    _check_systems(options, texts)
    told = f"metrologue {__version__} computes these numbers, as sacrebleu {LIBRARIES['sacrebleu']} does."
    click.echo(told, err=True)
    _print(options, texts)


def _check(options: Namespace) -> None:
    """Refuse options that do not go together, as sacrebleu does."""
    if options.sentence_level and len(options.metrics) > 1:
        refuse("--sentence-level takes one metric.")
    if options.num_refs != 1 and (options.test_set is not None or len(options.refs) > 1):
        refuse("--num-refs is for one file of references, separated by tabs; without -t, and without other files.")
    if options.num_refs < 1:
        refuse(f"--num-refs is {options.num_refs}; 1 or more is expected.")
    if options.test_set is None and not options.refs:
        refuse("there are no references: give their files before -i, or a test set by -t and -l.")
    if options.test_set is not None and options.refs:
        refuse("there are files of references and a test set; give one of the two.")
    if options.test_set is not None and options.langpair is None:
        refuse("a test set needs a pair of languages: -l, such as en-de.")


def _check_systems(options: Namespace, texts: Texts) -> None:
    """Refuse what does not go together with so many systems."""
    count = len(texts.systems)
    is_paired = options.paired_bs or options.paired_ar
    if options.sentence_level and count > 1:
        refuse("--sentence-level takes one system.")
    if options.sentence_level and (options.confidence or is_paired):
        refuse("--sentence-level has no intervals and no tests.")
    if is_paired and count == 1:
        refuse("a paired test needs two systems or more: -i FILE FILE.")
    if options.confidence and count > 1:
        refuse("--confidence takes one system; for several, --paired-bs or --paired-ar tests their differences.")
    for name, lines in texts.systems.items():
        if not lines:
            refuse(f"{name} has no line.")
        for i, reference in enumerate(texts.references, 1):
            if len(reference) != len(lines):
                refuse(f"{name} has {len(lines)} lines and reference {i} has {len(reference)}; they must be as many.")


def _print(options: Namespace, texts: Texts) -> None:
    from metrologue.cli.sacrebleu import printing
    from metrologue.cli.sacrebleu.measures import measures

    style = printing.Style(
        options, colours=sys.stdout.isatty() and not (options.no_color or os.environ.get("NO_COLOR"))
    )
    # sacrebleu takes a metric once, however often it is named.
    scored = measures(options, texts.languages)
    if options.sentence_level:
        [measure], [lines] = scored, texts.systems.values()
        printing.sentences(style, measure, lines, texts.references)
    elif len(texts.systems) == 1:
        [lines] = texts.systems.values()
        printing.single(style, scored, lines, texts)
    else:
        printing.several(style, scored, texts)
    if style.colours:
        click.echo("\x1b[0m", nl=False)  # the colours end, as colorama ends them for sacrebleu
