"""Options that have the names of other programs, so that their users can type what they know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from metrologue.cli.completion import complete_tokenizer
from metrologue.cli.faults import echo_warning
from metrologue.cli.gathering import Settings, gathered
from metrologue.scorers.core.names import metric_of
from metrologue.text.scripts import SACREBLEU

# Options of sacrebleu that `metrologue score` does not have, and what does it here.
_ELSEWHERE: Mapping[tuple[str, ...], str] = {
    ("-t", "--test-set"): "a test set needs sacrebleu's arguments: metrologue sacrebleu -t … -l … -i …",
    ("-nr", "--num-refs"): "give -r once for each reference; for references in one line with tabs between them, "
    "metrologue sacrebleu FILE -nr N -i …",
    ("-sl", "--sentence-level"): "--per-segment prints the numbers of every segment",
    ("--smooth-method",): "it is a field of BLEU: --set bleu.smoothing=floor",
    ("-sv", "--smooth-value"): "it is a field of BLEU: --set bleu.smooth_value=0.1",
    ("-cc", "--chrf-char-order"): "it is a field of chrF: --set chrf.char_order=6",
    ("-cw", "--chrf-word-order"): "it is a field of chrF: --set chrf.word_order=2, or the metric chrf:chrf++",
    ("-e", "--encoding"): "files are UTF-8: iconv -f latin1 -t utf-8 FILE | metrologue score … -p -",
}

_FLAGS = ("-sl",)


def _refused(names: tuple[str, ...], text: str) -> Callable[..., None]:
    def refuse(context: click.Context, _parameter: click.Parameter, value: object) -> None:
        if value is not None and not context.resilient_parsing:
            raise click.UsageError(f"{' / '.join(names)} is sacrebleu's; {text}", context)

    return refuse


# Hidden options of sacrebleu: -i is -p, and what is not here is answered with what does it.
answer_option = gathered(
    "predictions",
    lambda values: (*values.pop("predictions"), *values.pop("given_as_input")),
    click.option(
        "-i",
        "--input",
        "given_as_input",
        type=click.Path(exists=True, dir_okay=False, allow_dash=True),
        multiple=True,
        hidden=True,
    ),
    *(
        click.option(
            *names, f"foreign_{names[-1].strip('-').replace('-', '_')}", hidden=True, expose_value=False,
            callback=_refused(names, text), is_flag=names[0] in _FLAGS, default=None,
        )
        for names, text in _ELSEWHERE.items()
    ),
)  # fmt: skip


def _settings_of_bleu(values: dict[str, Any]) -> Settings:
    """The settings of a command. Those of ``--set`` come after BLEU's own options."""
    language_pair, tokenizer, lowercase = (values.pop(name) for name in ("language_pair", "tokenizer", "lowercase"))
    of_language = _tokenizer_of(language_pair)
    if tokenizer and of_language and tokenizer != of_language:
        echo_warning(f"for {language_pair}, the tokenizer {of_language!r} is the usual one.")
    chosen = tokenizer or of_language
    for given, name in ((lowercase, "-lc"), (tokenizer, "-tok"), (language_pair, "-l")):
        if given:
            _check_for_bleu(name, values.get("metrics", ()))
    settings = [f"bleu.tokenizer={chosen}"] * bool(chosen) + ["bleu.lowercase=true"] * lowercase
    others: Settings = values.pop("settings")
    return Settings([*settings, *others], others.language)


# BLEU's options as in sacrebleu. They become settings of BLEU.
sacrebleu_options = gathered(
    "settings",
    _settings_of_bleu,
    click.option(
        "-l",
        "--language-pair",
        metavar="SOURCE-TARGET",
        help="BLEU's tokenizer for the target language, as in en-zh: zh, ja-mecab, ko-mecab; 13a for others.",
    ),
    click.option(
        "-tok", "--tokenize", "tokenizer", metavar="NAME", help="BLEU's tokenizer.", shell_complete=complete_tokenizer
    ),
    click.option("-lc", "--lowercase", is_flag=True, help="Compute BLEU in lower case."),
)


def _tokenizer_of(language_pair: str | None) -> str | None:
    if language_pair is None:
        return None
    source, _, target = language_pair.partition("-")
    if not source or not target:
        raise click.BadParameter(f"{language_pair!r} is not a pair of languages, such as en-de.", param_hint="-l")
    return SACREBLEU.get(target)


# The fields of other metrics that do what an option does for BLEU.
_FIELDS = {"-lc": {"chrf": "chrf.lowercase=true", "ter": "ter.case_sensitive=false", "wer": "wer.lowercase=true"}}


def _check_for_bleu(option: str, metrics: tuple[str, ...]) -> None:
    """Refuse an option of BLEU, by the name that was typed, if BLEU is not computed."""
    names = [*map(metric_of, metrics)]
    if metrics and "bleu" not in names:
        fields = [field for name, field in _FIELDS.get(option, {}).items() if name in names]
        instead = (
            f"give --set {fields[0]}" if fields else "`metrologue list METRIC` shows the fields that --set changes"
        )
        raise click.UsageError(f"{option} is for BLEU, and {', '.join(names)} is not; {instead}.")
