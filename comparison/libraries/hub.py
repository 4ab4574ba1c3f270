"""The Hugging Face Hub's own modules, by ``evaluate.load``: from the Hub, or from a folder that has them.

METROLOGUE_HUB_MODULES names the folder, such as ``metrics`` of a copy of huggingface/evaluate. The folder needs no
network, unless one of its modules downloads something.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import numpy as np

from metrologue.comparison.libraries import bleuscore, sacrebleu
from metrologue.comparison.libraries.base import (
    Available,
    Library,
    LibraryError,
    Missing,
    References,
    Scores,
    Texts,
    primary_first,
    renamed,
)
from metrologue.comparison.libraries.labels import CodedLabels, quiet
from metrologue.comparison.libraries.nltk import has_punkt, wordnet
from metrologue.origin import pip_install

__all__ = ["Hub", "HubDefault", "HubSacrebleu"]

# A network that does not answer must not delay a comparison for longer than this.
PATIENCE_SECONDS = 10.0

FOLDER_VARIABLE = "METROLOGUE_HUB_MODULES"


def load(name: str) -> Any:
    """The Hub's module with this name, or a Missing. It comes from METROLOGUE_HUB_MODULES or over the network."""
    if not (folder := os.environ.get(FOLDER_VARIABLE)):
        cure = (
            "it needs network access to huggingface.co (HF_HUB_OFFLINE and HF_EVALUATE_OFFLINE unset), or "
            f"{FOLDER_VARIABLE} set to a folder with the Hub's modules"
        )
        return _attempt(_from_hub, f"evaluate-metric/{name}", cure)
    cure = f"set {FOLDER_VARIABLE} to a folder with {name}/{name}.py as the Hub has it, or unset it to use the network"
    path = Path(folder).absolute() / name
    if not (path / f"{name}.py").is_file():
        return Missing(f"{FOLDER_VARIABLE} is {folder!r}, where there is no {name}/{name}.py", cure)
    return _attempt(_from_folder, str(path), cure)


@cache
def _attempt(loader: Callable[[str], Any], path: str, cure: str) -> Any:
    """What the loader gives, or a Missing. It is asked once per process, because it may take seconds."""
    outcome: list[Any] = []

    def attempt() -> None:
        try:
            outcome.append(loader(path))
        except ImportError as error:  # its message names the packages that the module imports
            outcome.append(Missing(f"evaluate.load({path!r}): {error}", f"or {pip_install('compare')}"))
        except Exception as error:  # a proxy, a name server and a firewall raise different errors
            outcome.append(Missing(f"evaluate.load({path!r}) fails with {type(error).__name__}", cure))

    thread = Thread(target=attempt, daemon=True)
    thread.start()
    # A folder waits for no network: its modules import packages, which takes long on a busy machine.
    patience = PATIENCE_SECONDS * (1 if loader is _from_hub else 6)
    thread.join(patience)
    return outcome[0] if outcome else Missing(f"evaluate.load({path!r}) takes over {patience:g} s", cure)


def _from_hub(path: str) -> Any:
    import evaluate
    from huggingface_hub.constants import HF_HUB_OFFLINE

    if HF_HUB_OFFLINE:
        evaluate.config.HF_EVALUATE_OFFLINE = True  # evaluate has only its own switch for this
    return evaluate.load(path, keep_in_memory=True)


def _from_folder(path: str) -> Any:
    """Load as ``evaluate.load`` does, without its last step, in which `meteor` tries to download nltk's data."""
    from evaluate.loading import evaluation_module_factory, import_main_class

    found = evaluation_module_factory(path)
    return import_main_class(found.module_path)(keep_in_memory=True, hash=found.hash)


