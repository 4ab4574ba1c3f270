"""Cross-encoders: models that read two texts together and give one number for the pair."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError, checked_int
from metrologue.language_models.pretrained import Loaded, Pretrained, class_of, classifies
from metrologue.representations.transformer import in_batches

if TYPE_CHECKING:
    import torch

__all__ = ["CrossEncoder", "PairModel"]

_MOST = 2**31 - 1


class PairModel:
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
    _kind = "a model that classifies sequences"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        batch_size: int = 32,
        device: str | torch.device | None = None,
        dtype: str | None = None,
        revision: str | None = None,
    ) -> None:
        owner = type(self).__name__
        self.batch_size = checked_int("batch_size", batch_size, 1, _MOST)
        self._pretrained = Pretrained(
            owner, model_id, "AutoModelForSequenceClassification", self._kind, device=device, dtype=dtype,
            revision=revision, usual="float32",
        )  # fmt: skip
        self._model, self._tokenizer = self._pretrained.model, self._pretrained.tokenizer
        self._device = self._pretrained.device
        if self._pretrained.is_given and not classifies(self._model):
            raise InputError(f"{owner}: a {class_of(self._model)} does not classify sequences.")
        self._check_labels(self._pretrained.source, self._model.config)
        places = getattr(self._model.config.get_text_config(), "max_position_embeddings", None) or _MOST
        self._width = min(int(self._tokenizer.model_max_length or _MOST), places)

    @property
    def name(self) -> str:
        """The model's name with a digest, and the type of its weights."""
        name, dtype = self._pretrained.name, self._pretrained.dtype
        return name if dtype == "float32" else f"{name}+{dtype}"

    def _check_labels(self, source: str, config: Any) -> None:
        """Raise an InputError if the model's labels are not those that are needed."""

    def _outputs(
        self, texts: Sequence[str], others: Sequence[str] | None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """The outputs for each pair, or for each text alone, float64 (n, labels), and how many tokens were left out."""
        import torch

        found = np.empty((len(texts), self._model.config.num_labels))
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
                found[batch.rows] = logits.float().double().cpu().numpy()
        return found, left_out

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


class CrossEncoder(PairModel):
    """A model of `transformers` that gives a pair of texts one number, as models trained on STS do.

    The number is the sigmoid of the model's only output, as sentence-transformers computes it; from 0 to 1. Of a model
    with two labels, it is the probability of the second one. Parameters are those of ``PairModel``.

    Raises
    ------
    InputError
        As ``PairModel``, and if the model has more than two labels.
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
        found = outputs[:, 0] if outputs.shape[1] == 1 else outputs[:, 1] - outputs[:, 0]
        return torch.sigmoid(torch.from_numpy(found).float()).double().numpy(), left_out
