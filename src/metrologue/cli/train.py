"""``metrologue train``: a learned metric from texts that people rated."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.faults import shown_path
from metrologue.cli.help import Command
from metrologue.cli.options import read_limits
from metrologue.cli.tables import say
from metrologue.errors import shown

if TYPE_CHECKING:
    from metrologue.learned import TrainedModel

_FILE = click.Path(exists=True, path_type=Path)


@click.command(cls=Command)
@click.argument("metric")
@click.option("--data", required=True, type=_FILE, help="The rated texts, see below; or the data of another --reader.")
@click.option(
    "--test", type=_FILE, help="Rated texts to measure the metric on. Default: each group is held out in turn."
)
@click.option("--reader", metavar="NAME", help="The form of the data, as for `metrologue meta`, such as wmt-da.")
@click.option("--quality", help="Which quality of such data, if there are several.")
@click.option("--scale", metavar="LEAST:GREATEST", help="Refuse a rating outside of this range.")
@click.option(
    "--encoder", "encoders", multiple=True, metavar="PATH",
    help="An encoder, as bertscore takes it, or ngrams-64@3, which needs no model. Repeat for others.",
)  # fmt: skip
@click.option(
    "-m", "--metric", "scores", multiple=True, metavar="METRIC",
    help="A metric whose score is a feature: NAME, NAME:VARIANT or a signature. Repeat for others.",
)  # fmt: skip
@click.option(
    "--trainer", metavar="NAME",
    help=(
        "ridge, mlp, ranker, z-scores, or one of the metric's own. Default: the one that its paper has, or ridge."
    ),
)  # fmt: skip
@click.option("--hidden", metavar="N,N", help="The widths of the hidden layers of a network, such as 1024,1024.")
@click.option("--epochs", type=click.IntRange(1), help="At most so many passes over the data, for a network.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with a training that was ended, from its files in the folder; a finished one stays as it is.",
)
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="The model's folder.")
def train(
    metric: str,
    data: Path,
    test: Path | None,
    reader: str | None,
    quality: str | None,
    scale: str | None,
    encoders: tuple[str, ...],
    scores: tuple[str, ...],
    trainer: str | None,
    hidden: str | None,
    epochs: int | None,
    seed: int,
    resume: bool,
    out: Path,
) -> None:
    """Train a learned METRIC on texts that people rated, and measure it on texts that were held out.

    A rated text is an object of JSON Lines with prediction, references, rating (or label: 0 or 1), and perhaps group,
    system, source or context; or what `metrologue meta` takes, with ratings by quality: JSON Lines, a JSON list, .tsv
    or .csv. Some metrics learn from other data, which their cards describe.

    The folder gets the model and its card, README.md. The model is plain numbers, in JSON and safetensors.

    \b
    Examples:
      metrologue train composite --data da.jsonl --encoder path/of/an/encoder --out my-model
      metrologue train composite --data da.jsonl --encoder ngrams-64@3 --trainer mlp --out my-model
      metrologue score composite --model my-model -p hyp.txt -r ref.txt
    """
    from metrologue.learned import save_model
    from metrologue.learned import train as trained
    from metrologue.learned.store import is_complete

    unfinished = out / "training.safetensors"
    begun = _unfinished(out)
    if resume and not begun and is_complete(out):
        click.echo(f"The training in {shown_path(str(out))} is finished; there is nothing to resume.")
        return
    if out.exists() and any(out.iterdir()) and not (resume and begun):
        cure = "--resume goes on with it." if begun else "give the name of a new one."
        raise click.UsageError(f"the folder {shown_path(str(out))} is not empty; {cure}")
    examples, tested = (_read(metric, each, reader, quality, scale) if each else None for each in (data, test))
    chosen = _trainer(metric, trainer, hidden, epochs, seed)
    out.mkdir(parents=True, exist_ok=True)
    try:
        model = trained(
            metric, examples, encoders=encoders, scores=scores, trainer=chosen, test=tested, seed=seed,
            checkpoint=unfinished, hidden_bar=False,
        )  # fmt: skip
    except BaseException:
        left = [*out.iterdir()]
        if all(each.suffix == ".data" for each in left):  # nothing to go on with
            for each in left:
                each.unlink()
            out.rmdir()
        raise
    save_model(model, out)
    for each in _unfinished(out):
        each.unlink()
    _tell(model, out)


def _unfinished(out: Path) -> list[Path]:
    """The files of a training that was ended: of each of its steps, of what was measured, and of its data."""
    return [
        each
        for pattern in ("training*.safetensors", "training.measured", "training.data")
        for each in out.glob(pattern)
    ]


def _read(metric: str, path: Path, reader: str | None, quality: str | None, scale: str | None) -> Any:
    from metrologue.files.objects import read_records
    from metrologue.learned import Examples
    from metrologue.learned.examples import read_examples
    from metrologue.learned.recipes import recipe_of
    from metrologue.meta import read_judgements

    read = recipe_of(metric).reader
    if reader is None and read is read_examples and not {"rating", "label"} & {*read_records(path)[0].fields}:
        reader = "jsonl"  # the form that `metrologue meta` takes
    if quality and not reader:
        raise click.UsageError("--quality is for the data of `metrologue meta`, or of another --reader.")
    examples = Examples.of_judgements(read_judgements(path, reader), quality) if reader else read(path)
    if scale and not isinstance(examples, Examples):
        raise click.UsageError(f"--scale is for rated texts; {metric} learns from other data.")
    if scale:
        examples.check_range(*read_limits(scale, "LEAST:GREATEST"))
    return examples


def _trainer(metric: str, name: str | None, hidden: str | None, epochs: int | None, seed: int) -> Any:
    """The trainer with these settings; None: that of the metric."""
    from metrologue.errors import instead_of
    from metrologue.learned.recipes import recipe_of
    from metrologue.learned.training import TRAINERS
    from metrologue.learned.training.loop import Steps

    recipe = recipe_of(metric)
    trainers: dict[str, Any] = {**TRAINERS, **recipe.trainers}
    if name is not None and name not in trainers:
        raise click.BadParameter(f"{name!r} is unknown; {instead_of(name, trainers)}", param_hint="--trainer")
    made = trainers[name]() if name else recipe.trainer()
    settings: dict[str, Any] = {"epochs": epochs} if epochs else {}
    if hidden is not None:
        widths = [each.strip() for each in hidden.split(",") if each]
        if not all(re.fullmatch("0*[1-9][0-9]{0,5}", each) for each in widths):
            raise click.BadParameter(f"{shown(hidden)} is not a list of widths, such as 72,72.", param_hint="--hidden")
        settings["hidden"] = tuple(map(int, widths))
    if isinstance(made, Steps):
        from dataclasses import replace

        return replace(made, seed=seed, **settings)
    if settings:
        raise click.UsageError(f"--{next(iter(settings))} is for networks; the trainer is {name or 'ridge'}.")
    return made


def _tell(model: TrainedModel, out: Path) -> None:
    """Print what was reached."""
    from metrologue.learned.scorer import reached

    click.echo(f"{model.name} is in {shown_path(str(out))}; its card is README.md there.")
    for line in reached(model):
        say(line + ".")
    held_out = model.report.get("held_out")
    if held_out and not held_out["beats_rival"]:
        click.echo("It does not beat its trivial rival: use the rival.")
