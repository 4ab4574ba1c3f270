"""``metrologue list``: the metrics with their variants, fields and numbers, and the tokenizers."""

from __future__ import annotations

import shutil
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

import click

from metrologue.cli.completion import complete_metric
from metrologue.cli.options import made_scorer
from metrologue.cli.tables import Table, print_table, terminal_width
from metrologue.output import filled
from metrologue.scorers.core.needs import needs_of, said_of_needs
from metrologue.scorers.core.variants import variant_of

if TYPE_CHECKING:
    from metrologue.scorers import Scorer

_NARROW = 80  # columns of the list of tasks, which is for a screen
_WIDTH = 100  # columns of a line in a file or a pipe
_TOKENIZERS = "tokenizers"
_RESEARCH = "Research: made anew from a paper; no released model is read, and ours is no substitute for the paper's."


@click.command(name="list")
@click.argument("metrics", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metric)
@click.option("--all", "everything", is_flag=True, help="List all variants, by what their metrics need.")
@click.option("--hub", is_flag=True, help="List the modules of the Hub: here, or why not.")
@click.option("--versions", is_flag=True, help="List which versions of libraries give which numbers of a METRIC.")
def list_(metrics: tuple[str, ...], everything: bool, hub: bool, versions: bool) -> None:
    """List metrics by their task; with --all, all their variants, by what they need, and tokenizers.

    With a METRIC, list its variants, fields and numbers. With a tokenizer, show what it makes of three sentences; with
    tokenizers, list them all.

    With NAME:VARIANT or a signature, list the value of each field, and what it means.

    \b
    Examples:
      metrologue list
      metrologue list --all
      metrologue list bleu
      metrologue list bleu:nltk
      metrologue list 13a whitespace
      metrologue list tokenizers
      metrologue list --hub
      metrologue list bleu --versions
      metrologue list 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
    """
    from metrologue.scorers import list_scorers
    from metrologue.text.tokenizers import list_tokenizers

    if hub:
        if metrics:
            raise click.UsageError("--hub lists the Hub's modules; give it without a METRIC.")
        print_table(_hub_modules(), "text")
        return
    if everything and metrics:
        raise click.UsageError("--all lists all metrics; give it without a METRIC.")
    if versions:
        _print_versions(metrics)
        return
    if not (metrics or everything):
        _print_tasks()
        return
    known = set(list_scorers())
    cutters = [name for name in metrics if name.partition(":")[0] in list_tokenizers()]
    metrics = tuple(name for name in metrics if name not in cutters or _is_metric(name, known))
    cutters = [name for name in cutters if name not in metrics or ":" not in name]
    named = [name for name in metrics if name != _TOKENIZERS]
    if named or not (metrics or cutters):
        _print_metrics(named)
    for name in cutters:
        _print_tokens(name)
    if len(named) < len(metrics):
        _say_tokenizers()


def _print_versions(metrics: Sequence[str]) -> None:
    """Print for each call of a library which versions give which number, and our variant with it."""
    from metrologue.comparison.libraries.history import LINES, calls, since
    from metrologue.scorers import get_scorer
    from metrologue.scorers.core.names import metric_of

    if not metrics:
        raise click.UsageError("--versions lists the versions of a METRIC's numbers; give one.")
    for metric in metrics:
        name = get_scorer(metric_of(metric)).name
        if not (found := calls(name)):
            _say(f"{name}: no library's older versions were asked for its numbers.")
            continue
        rows = []
        for call in found:
            for place, (versions, number, variant, why) in enumerate(call.rows()):
                of = call.name if place == 0 else ""
                rows.append(
                    [call.library if of else "", of, versions, number, call.example() if of else "", variant, why]
                )
        print_table(
            Table(["library", "call", "versions", "number", "of", "variant", "why"], rows, words=7, width=_WIDTH),
            "text",
        )
        click.echo()
    _say(
        f"These are the versions since {since()} that could be installed. The texts are of `metrologue documents`, and "
        f"{LINES} of newstest2017."
    )


