"""The Hugging Face Hub's own modules, where they can be had by ``evaluate.load``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from threading import Thread
from typing import Any, ClassVar

import numpy as np

from metrologue.comparison.libraries import bleuscore, sacrebleu
from metrologue.comparison.libraries.base import Available, Library, LibraryError, Missing, Scores, primary_first
from metrologue.comparison.libraries.rouge_score import seeded

__all__ = ["HubDefault", "HubSacrebleu"]

# A network that swallows packets must not hold up a comparison for longer than this.
PATIENCE_SECONDS = 10.0


@cache
def load(path: str) -> Any:
    """The Hub's module at `path`, or a Missing; asked for once in a process, because asking may take seconds."""
    import evaluate
    from huggingface_hub.constants import HF_HUB_OFFLINE

    if HF_HUB_OFFLINE:
        evaluate.config.HF_EVALUATE_OFFLINE = True  # evaluate knows this switch by its own name only
    cure = "it needs network access to huggingface.co (HF_HUB_OFFLINE and HF_EVALUATE_OFFLINE unset)"
    outcome: list[Any] = []

    def attempt() -> None:
        try:
            outcome.append(evaluate.load(path))
        except Exception as error:  # a proxy, a name server, a firewall: each fails in its own way
            outcome.append(Missing(f"evaluate.load({path!r}) fails with {type(error).__name__}", cure))

    thread = Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(PATIENCE_SECONDS)
    return outcome[0] if outcome else Missing(f"evaluate.load({path!r}) takes over {PATIENCE_SECONDS:g} s", cure)


class Hub(Library):
    """One module of the Hub; a subclass says which one each metric is."""

    distributions: ClassVar[tuple[str, ...]] = ("evaluate", "datasets")
    bleu_path: ClassVar[str]

    def status(self) -> Available | Missing:
        """As for every library; the module itself must be there too."""
        status = super().status()
        if isinstance(status, Available) and isinstance(module := load(self.bleu_path), Missing):
            return module
        return status

    def _module(self, name: str) -> Any:
        if isinstance(module := load(f"evaluate-metric/{name}"), Missing):
            raise LibraryError(f"{self.name}: {module}")
        return module


class HubDefault(Hub):
    """``evaluate.load("bleu")``, named in full so that a folder called bleu does not stand in for it."""

    name = "evaluate"
    bleu_path = "evaluate-metric/bleu"

    def score_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        max_order: int = 4,
        smooth: bool = False,
        tokenize: Callable[[str], list[str]] | None = None,
    ) -> Scores:
        """``compute``, with the Hub's own 13a tokens unless ``tokenize`` makes others."""
        own = {"tokenizer": tokenize} if tokenize else {}
        found = load(self.bleu_path).compute(
            predictions=predictions, references=references, max_order=max_order, smooth=smooth, **own
        )
        return bleuscore.numbers(found)

    def score_rouge(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        aggregate: bool = True,
        stem: bool = False,
        tokenize: Callable[[str], list[str]] | None = None,
        seed: int | None = None,
    ) -> Scores:
        """``compute``, its bootstrap from numpy's global state unless ``seed`` sets it; means without ``aggregate``."""
        with seeded(seed):
            found = self._module("rouge").compute(
                predictions=predictions,
                references=references,
                use_aggregator=aggregate,
                use_stemmer=stem,
                tokenizer=tokenize,
            )
        return primary_first({f"{kind}_fmeasure": float(np.mean(value)) for kind, value in found.items()})

    def score_meteor(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        alpha: float = 0.9,
        beta: float = 3,
        gamma: float = 0.5,
    ) -> Scores:
        """``compute``: the mean of nltk's ``meteor_score`` over its ``word_tokenize``."""
        found = self._module("meteor").compute(
            predictions=predictions, references=references, alpha=alpha, beta=beta, gamma=gamma
        )
        return {"meteor": float(found["meteor"])}

    def score_wer(
        self, predictions: list[str], references: list[list[str]], *, concatenate_texts: bool = False
    ) -> Scores:
        """``compute``, which gives nothing but the rate."""
        found = self._module("wer").compute(
            predictions=predictions, references=self._single(references), concatenate_texts=concatenate_texts
        )
        return {"wer": float(found)}

    def score_cer(
        self, predictions: list[str], references: list[list[str]], *, concatenate_texts: bool = False
    ) -> Scores:
        """``compute``, which gives nothing but the rate."""
        found = self._module("cer").compute(
            predictions=predictions, references=self._single(references), concatenate_texts=concatenate_texts
        )
        return {"cer": float(found)}


class HubSacrebleu(Hub):
    """``evaluate.load("sacrebleu")`` and the Hub's others that wrap it, in per cent; they refuse ragged references."""

    name = "evaluate-sacrebleu"
    scale = 100.0
    distributions = (*Hub.distributions, "sacrebleu")
    bleu_path = "evaluate-metric/sacrebleu"

    def score_bleu(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        tokenize: str | None = None,
        smooth: str = "exp",
        smooth_value: float | None = None,
        lowercase: bool = False,
        effective_order: bool = False,
    ) -> Scores:
        """``compute``; ``tokenize`` None is sacrebleu's default."""
        found = load(self.bleu_path).compute(
            predictions=predictions,
            references=references,
            smooth_method=smooth,
            smooth_value=smooth_value,
            lowercase=lowercase,
            tokenize=tokenize,
            use_effective_order=effective_order,
        )
        return sacrebleu.numbers(found)

    def score_ter(
        self,
        predictions: list[str],
        references: list[list[str]],
        *,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> Scores:
        """``compute`` of ``evaluate.load("ter")``."""
        found = self._module("ter").compute(
            predictions=predictions,
            references=references,
            normalized=normalized,
            ignore_punct=no_punct,
            support_zh_ja_chars=asian_support,
            case_sensitive=case_sensitive,
        )
        return sacrebleu.edit_rate(found)

    def score_chrf(self, predictions: list[str], references: list[list[str]], **options: Any) -> Scores:
        """``compute`` of ``evaluate.load("chrf")``, with the options of sacrebleu's ``CHRF``."""
        found = self._module("chrf").compute(predictions=predictions, references=references, **options)
        return {"chrf": found["score"]}
