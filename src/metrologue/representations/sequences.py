"""Sequence-to-sequence models, such as BART and T5: how probable a text is after another; and functions like them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.data.named import NamedFunction, NamedValue
from metrologue.errors import InputError, checked_int, shown
from metrologue.language_models.base import TokenScores
from metrologue.language_models.pretrained import Loaded, PretrainedRunner, class_of, is_hub_name, is_loaded
from metrologue.representations.transformer import in_batches

if TYPE_CHECKING:
    import torch

Counts = NDArray[np.int64]
Ids = NDArray[np.int64]

_MOST = 2**31 - 1
_USUAL = 1024  # tokens of a text, at most: what the programs of BARTScore and UniEval read


class SequenceModel(Protocol):
    """A model that gives each token of a text a probability after another text."""

    @property
    def name(self) -> str:
        """The model's name with a digest of its content, as a signature has it."""

    def score_targets(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[TokenScores, Counts]:
        """The natural log-probabilities of each target's tokens, and how many tokens of the pair were left out."""

    def first_tokens(self, sources: Sequence[str], words: Sequence[str]) -> tuple[Floats, Counts]:
        """The natural log-probability that an answer begins with the first token of each word, (n, words)."""


class Seq2SeqModel(PretrainedRunner):
    """A sequence-to-sequence model of `transformers`, with its tokenizer.

    Parameters
    ----------
    model_id : str, path or (model, tokenizer)
        A folder with a model such as BART or T5 and its tokenizer, or a name on the Hub; or both as `transformers`
        loaded them. What is loaded stays as it is.
    batch_size : int
        The pairs that go through the model at once. It changes no more than the last bits.
    max_length : int, optional
        The tokens that are left of a source and of a target; 2 or more. By default 1024, or as many as the model has
        places for.
    device, dtype, revision
        As for ``TransformerEncoder``.

    Attributes
    ----------
    name : str
        As for ``TransformerEncoder``; "+max-length-512" follows if `max_length` is given.

    Raises
    ------
    InputError
        If torch or transformers is not installed, there is no such model or device, or a number is out of range. Later,
        if the model gives NaN.

    Examples
    --------
    >>> bart = Seq2SeqModel("facebook/bart-large-cnn", device="cuda")  # doctest: +SKIP
    >>> bart.score_targets(["A cat sat."], ["A cat."])[0].log_probabilities.sum()  # doctest: +SKIP
    -14.2
    """

    _opener, _kind = "AutoModelForSeq2SeqLM", "a sequence-to-sequence model"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        batch_size: int = 8,
        max_length: int | None = None,
        device: str | torch.device | None = None,
        dtype: str | None = None,
        revision: str | None = None,
    ) -> None:
        self.batch_size = checked_int("batch_size", batch_size, 1)
        self.max_length = None if max_length is None else checked_int("max_length", max_length, 2)
        needed = {"pad_token_id": "has no token for padding"}
        self._hold(model_id, device=device, dtype=dtype, revision=revision, usual="float32", needed=needed)
        if self._pretrained.is_given and not self._model.config.is_encoder_decoder:
            raise InputError(f"Seq2SeqModel: a {class_of(self._model)} is none that AutoModelForSeq2SeqLM loads.")
        places = getattr(self._model.config, "max_position_embeddings", None) or _MOST
        self._width = min(self.max_length or _USUAL, places)

    def _marks(self) -> dict[str, Any]:
        return {f"max-length-{self.max_length}": self.max_length}

    def score_targets(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[TokenScores, Counts]:
        """The natural log-probabilities of each target's tokens after its source, marks of start and end included.

        Parameters
        ----------
        sources, targets : n str

        Returns
        -------
        TokenScores, int64 (n,)
            And how many tokens of each pair were left out.
        """
        with self._pretrained.running():
            (given, left_out), (wanted, long) = self._ids(sources), self._ids(targets)
            rows = self._scored(given, wanted, [ids[:, None] for ids in wanted])
        logs = np.concatenate([np.zeros(0), *(row[:, 0] for row in rows)])
        offsets = np.cumsum([0, *map(len, rows)])
        tokens = TokenScores(log_probabilities=logs, offsets=offsets, unknown=np.zeros(len(logs), np.bool_))
        return tokens, left_out + long

    def first_tokens(self, sources: Sequence[str], words: Sequence[str]) -> tuple[Floats, Counts]:
        """The natural log-probability that an answer begins with the first token of each word.

        Parameters
        ----------
        sources : n str
        words : k str

        Returns
        -------
        float64 (n, k), int64 (n,)
            And how many tokens of each source were left out.
        """
        with self._pretrained.running():
            given, left_out = self._ids(sources)
            firsts = np.array([[ids[0] for ids in self._ids(words)[0]]])
            rows = self._scored(given, [firsts[0, :1]] * len(given), [firsts] * len(given))
        return np.concatenate([np.zeros((0, len(words))), *rows]), left_out

    def _ids(self, texts: Sequence[str]) -> tuple[list[NDArray[np.int64]], Counts]:
        """The ids of each text, with the marks that the tokenizer adds, and how many were left out."""
        if not len(texts):
            return [], np.zeros(0, np.int64)
        options = {"return_attention_mask": False, "verbose": False}
        lengths = np.array([len(ids) for ids in self._tokenizer([*texts], **options)["input_ids"]])
        cut = self._tokenizer([*texts], truncation=True, max_length=self._width, **options)["input_ids"]
        return [np.array(ids, np.int64) for ids in cut], np.maximum(lengths - self._width, 0)

    def _scored(
        self, sources: Sequence[Ids], targets: Sequence[Ids], asked: Sequence[Ids]
    ) -> list[NDArray[np.float64]]:
        """The log-probabilities of the tokens that are asked for in each place of a target, (places, tokens)."""
        import torch

        padding = int(self._tokenizer.pad_token_id)
        scores: list[NDArray[np.float64]] = [np.zeros(0)] * len(sources)
        for batch in in_batches(self.name, sources, self.batch_size, padding):
            wanted = [targets[row] for row in batch.rows]
            labels = np.full((len(wanted), max(map(len, wanted))), padding, np.int64)
            for at, ids in enumerate(wanted):
                labels[at, : len(ids)] = ids
            inputs = {"input_ids": batch.ids, "attention_mask": batch.mask, "labels": labels}
            tensors = {name: torch.from_numpy(each).to(self._device) for name, each in inputs.items()}
            logits = self._model(**tensors).logits
            for at, row in enumerate(batch.rows):
                own = logits[at, : len(wanted[at])].float()
                chosen = own.gather(-1, torch.from_numpy(asked[row]).to(own.device)) - own.logsumexp(-1, keepdim=True)
                scores[row] = chosen.double().cpu().numpy()
        if any(np.isnan(row).any() for row in scores):
            raise InputError(f"Seq2SeqModel: {self.name} gives NaN; give dtype='float32'.")
        return scores


class FunctionSequence(NamedFunction[Callable[[str, str], Sequence[float]]]):
    """Any function as a sequence-to-sequence model.

    Parameters
    ----------
    name, digest : str
        As for ``NamedFunction``: they stand for the function in signatures.
    function : callable
        From a source and a target to the natural log-probability of each token of the target, one or more.

    Examples
    --------
    >>> def said(source, target):
    ...     return [-0.5 if word in source.split() else -3.0 for word in target.split()] or [-3.0]
    >>> model = FunctionSequence("said", said, "1")
    >>> model.score_targets(["a cat sat"], ["a dog"])[0].log_probabilities
    array([-0.5, -3. ])
    >>> model.first_tokens(["Yes or what ?"], ["Yes", "No"])[0]
    array([[-0.5, -3. ]])
    """

    def score_targets(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[TokenScores, Counts]:
        """As ``Seq2SeqModel.score_targets``. Raises an InputError if the function gives no log-probabilities."""
        rows = [self._logs(source, target) for source, target in zip(sources, targets, strict=True)]
        logs, offsets = np.concatenate([np.zeros(0), *rows]), np.cumsum([0, *map(len, rows)])
        tokens = TokenScores(log_probabilities=logs, offsets=offsets, unknown=np.zeros(len(logs), np.bool_))
        return tokens, np.zeros(len(rows), np.int64)

    def first_tokens(self, sources: Sequence[str], words: Sequence[str]) -> tuple[Floats, Counts]:
        """As ``Seq2SeqModel.first_tokens``: the first number of each word. Raises as ``score_targets``."""
        rows = [[self._logs(source, word)[0] for word in words] for source in sources]
        return np.array(rows, np.float64).reshape(len(sources), len(words)), np.zeros(len(sources), np.int64)

    def _logs(self, source: str, target: str) -> Floats:
        given, logs = self._function(source, target), np.array([np.nan])
        with suppress(TypeError, ValueError):
            logs = np.array([*given], np.float64)
        if logs.ndim != 1 or not len(logs) or not (logs <= 0).all():
            raise InputError(
                f"{self.name}: the function gave {shown(given)}; a log-probability for each token is expected."
            )
        return logs


def open_sequence(model: str | os.PathLike[str] | Loaded, **options: Any) -> SequenceModel:
    """The sequence-to-sequence model of a folder or a name on the Hub, or one that is loaded; see ``Seq2SeqModel``.

    Raises an InputError if there is none. The message names it.

    Examples
    --------
    >>> open_sequence("models/bart/")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: open_sequence: there is no folder 'models/bart/'.
    """
    if isinstance(model, str | os.PathLike):
        path = os.fsdecode(model)
        if not (os.path.isdir(path) or is_hub_name(path)):
            raise InputError(f"open_sequence: there is no folder {shown(path)}.")
    try:
        return Seq2SeqModel(model, **options)
    except TypeError as error:
        raise InputError(f"open_sequence: {error}") from None


@dataclass(frozen=True)
class NamedSequence(NamedValue):
    """A sequence-to-sequence model with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The model's name with a digest of its content, such as "bart-large-cnn@06dcd770684d".
    model : SequenceModel
    """

    model: SequenceModel = field(compare=False, repr=False)

    noun = "sequence-to-sequence model"
    expected = "a sequence-to-sequence model, its folder, (model, tokenizer), or the name of one in use"
    plural = "sequence-to-sequence models"
    opener = "open_sequence(path)"
    opened = staticmethod(open_sequence)
    methods = ("score_targets",)
    _is_loaded = staticmethod(is_loaded)


def pair_likelihoods(model: NamedSequence, pairs: Sequence[tuple[str, str]]) -> tuple[Floats, Counts]:
    """The mean log-probability of the tokens of each target, and how many tokens of its pair were left out.

    Parameters
    ----------
    model : NamedSequence
    pairs : n (source, target)

    Returns
    -------
    float64 (n,), int64 (n,)

    Raises
    ------
    InputError
        If the model gives NaN.

    Examples
    --------
    >>> said = FunctionSequence("said", lambda source, target: [-len(word) for word in target.split()], "1")
    >>> pair_likelihoods(NamedSequence.of(said), [("a cat", "a dog"), ("", "cats")])[0]
    array([-2., -4.])
    """
    scores, left_out = model.model.score_targets([source for source, _ in pairs], [target for _, target in pairs])
    counts = np.diff(scores.offsets)
    of_pair = np.repeat(np.arange(len(pairs)), counts)
    return np.bincount(of_pair, scores.log_probabilities, len(pairs)) / counts, left_out


def chances(model: NamedSequence, questions: Sequence[str], yes: str, no: str) -> tuple[Floats, Counts]:
    """How probable one answer is against another one: p(yes) / (p(yes) + p(no)), by the first token of each.

    Parameters
    ----------
    model : NamedSequence
    questions : n str
    yes, no : str

    Returns
    -------
    float64 (n,), int64 (n,)
        And how many tokens of each question were left out.

    Raises
    ------
    InputError
        If the model gives NaN.

    Examples
    --------
    >>> even = FunctionSequence("even", lambda source, target: [-1.0], "1")
    >>> chances(NamedSequence.of(even), ["Is it so?"], "Yes", "No")[0]
    array([0.5])
    """
    logs, left_out = model.model.first_tokens(questions, [yes, no])
    return 1 / (1 + np.exp(logs[:, 1] - logs[:, 0])), left_out