def _print_tasks() -> None:
    """Print the names of all metrics by task, on one screen."""
    from metrologue.scorers import list_scorers
    from metrologue.tasks import grouped

    width = terminal_width() or _NARROW
    for task, names in grouped(list_scorers()).items():
        click.echo(filled(f"{task}: {' '.join(names)}", width, "", "  "))
    _say("metrologue list METRIC: its variants, fields and numbers; list --all: all variants; list tokenizers.")


def _is_metric(name: str, known: Container[str]) -> bool:
    """Whether a name that may be a tokenizer's is a metric's: options of a tokenizer have "=", a variant has none."""
    head, _, rest = name.partition(":")
    return head in known and "=" not in rest.partition("[")[0]


def _say_tokenizers() -> None:
    from metrologue.text.tokenizers import list_tokenizers

    _say(f"tokenizers: {' '.join(list_tokenizers())}")


def _print_metrics(metrics: Sequence[str]) -> None:
    """Print all metrics and tokenizers, or what is known of some metrics."""
    from metrologue.scorers import get_scorer, list_scorers
    from metrologue.scorers.core.names import metric_of, read_name

    plain = {metric: read_name(metric).head for metric in metrics if read_name(metric) == (metric_of(metric), {}, ())}
    chosen = [metric for metric in metrics if metric not in plain]
    for metric in chosen:
        _print_choices(made_scorer(metric, None))
    if chosen and len(chosen) == len(metrics):
        return
    scorers = [get_scorer(name) for name in (plain.values() if metrics else list_scorers())]
    if not metrics:
        _print_all(scorers)
        _say_tokenizers()
        return
    print_table(_variants(scorers), "text")
    for scorer in scorers:
        click.echo()
        _say(f"{scorer.name}: {said_of_needs(scorer)}")
        click.echo(f"\nThe fields of {scorer.name}, for --set FIELD=VALUE:\n")
        print_table(_fields(scorer), "text")
        click.echo(f"\nWhat they mean:\n\n{_meanings(scorer)}")
        click.echo(f"The numbers of {scorer.name}:\n")
        print_table(_numbers(scorer), "text")


def _print_tokens(name: str) -> None:
    """Print what a tokenizer does, and the tokens of a few sentences."""
    from metrologue.text.tokenizers import canonical_name, get_tokenizer
    from metrologue.text.tokenizers.meanings import SENTENCES, meaning_of_tokenizer
    from metrologue.text.tokenizers.registry import missing_for

    about = meaning_of_tokenizer(name).replace("`", "")
    _say(f"{canonical_name(name)}: {about or 'a tokenizer of your own'}.")
    if missing := missing_for(canonical_name(name)):
        _say(f"  It needs {missing}.")
        click.echo()
        return
    for sentence in SENTENCES:
        tokens = get_tokenizer(name)(sentence)
        _say(f"  {' | '.join(tokens) or 'no token'}  ({len(tokens)})")
    click.echo()


def _print_all(scorers: list[type[Scorer]]) -> None:
    """Print all metrics by what they need; those of research last, with what they reached."""
    kinds: dict[str, list[type[Scorer]]] = {}
    for scorer in scorers:
        kinds.setdefault("" if scorer.about.research else needs_of(scorer), []).append(scorer)
    for needed in sorted(kinds, key=lambda needed: (not needed, needed != "nothing", -len(kinds[needed]))):
        _say(f"These need {needed}:" if needed else _RESEARCH)
        click.echo()
        print_table(_variants(kinds[needed]), "text")
        click.echo()
    for scorer in kinds.get("", ()):
        _say(f"{scorer.name} needs {needs_of(scorer)}. {scorer.about.research}")
    from metrologue.modules import list_metrics
    from metrologue.scorers.core.research import how_to_install, reached_of

    here = {scorer.name for scorer in scorers}
    if absent := {name: reached for name in list_metrics() if name not in here and (reached := reached_of(name))}:
        _say(f"{_RESEARCH} Not here: {how_to_install(next(iter(absent)))}")
        for name, reached in absent.items():
            _say(f"{name}. {reached}")
    click.echo()