class Hub(Library):
    """Modules of the Hub. Each of them may be available or not."""

    distributions: ClassVar[tuple[str, ...]] = ("evaluate", "datasets")
    is_told_at_once = False
    # The modules whose name is not the metric's name.
    modules: ClassVar[Mapping[str, str]] = {}

    def status(self, metric: str | None = None) -> Available | Missing:
        """The status of every library. The module of ``metric`` must be available too; it may come from a folder."""
        status = super().status(metric)
        if isinstance(status, Missing) or metric not in self.metrics():
            return status
        name = self._module_name(metric)
        if isinstance(module := load(name), Missing):
            return module
        origin = f" with {name} from {FOLDER_VARIABLE}" if os.environ.get(FOLDER_VARIABLE) else ""
        return Available(f"{status.version}{origin}")

    def _module_name(self, metric: str) -> str:
        return self.modules.get(metric, metric)

    def _compute(self, metric: str, seed: int | None = None, /, **arguments: Any) -> Any:
        if isinstance(module := load(self._module_name(metric)), Missing):
            raise LibraryError(f"{self.name}: {module}")
        with seeded(module, seed):
            return module.compute(**arguments)


@contextmanager
def seeded(module: Any, seed: int | None) -> Iterator[None]:
    """The module with this seed, or with its own seed for None. `compute` sets NumPy's global generator to it."""
    if seed is None:
        yield
        return
    own, module.seed = module.seed, seed
    try:
        yield
    finally:
        module.seed = own


