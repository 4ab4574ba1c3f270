"""Models that give numbers to a text or to two together: similarity, entailment, emotions; and functions like them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats
from metrologue.data.named import NamedFunction
from metrologue.errors import InputError, checked_int, shown
from metrologue.language_models.pretrained import Loaded, PretrainedRunner, class_of, classifies
from metrologue.representations.transformer import in_batches

if TYPE_CHECKING:
    import torch


class PairModel(PretrainedRunner):
    """A model of `transformers` that reads two texts together and gives numbers, one for each of its labels.

    Parameters
    ----------
    model_id : str, path or (model, tokenizer)
        A folder with a model for the classification of sequences, or its name on the Hub; or both as `transformers`
        loaded them.
    batch_size, device, dtype, revision
        As for ``TransformerEncoder``.

    Attributes
    ----------
    name : str
        As for ``TransformerEncoder``.

    Raises
    ------
    InputError
        If torch or transformers is not installed, or there is no such model or device.
    """

    layers = 0
    _opener, _kind = "AutoModelForSequenceClassification", "a model that classifies sequences"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        batch_size: int = 32,
        device: str | torch.device | None = None,
        dtype: str | None = None,
        revision: str | None = None,
    ) -> None:
        owner = type(self).__name__
        self.batch_size = checked_int("batch_size", batch_size, 1)
        self._hold(model_id, device=device, dtype=dtype, revision=revision, usual="float32")
        if self._pretrained.is_given and not classifies(self._model):
            raise InputError(f"{owner}: a {class_of(self._model)} does not classify sequences.")
        self._check_labels(self._pretrained.source, self._model.config)
        self._width = self._context()

    def _check_labels(self, source: str, config: Any) -> None:
        """Raise an InputError if the model's labels are not those that are needed."""

    def _outputs(
        self, texts: Sequence[str], others: Sequence[str] | None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The outputs for each pair, or for each text alone, float64 (n, labels), and how many tokens were left out."""
        import torch

        outputs = np.empty((len(texts), self._model.config.num_labels))
        with self._pretrained.running():
            sequences, types, left_out = self._sequences(texts, others)
            for batch in in_batches(self.name, sequences, self.batch_size, int(self._tokenizer.pad_token_id or 0)):
                kinds = np.zeros_like(batch.ids)
                for at, row in enumerate(batch.rows):
                    kinds[at, : len(types[row])] = types[row]
                inputs = {"input_ids": batch.ids, "attention_mask": batch.mask}
                if "token_type_ids" in self._tokenizer.model_input_names:
                    inputs["token_type_ids"] = kinds
                tensors = {name: torch.from_numpy(each).to(self._device) for name, each in inputs.items()}
                logits = self._model(**tensors).logits
                outputs[batch.rows] = logits.float().double().cpu().numpy()
        return outputs, left_out

    def _sequences(
        self, texts: Sequence[str], others: Sequence[str] | None
    ) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]], NDArray[np.int64]]:
        """The ids of each pair, to which text each token belongs, and how many were left out."""
        if not len(texts):
            return [], [], np.zeros(0, np.int64)
        pairs = [[*each] for each in (texts, others) if each is not None]
        options = {"return_token_type_ids": True, "return_attention_mask": False, "verbose": False}
        lengths = np.array([len(ids) for ids in self._tokenizer(*pairs, **options)["input_ids"]])
        cut = self._tokenizer(*pairs, truncation=True, max_length=self._width, **options)
        sequences, types = (
            [np.array(each, np.int64) for each in cut[name]] for name in ("input_ids", "token_type_ids")
        )
        return sequences, types, np.maximum(lengths - self._width, 0)


def _label_names(config: Any) -> list[str]:
    return [str(config.id2label[place]).lower() for place in range(config.num_labels)]


def _powers(outputs: Floats) -> Floats:
    """What a softmax divides by its sum."""
    return np.asarray(np.exp(outputs - outputs.max(axis=1, keepdims=True)))


class CrossEncoder(PairModel):
    """A model of `transformers` that gives a pair of texts one number, as models trained on STS do.

    The number is the sigmoid of the model's only output, as sentence-transformers computes it; from 0 to 1. Of a model
    with two labels, it is the probability of the second one. Parameters are those of ``PairModel``.

    Errors are those of ``PairModel``; a model with more than two labels is an InputError too.
    """

    _kind = "a cross-encoder"

    def _check_labels(self, source: str, config: Any) -> None:
        if config.num_labels not in (1, 2):
            raise InputError(
                f"CrossEncoder: {source!r} has {config.num_labels} labels; a model with one or two is expected."
            )

    def score_pairs(self, texts: Sequence[str], others: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The number of each pair, float64 (n,), and how many tokens of it were left out, int64 (n,)."""
        import torch

        outputs, left_out = self._outputs(texts, others)
        logits = outputs[:, 0] if outputs.shape[1] == 1 else outputs[:, 1] - outputs[:, 0]
        return torch.sigmoid(torch.from_numpy(logits).float()).double().numpy(), left_out


# The order of the probabilities, and the names that models have for them, without case and punctuation: those of models
# of inference, of consistency (FactCC) and of claims (FEVER). The last one of a line is the beginning of others.
LABELS = ("contradiction", "neutral", "entailment")
_SPELLED: Mapping[str, tuple[str, ...]] = {
    "contradiction": ("incorrect", "inconsistent", "notconsistent", "refutes", "refuted", "contra"),
    "neutral": ("notentailment", "nonentailment", "notenoughinfo", "neutral"),
    "entailment": ("correct", "consistent", "supports", "supported", "aligned", "entail"),
}
FORMS = "entailment, neutral and contradiction; entailment and not_entailment; CORRECT and INCORRECT; or the like"

Judged = tuple[NDArray[np.float64], NDArray[np.int64]]


def meant_labels(names: Sequence[str]) -> list[str] | None:
    """Which of ``LABELS`` each name stands for; None if one is unclear, two are the same, or entailment is not there.

    Examples
    --------
    >>> meant_labels(["CORRECT", "INCORRECT"]), meant_labels(["not_entailment", "entailment"])
    (['entailment', 'contradiction'], ['neutral', 'entailment'])
    >>> meant_labels(["LABEL_0", "LABEL_1"]) is None
    True
    """
    plain = ["".join(filter(str.isalnum, name.lower())) for name in names]
    meant = [
        label
        for name in plain
        for label, (*others, begin) in _SPELLED.items()
        if name in others or name.startswith(begin)
    ]
    right = len(meant) == len({*meant}) == len(names) > 1 and "entailment" in meant
    return meant if right else None


class EntailmentModel(PairModel):
    """A model of `transformers` that says whether a text follows from another one: inference, or consistency.

    It has two or three labels, such as a model for MNLI, one for QNLI, or FactCC. Of two labels, one is entailment, and
    the other one is "neutral" (not_entailment) or "contradiction" (INCORRECT); what is not there has a probability
    of 0. The order is read from `id2label` of the configuration.

    Parameters
    ----------
    model_id, batch_size, device, dtype, revision
        As for ``PairModel``.
    labels : sequence of str, optional
        The names of the model's outputs, in their order, in place of those of its configuration.

    Errors are those of ``PairModel``; it is an InputError too if the names of labels do not say what they mean.
    """

    _kind = "a model of inference"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        *args: Any,
        labels: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self._given = None if labels is None else [*map(str, labels)]
        super().__init__(model_id, *args, **kwargs)

    @property
    def name(self) -> str:
        return super().name + (f"+{'-'.join(self._meant)}" if self._given else "")

    def _check_labels(self, source: str, config: Any) -> None:
        names = _label_names(config) if self._given is None else self._given
        meant = meant_labels(names)
        if meant is None or len(names) != config.num_labels:
            whose = f"{source!r} has the labels" if self._given is None else f"{source!r} was given the labels"
            raise InputError(
                f"EntailmentModel: {whose} {', '.join(names)}, for {config.num_labels} outputs; {FORMS} are expected. "
                "Say what the outputs are, in their order, as `id2label` in its config.json or as "
                'EntailmentModel(folder, labels=["entailment", ...]).'
            )
        self._meant = meant

    def judge_pairs(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        """The probabilities of ``LABELS`` of each pair, float64 (n, 3), and the tokens left out, int64 (n,)."""
        outputs, left_out = self._outputs(premises, hypotheses)
        powers = _powers(outputs)
        judged = np.zeros((len(outputs), len(LABELS)))
        judged[:, [*map(LABELS.index, self._meant)]] = powers / powers.sum(axis=1, keepdims=True)
        return judged, left_out


class FunctionEntailment(NamedFunction[Callable[[str, str], Sequence[float]]]):
    """Any function as a model of inference.

    Parameters
    ----------
    name, digest : str
        As for ``NamedFunction``: they stand for the function in signatures.
    function : callable
        From a premise and a hypothesis to three probabilities, those of ``LABELS``.

    Examples
    --------
    >>> equal = FunctionEntailment("equal", lambda premise, text: (0, 0, 1) if premise == text else (0, 1, 0), "1")
    >>> equal.judge_pairs(["a", "a"], ["a", "b"])[0]
    array([[0., 0., 1.],
           [0., 1., 0.]])
    """

    layers = 0

    @classmethod
    def of_table(cls, name: str, table: Mapping[tuple[str, str], Sequence[float]]) -> FunctionEntailment:
        """Probabilities that are given for each premise and hypothesis. Another pair is refused.

        Examples
        --------
        >>> given = FunctionEntailment.of_table("given", {("a cat sat", "a cat"): (0.0, 0.1, 0.9)})
        >>> given.judge_pairs(["a cat sat"], ["a cat"])[0]
        array([[0. , 0.1, 0.9]])
        """
        rows = sorted([premise, text, [*map(float, given)]] for (premise, text), given in table.items())

        def look_up(premise: str, text: str) -> Sequence[float]:
            if (premise, text) not in table:
                raise InputError(f"{name}: no probabilities are given of {shown(premise)} and {shown(text)}.")
            return table[premise, text]

        return cls(name, look_up, hashlib.sha256(json.dumps(rows).encode()).hexdigest())

    def judge_pairs(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Judged:
        """As ``EntailmentModel.judge_pairs``. Raises an InputError if what the function gives are no probabilities."""
        shares = np.full((len(premises), len(LABELS)), np.nan)
        for row, (premise, text) in enumerate(zip(premises, hypotheses, strict=True)):
            given = self._function(premise, text)
            with suppress(TypeError, ValueError):
                shares[row] = given
            if not (shares[row] >= 0).all() or abs(shares[row].sum() - 1) > 1e-3:
                raise InputError(f"{self.name}: the function gave {shown(given)}; three probabilities are expected.")
        return shares, np.zeros(len(premises), np.int64)


# What models call positive emotions: those of six or seven emotions, of GoEmotions, and of sentiment.
# fmt: off
POSITIVE = frozenset((
    "admiration", "amusement", "approval", "caring", "excitement", "gratitude", "happiness", "happy", "joy", "love",
    "optimism", "pos", "positive", "pride", "relief",
))
# fmt: on


class EmotionModel(PairModel):
    """A model of `transformers` that classifies texts by emotion or sentiment.

    Parameters
    ----------
    model_id, batch_size, device, dtype, revision
        As for ``TransformerEncoder``.
    positive : sequence of str, optional
        The labels of positive emotions, as `id2label` of its configuration has them; by default those of ``POSITIVE``.

    Errors are those of ``PairModel``; a model with none of these labels, or no others, is an InputError too.
    """

    _kind = "a classifier of emotions"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        *args: Any,
        positive: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self._wanted = POSITIVE if positive is None else {*map(str.lower, positive)}
        self._mark = "" if positive is None else f"+{'+'.join(sorted(self._wanted))}"
        super().__init__(model_id, *args, **kwargs)

    @property
    def name(self) -> str:
        return super().name + self._mark

    def _check_labels(self, source: str, config: Any) -> None:
        names = _label_names(config)
        self._places = [place for place, name in enumerate(names) if name in self._wanted]
        if not 0 < len(self._places) < len(names):
            raise InputError(
                f"EmotionModel: {source!r} has the labels {', '.join(names)}; some of them, and not all, are expected "
                "among those of `positive`."
            )

    def positive_shares(self, texts: Sequence[str]) -> Floats:
        """The probability that a text has a positive emotion, float64 (n,)."""
        outputs, _ = self._outputs(texts, None)
        powers = _powers(outputs)
        return np.asarray(powers[:, self._places].sum(axis=1) / powers.sum(axis=1))


class FunctionEmotions(NamedFunction[Callable[[str], float]]):
    """Any function as a classifier of emotions.

    Parameters
    ----------
    name, digest : str
        As for ``NamedFunction``: they stand for the function in signatures.
    function : callable
        From a text to the probability that it has a positive emotion.

    Examples
    --------
    >>> laughs = FunctionEmotions("laughs", lambda text: float("haha" in text), "1")
    >>> laughs.positive_shares(["haha, yes", "no"])
    array([1., 0.])
    """

    def positive_shares(self, texts: Sequence[str]) -> Floats:
        """As ``EmotionModel.positive_shares``. Raises an InputError if what the function gives is no probability."""
        shares = np.full(len(texts), np.nan)
        for row, text in enumerate(texts):
            given = self._function(text)
            with suppress(TypeError, ValueError):
                shares[row] = given
            if not 0 <= shares[row] <= 1:
                raise InputError(f"{self.name}: the function gave {shown(given)}; a probability is expected.")
        return shares
