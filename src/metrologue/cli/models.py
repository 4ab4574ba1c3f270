"""Language models on the command line, and the summary that KenLM prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.gathering import Settings, gathered, option_name
from metrologue.cli.options import is_ngram_model, made_scorers

if TYPE_CHECKING:
    from metrologue.scorers import Result, Scorer

_SUMMARY = {
    "Perplexity including OOVs": "perplexity",
    "Perplexity excluding OOVs": "perplexity_excluding_oovs",
    "OOVs": "oovs",
    "Tokens": "tokens",
}


# The options that only models of transformers have, by their names in `CausalModel`: the least value, and the help.
_CAUSAL = {
    "stride": (1, "Score texts beyond the context of a model of transformers in windows that begin N tokens apart."),
    "max_length": (2, "Cut texts off after N tokens, for a model of transformers; with --stride, a window's width."),
    "batch_size": (1, "The texts or windows that go through a model of transformers at once. Default: 16."),
}


model_option = click.option(
    "--model",
    metavar="PATH",
    help="The model of a metric that takes one: a folder or a file. The language model for perplexity and its like: an "
    "ARPA file, a binary file of KenLM, or a folder with a model of transformers. The encoder for bertscore and its "
    "like: such a folder, or a file of word vectors. The folder of a trained or released model for bleurt, factcc and "
    "their like, or of a checkpoint for comet.",
)
device_option = click.option(
    "--device", metavar="NAME", help="Where the model of --model runs, such as cpu. Default: cuda, if it is there."
)
dtype_option = click.option(
    "--dtype", metavar="NAME", help="The type of the weights of a model of transformers, such as bfloat16."
)
# What says how a model runs, whichever metric takes it.
_RUNNING = ("batch_size", "device", "dtype")


encoder_option = click.option(
    "--encoder",
    "encoders",
    multiple=True,
    metavar="PATH",
    help="The encoder that the trained model or the checkpoint of --model needs. Repeat for several.",
)


def _taken_model(values: dict[str, Any]) -> Any:
    """The model of the command's metrics; None if none is given."""
    path, encoders, no_boundaries = (values.pop(name) for name in ("model", "encoders", "no_boundaries"))
    causal = {name: values.pop(name) for name in dict.fromkeys((*_CAUSAL, *_RUNNING))}
    causal = {name: value for name, value in causal.items() if value is not None}
    given = ["no_boundaries"] * no_boundaries + ["encoder"] * bool(encoders) + [*causal]
    if given and not path:
        raise click.UsageError(f"{option_name(given[0])} belongs to --model.")
    if path:
        _move_running(values, causal)
        _check_settings(values)
    return _opened(_metrics(values), path, encoders, no_boundaries, causal) if path else None


# The option ``--model`` and those that belong to it. The command gets the model as `model`, or None.
model_options = gathered(
    "model",
    _taken_model,
    model_option,
    encoder_option,
    device_option,
    dtype_option,
    click.option(
        "--no-boundaries",
        is_flag=True,
        help="Score an n-gram model's words without <s> and </s>, as KenLM's query -n does.",
    ),
    *(
        click.option(option_name(name), type=click.IntRange(least), metavar="N", help=about)
        for name, (least, about) in _CAUSAL.items()
    ),
)


def _move_running(values: dict[str, Any], causal: dict[str, Any]) -> None:
    """Set the fields that a metric has in place of ``--batch-size`` and its like, as ``--set`` would."""
    from metrologue.scorers import get_scorer
    from metrologue.scorers.core.registry import is_metric, run_fields

    names = _metrics(values)
    given = values.get("settings")
    for kind in [get_scorer(name) for name in dict.fromkeys(names) if is_metric(name)]:
        asked = {name: causal[name] for name in causal.keys() & kind.about.running.keys()}
        if asked:
            before = "" if len(names) == 1 else f"{kind.name}."
            made = [f"{before}{field}={value}" for field, value in run_fields(kind, asked, {}).items()]
            values["settings"] = Settings([*(given or ()), *made], getattr(given, "language", None))
            for name in asked:
                del causal[name]


def _check_settings(values: Mapping[str, Any]) -> None:
    """Refuse wrong settings before the model is read, which takes long. A signature names the model, and waits."""
    metrics, variant = values.get("metrics") or [values.get("metric") or ""], values.get("variant")
    if all(metrics) and not any("|" in each for each in (*metrics, variant or "")):
        made_scorers(metrics, variant, values.get("settings") or ())


def _metrics(values: Mapping[str, Any]) -> Sequence[str]:
    """The metrics that a command was given, without their variants."""
    from metrologue.scorers.core.names import metric_of

    return [metric_of(each) for each in values.get("metrics") or filter(None, [values.get("metric")])]


def _opened(
    metrics: Sequence[str], path: str, encoders: Sequence[str], no_boundaries: bool, causal: dict[str, Any]
) -> Any:
    from metrologue.language_models import NamedModel, open_model
    from metrologue.scorers import get_scorer
    from metrologue.scorers.core.needs import model_field, model_kind, model_of
    from metrologue.scorers.core.registry import is_metric

    kinds = [get_scorer(name) for name in metrics if is_metric(name)]
    if kinds and not any(map(model_field, kinds)):
        raise click.UsageError(f"{' and '.join(metrics)} takes no model; leave out --model.")
    if learned := next((kind for kind in kinds if model_kind(kind) == "trained"), None):
        given = {name: value for name, value in causal.items() if name in _RUNNING}
        return model_of(learned, path, **given, **({"encoder": [*encoders]} if encoders else {}))
    if encoders:
        raise click.UsageError(f"--encoder is for a trained model; {' and '.join(metrics)} takes none.")
    if encoding := next((kind for kind in kinds if model_kind(kind) in ("encoder", "sequence", "function")), None):
        if no_boundaries:
            raise click.UsageError(f"--no-boundaries is for n-gram models; {encoding.name} takes none.")
        return model_of(encoding, path, **causal)
    model: Any = open_model(path, **causal)
    if no_boundaries:
        if not is_ngram_model(NamedModel.of(model)):
            raise click.UsageError(f"--no-boundaries is for n-gram models, which {path} is not.")
        model = model.without_boundaries()
    return NamedModel.of(model)


def is_query_summary(scorers: Sequence[Scorer], systems: int) -> bool:
    """Whether the scores are those that KenLM's ``query`` sums up: one system's perplexities, with and without OOVs."""
    return (
        systems == len(scorers) == 1
        and scorers[0].primary == "perplexity"
        and set(_SUMMARY.values()) <= set(scorers[0].range)
    )


def as_query_prints(result: Result) -> str:
    """The summary as KenLM's ``query`` prints it."""
    return "\n".join(f"{heading}:\t{_number(result.scores[key])}" for heading, key in _SUMMARY.items())


def _number(value: float) -> str:
    """The shortest number that reads back as this one, in the way that KenLM writes it."""
    import numpy as np

    if value == 0 or 1e-6 <= value < 1e21:
        return np.format_float_positional(value, trim="-")
    return np.format_float_scientific(value, trim="-", exp_digits=1).replace("e+", "e")