def _say(text: str) -> None:
    """Print a sentence, as wide as the terminal, or in a file as a screen."""
    click.echo(filled(text, terminal_width() or _WIDTH, "", "  "))


def _print_choices(scorer: Scorer) -> None:
    """Print whose numbers a scorer gives, and what each of its fields means."""
    from metrologue.scorers.core.described import described
    from metrologue.scorers.core.options import options_of, spelled

    name = variant_of(scorer)
    mirrored = scorer.variants()[name] if name else None
    whose = f"{name}, {mirrored.named()}" if mirrored else "no listed variant"
    values = {field: getattr(scorer, field) for field in options_of(type(scorer))}
    rows = [
        [field, spelled(value), described(type(scorer), field, value if isinstance(value, tuple) else [value])]
        for field, value in values.items()
    ]
    rows = [[cell.replace("`", "") for cell in row] for row in rows]
    click.echo(f"{scorer.name} ({whose}):\n")
    print_table(Table(["field", "value", "meaning"], rows, words=3), "text")
    click.echo()


def _hub_modules() -> Table:
    """The Hub's modules: here, or what each one is and what to use in its place."""
    from metrologue.hub_names import hub_names, instead_of_hub_module

    rows = [
        [name, "here", f"metrologue.load('{name}')"]
        if missing is None
        else [name, "-", f"It is {missing[0]}. {instead_of_hub_module(missing[1])}"]
        for name, missing in hub_names().items()
    ]
    return Table(["module", "here", "about"], rows, words=3)


def _variants(scorers: list[type[Scorer]]) -> Table:
    rows = [
        [scorer.name, name, variant.named(), variant.about]
        for scorer in scorers
        for name, variant in scorer.variants().items()
    ]
    return Table(["metric", "variant", "mirrors", "about"], rows, words=4, width=_WIDTH)


def _fields(scorer: type[Scorer]) -> Table:
    """The fields with their defaults, their values, and the choice to which they belong in ``explain``."""
    from metrologue.scorers.core.described import values_of
    from metrologue.scorers.core.options import options_of, spelled

    default = scorer()
    rows = [
        [name, spelled(getattr(default, name)), values_of(scorer, name).replace("`", ""), declared.choice or "-"]
        for name, declared in options_of(scorer).items()
    ]
    return Table(["field", "default", "values", "choice"], rows, words=4)


def _numbers(scorer: type[Scorer]) -> Table:
    """The numbers with their ranges by default, their directions, and what they are."""
    from metrologue.scorers.core.numbers import tabled

    default, rows = scorer(), []
    for declared, names, condition in tabled(default):
        shown = ", ".join(names if len(names) < 3 else [names[0], "...", names[-1]])
        about = declared.about.replace("{", "").replace("}", "").replace("`", "")
        needs = f" (with {condition})" if condition else ""
        rows.append([shown, declared.span(default), declared.better or "-", about + needs])
    return Table(["number", "range", "better", "what it is"], rows, words=4)


def _meanings(scorer: type[Scorer]) -> str:
    """What each field and each of its values means, as wide as the terminal."""
    from metrologue.scorers.core.options import options_of

    entries = []
    for name, declared in options_of(scorer).items():
        entries.append((name, declared.about))
        entries += [(f"  {value}", about) for value, about in (declared.one_of or {}).items() if about]
    formatter = click.HelpFormatter(width=min(shutil.get_terminal_size().columns, 120))
    formatter.write_dl([(name, about.replace("`", "")) for name, about in entries], col_max=26)
    return formatter.getvalue()
