"""Options that have the names of other programs, so that their users can type what they know."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from metrologue.cli.completion import complete_tokenizer
from metrologue.cli.faults import echo_warning

__all__ = ["GEVAL_FILES", "TOKENIZERS", "sacrebleu_options"]

F = TypeVar("F", bound=Callable[..., Any])

# GEval's names of the options for files.
GEVAL_FILES = {"predictions": "--out", "references": "--expected"}


def sacrebleu_options(function: F) -> F:
    """BLEU's options as in sacrebleu. They become settings of BLEU; those of ``--set`` come after them."""

    @wraps(function)
    def command(
        *arguments: Any,
        language_pair: str | None,
        tokenizer: str | None,
        lowercase: bool,
        settings: tuple[str, ...],
        **options: Any,
    ) -> Any:
        of_language = _tokenizer_of(language_pair)
        if tokenizer and of_language and tokenizer != of_language:
            echo_warning(f"for {language_pair}, the tokenizer {of_language!r} is the usual one.")
        chosen = tokenizer or of_language
        own = [f"bleu.tokenizer={chosen}"] * bool(chosen) + ["bleu.lowercase=true"] * lowercase
        return function(*arguments, settings=(*own, *settings), **options)

    for option in (
        click.option("-lc", "--lowercase", is_flag=True, help="Compute BLEU in lower case."),
        click.option(
            "-tok",
            "--tokenize",
            "tokenizer",
            metavar="NAME",
            help="BLEU's tokenizer.",
            shell_complete=complete_tokenizer,
        ),
        click.option(
            "-l",
            "--language-pair",
            metavar="SOURCE-TARGET",
            help="BLEU's tokenizer for the target language, as in en-zh: zh, ja-mecab, ko-mecab; 13a for others.",
        ),
    ):
        command = option(command)
    return cast(F, command)


# The tokenizers that sacrebleu uses for these target languages. All others have the variant's own tokenizer.
TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


def _tokenizer_of(language_pair: str | None) -> str | None:
    if language_pair is None:
        return None
    source, _, target = language_pair.partition("-")
    if not source or not target:
        raise click.BadParameter(f"{language_pair!r} is not a pair of languages, such as en-de.", param_hint="-l")
    return TOKENIZERS.get(target)