class HubDefault(CodedLabels, Hub):
    """``evaluate.load("bleu")`` and others. A folder called bleu in the working directory is not used instead."""

    name = "evaluate"
    inputs: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(("sari", "wiki_split"), ("sources",))

    @classmethod
    def scale_of(cls, metric: str) -> float:
        return 100.0 if metric in cls.inputs else cls.scale

    def _of_codes(
        self, metric: str, predictions: list[int], references: list[int], count: int, options: Mapping[str, Any]
    ) -> Any:
        return self._compute(metric, predictions=predictions, references=references, **options)[metric]

    def score_bleu(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``, with the Hub's own 13a tokens unless ``tokenize`` is given."""
        given = renamed(options, tokenize="tokenizer")
        return bleuscore.numbers(self._compute("bleu", predictions=predictions, references=references, **given))

    def score_nist_mt(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``. Its tokenizer can be imported only if nltk's list of characters, perluniprops, is installed."""
        return self._number("nist_mt", predictions, references, options)

    def score_google_bleu(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``: nltk's ``corpus_gleu`` over the Hub's own 13a tokens unless ``tokenize`` is given."""
        return self._number("google_bleu", predictions, references, renamed(options, tokenize="tokenizer"))

    def score_rouge(
        self, predictions: Texts, references: References, *, seed: int | None = None, **options: Any
    ) -> Scores:
        """``compute``. Its bootstrap uses the module's own seed unless ``seed`` is given. No ``aggregate``: means."""
        given = renamed(
            options, types="rouge_types", aggregate="use_aggregator", stem="use_stemmer", tokenize="tokenizer"
        )
        found = self._compute("rouge", seed, predictions=predictions, references=references, **given)
        return primary_first({f"{kind}_fmeasure": float(np.mean(value)) for kind, value in found.items()})

    def score_sari(self, predictions: Texts, references: References, *, sources: Texts, **options: Any) -> Scores:
        """``compute``, in per cent. The module needs the package sacremoses, which it does not use by default."""
        return self._number("sari", predictions, references, {"sources": sources, **options})

    def score_wiki_split(self, predictions: Texts, references: References, *, sources: Texts) -> Scores:
        """``compute``, in per cent. It refuses segments with different numbers of references."""
        found = self._compute("wiki_split", sources=sources, predictions=predictions, references=references)
        return {key: float(value) for key, value in found.items()}

    def score_meteor(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``: the mean of nltk's ``meteor_score`` over its ``word_tokenize``."""
        wordnet()  # from here on nltk finds the same WordNet as we do
        if not has_punkt():
            raise LibraryError(f"{self.name}: word_tokenize needs nltk's data; python -m nltk.downloader punkt_tab")
        return self._number("meteor", predictions, references, options)

    def score_seqeval(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``: the overall numbers; a text is cut at whitespace."""
        ours, right = ([text.split() for text in side] for side in (predictions, self._single(references)))
        with quiet():
            found = self._compute("seqeval", predictions=ours, references=right, **options)
        return {name: float(found[f"overall_{name}"]) for name in ("f1", "precision", "recall", "accuracy")}

    def score_word_length(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``, with nltk's ``word_tokenize`` unless ``tokenize`` is given."""
        if not has_punkt():
            raise LibraryError(f"{self.name}: word_tokenize needs nltk's data; python -m nltk.downloader punkt_tab")
        found = self._compute("word_length", data=[*predictions], **renamed(options, tokenize="tokenizer"))
        return {"word_length": float(found["average_word_length"])}

    def score_word_count(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``; 0 where it fails because there is no word."""
        try:
            found = self._compute("word_count", data=[*predictions], **options)
        except ValueError as error:
            if "empty vocabulary" not in str(error):
                raise
            return {"word_count": 0.0, "unique_words": 0.0}
        return {"word_count": float(found["total_word_count"]), "unique_words": float(found["unique_words"])}

    def score_text_duplicates(self, predictions: Texts, references: References) -> Scores:
        """``compute``: the share of duplicates."""
        return {"text_duplicates": self._compute("text_duplicates", data=[*predictions])["duplicate_fraction"]}

    def score_wer(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``, which gives nothing but the rate."""
        return self._number("wer", predictions, self._single(references), options)

    def score_cer(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``, which gives nothing but the rate."""
        return self._number("cer", predictions, self._single(references), options)

    def score_character(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``: the mean of the rates, unless another ``aggregate`` is given."""
        found = self._compute("character", predictions=predictions, references=references, **options)
        return {"character": float(found["cer_score"])}

    def score_charcut_mt(self, predictions: Texts, references: References) -> Scores:
        """``compute``, which takes one reference."""
        return self._number("charcut_mt", predictions, self._single(references), {})

    def score_exact_match(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``, which takes one reference."""
        given = renamed(options, regexes="regexes_to_ignore")
        return self._number("exact_match", predictions, self._single(references), given)

    def _number(self, metric: str, predictions: Texts, references: Any, options: Mapping[str, Any]) -> Scores:
        """The one number that the module gives, alone or under the metric's name."""
        found = self._compute(metric, predictions=predictions, references=references, **options)
        return {metric: float(found[metric] if isinstance(found, Mapping) else found)}


class HubSacrebleu(Hub):
    """``evaluate.load("sacrebleu")`` and the Hub's other modules that use sacrebleu, in per cent.

    They refuse segments with different numbers of references.
    """

    name = "evaluate-sacrebleu"
    scale = 100.0
    distributions = (*Hub.distributions, "sacrebleu")
    modules: ClassVar[Mapping[str, str]] = {"bleu": "sacrebleu"}

    def score_bleu(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute``; ``tokenize`` None is sacrebleu's default."""
        given = renamed(options, smooth="smooth_method", effective_order="use_effective_order")
        return sacrebleu.numbers(self._compute("bleu", predictions=predictions, references=references, **given))

    def score_ter(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute`` of ``evaluate.load("ter")``."""
        given = renamed(options, no_punct="ignore_punct", asian_support="support_zh_ja_chars")
        return sacrebleu.edit_rate(self._compute("ter", predictions=predictions, references=references, **given))

    def score_chrf(self, predictions: Texts, references: References, **options: Any) -> Scores:
        """``compute`` of ``evaluate.load("chrf")``, with the options of sacrebleu's ``CHRF``."""
        found = self._compute("chrf", predictions=predictions, references=references, **options)
        return {"chrf": found["score"]}
