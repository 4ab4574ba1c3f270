"""Causal language models of `transformers`: the log-probability of each token after the tokens before it.

The numbers are those of the Hub's module ``perplexity``, token by token, up to float32's accuracy. Texts go through the
model in batches of about equal length. Padding is on the right and masked, so the other texts of a batch do not change
a number. (The Hub's module pads on the left if the tokenizer asks for it, and its numbers then depend on the batch.)

``windows`` says how a text is scored that is longer than the model's context.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from metrologue.errors import InputError, checked_int
from metrologue.language_models.base import TokenScores
from metrologue.language_models.pretrained import Loaded, PretrainedRunner, class_of, has_output, is_masked

if TYPE_CHECKING:
    import torch


class Window(NamedTuple):
    """The tokens `start` to `stop` of the text with this index, which the model sees at once."""

    text: int
    start: int
    stop: int
    scored: int  # the first token that is scored here; those before it are context


def windows(text: int, length: int, width: int, stride: int) -> list[Window]:
    """The windows of a text of `length` tokens, `width` tokens each, which begin `stride` tokens after each other::

        stride = 2, a context of 4        s = the start token
        s  a  b  c                        scores a, b, c
              b  c  d  e                  scores d, e
                    d  e  f  g            scores f, g

    Each token but the first is scored once. In the first window it has all tokens before it as context; in a later one
    at least width - stride tokens, and at most width - 1. A small stride gives more context, and takes longer.

    Examples
    --------
    >>> [window[1:] for window in windows(0, 7, 4, 2)]
    [(0, 4, 1), (2, 6, 4), (4, 7, 6)]
    >>> [window[1:] for window in windows(0, 4, 4, 2)]
    [(0, 4, 1)]
    """
    later = range(stride, length - width + stride, stride)
    first = Window(text, 0, min(width, length), 1)
    return [first, *(Window(text, at, min(at + width, length), at + width - stride) for at in later)]


_MOST = 2**31 - 1
_TEXTS_AT_ONCE = 1024  # that the tokenizer turns into lists of ints
_PATIENCE = 2.0  # seconds until a progress bar appears


class CausalModel(PretrainedRunner):
    """A causal language model of `transformers`, with its tokenizer.

    Parameters
    ----------
    model_id : str, path or (model, tokenizer)
        A folder with a model and its tokenizer, or a name on the Hub; or both as `transformers` loaded them. What is
        loaded stays as it is: on its device, in its type, quantised or with adapters; and after each run in its mode.
    batch_size : int
        The texts, or windows of texts, that go through the model at once. It does not change the numbers.
    add_start_token : bool
        Whether the tokenizer's start token comes before each text. Otherwise the first token of a text is context only,
        and has no score.
    device : str or torch.device, optional
        Such as "cpu", "cuda", "cuda:1" or "mps"; "gpu" is another name for "cuda". By default "cuda" if it is there.
    max_length : int, optional
        The tokens that are left of a text, with the start token; 2 or more. With a `stride`, nothing is cut off, and
        this is the width of a window.
    stride : int, optional
        Score texts beyond the model's context in windows, which begin this many tokens after each other. It must be
        less than the width: `max_length`, otherwise the model's context.
    dtype : str, optional
        The type of the model's weights, such as "float32" or "bfloat16"; by default what `transformers` chooses.
    revision : str, optional
        A branch, tag or commit on the Hub.

    Attributes
    ----------
    name : str
        The name of the folder or of the model, with a digest, such as "gpt2@607a30d783df". The digest is that of the
        files of a folder: weights, configuration and tokenizer. For a model of the Hub it is that of the commit. That
        of a loaded model covers its weights, configuration, adapters and tokenizer; see ``weights_digest`` of
        ``metrologue.language_models.loaded_digest``. Its name is that from which it was loaded. What changes the
        numbers follows: "gpt2@607a30d783df+no-start+stride-512".
    base : float
        e.

    Raises
    ------
    InputError
        If torch or transformers is not installed, there is no such model or device, the tokenizer has no start token
        where one is asked for, or a number is out of range. If what is loaded is no pair of a causal model and a
        tokenizer that belongs to it, or has another device or type than is asked for. Later, if its weights have
        changed: then give it again.

    Examples
    --------
    >>> model = CausalModel("path/of/a/model", stride=512)  # doctest: +SKIP
    >>> model.score_texts(pa.array(["a cat"], pa.large_string())).log_probabilities  # doctest: +SKIP
    array([-3.41207433, -8.02183914])
    >>> CausalModel((model, tokenizer)).name  # doctest: +SKIP
    'gpt2@5f0c1a2b3d4e'

    Notes
    -----
    A model's own maximum is ``max_position_embeddings`` of its configuration. A longer text is refused, unless
    `max_length` or `stride` is given.
    """

    base = math.e
    _opener, _kind = "AutoModelForCausalLM", "a causal language model"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        batch_size: int = 16,
        add_start_token: bool = True,
        device: str | torch.device | None = None,
        max_length: int | None = None,
        stride: int | None = None,
        dtype: str | None = None,
        revision: str | None = None,
    ) -> None:
        self.batch_size = checked_int("batch_size", batch_size, 1)
        self.max_length = None if max_length is None else checked_int("max_length", max_length, 2)
        self.stride = None if stride is None else checked_int("stride", stride, 1)
        self.add_start_token = add_start_token
        needed = {"bos_token_id": "has no start token; give add_start_token=False"} if add_start_token else {}
        self._hold(model_id, device=device, dtype=dtype, revision=revision, needed=needed)
        if self._pretrained.is_given:
            self._check_kind()
        self._width = self._checked_width()

    def _marks(self) -> dict[str, Any]:
        return {
            "no-start": not self.add_start_token,
            f"{'width' if self.stride else 'max-length'}-{self.max_length}": self.max_length,
            f"stride-{self.stride}": self.stride,
        }

    def _check_kind(self) -> None:
        """Refuse a loaded model that does not predict the next token."""
        if is_masked(self._model) or self._model.config.is_encoder_decoder or not has_output(self._model):
            kind = class_of(self._model)
            raise InputError(f"CausalModel: a {kind} is no causal language model, such as AutoModelForCausalLM loads.")

    @property
    def cuts_texts(self) -> bool:
        """Whether ``score_texts`` leaves out what comes after `max_length` tokens."""
        return self.max_length is not None and self.stride is None

    def _checked_width(self) -> int | None:
        """The most tokens that the model sees at once; None for any number."""
        config = self._model.config.get_text_config()
        context = getattr(config, "max_position_embeddings", None)
        width = self.max_length or (context if isinstance(context, int) and context > 0 else None)
        if self.stride is None:
            return width
        if width is None:
            raise InputError(
                f"CausalModel: the configuration of {self._pretrained.source!r} does not say how long a text may be; "
                "give max_length for the width of a window."
            )
        if self.stride >= width:
            raise InputError(f"CausalModel: stride={self.stride} must be less than the width of a window, {width}.")
        return width

    def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
        """The natural log-probabilities of the tokens of each text.

        Parameters
        ----------
        texts : Arrow array of n large_string

        Returns
        -------
        TokenScores
            A token is `unknown` if the tokenizer has no other id for it.

        Raises
        ------
        InputError
            If a text has no token, or only one where no start token is added; if a text is longer than the model's
            context, and neither `max_length` nor `stride` is given; if the model gives NaN.
        """
        with self._pretrained.running():
            return self._scored(texts)

    def _scored(self, texts: pa.LargeStringArray) -> TokenScores:
        sequences = list(self._sequences(texts))
        lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
        self._check_lengths(lengths)
        # The first token of each sequence is not scored.
        offsets = np.concatenate([[0], np.cumsum(lengths - 1)])
        width = self._width or _MOST
        views = [
            view
            for text, length in enumerate(lengths.tolist())
            for view in windows(text, length, width, self.stride or _MOST)
        ]
        scored = np.empty(offsets[-1])
        for batch, logs in self._run(sequences, views):
            ends = np.cumsum([view.stop - view.scored for view in batch])
            for view, values in zip(batch, np.split(logs, ends[:-1]), strict=True):
                first = offsets[view.text] + view.scored - 1
                scored[first : first + len(values)] = np.minimum(values, 0.0)  # 1e-8 above 0 is rounding
        if np.isnan(scored).any():
            text = int(np.searchsorted(offsets, np.flatnonzero(np.isnan(scored))[0], "right")) - 1
            # NaN reaches the other texts of a batch through padding, though that has no weight.
            what = ", or a text in its batch: the model gives NaN; give dtype='float32'."
            raise InputError.at("CausalModel", "texts", text, what)
        ids = np.concatenate([np.zeros(0, np.int64), *(sequence[1:] for sequence in sequences)])
        return TokenScores(log_probabilities=scored, offsets=offsets, unknown=self._are_unknown(ids))

    def tokens(self, text: str) -> list[str]:
        """The parts of the text that ``score_texts`` gives numbers for.

        A token has the whitespace before it. A character may take several tokens: the first of them shows it, the
        others are "…". Together the tokens are the text, if it is not cut off and the start token is added.
        """
        tokenizer = self._tokenizer
        options = {**self._options(), "return_offsets_mapping": tokenizer.is_fast}
        encoded = tokenizer(text, **options)
        if tokenizer.is_fast:
            ends = np.maximum.accumulate([0, *(end for _, end in encoded["offset_mapping"])]).tolist()
            parts = [text[start:end] or "…" for start, end in pairwise(ends)]
        else:
            parts = [tokenizer.decode([token]) for token in encoded["input_ids"]]
        return parts if self.add_start_token else parts[1:]

    def _options(self) -> dict[str, Any]:
        """How the tokenizer is called: as the Hub's module does it."""
        most = {"truncation": True, "max_length": (self.max_length or 0) - self.add_start_token}
        longest = most if self.cuts_texts else {}
        return {"add_special_tokens": False, "return_attention_mask": False, "verbose": False, **longest}

    def _sequences(self, texts: pa.LargeStringArray) -> Iterator[NDArray[np.int64]]:
        """The ids of each text, with the start token if it is added."""
        start = [self._tokenizer.bos_token_id] if self.add_start_token else []
        for first in range(0, len(texts), _TEXTS_AT_ONCE):
            some = texts.slice(first, _TEXTS_AT_ONCE).to_pylist()
            for ids in self._tokenizer(some, **self._options())["input_ids"]:
                yield np.array([*start, *ids], np.int64)

    def _check_lengths(self, lengths: NDArray[np.int64]) -> None:
        short = np.flatnonzero(lengths < 2)
        if len(short):
            index = int(short[0])
            count = int(lengths[index]) - self.add_start_token
            cure = "drop it" if self.add_start_token or not count else "give add_start_token=True"
            least = 1 if self.add_start_token else 2
            what = f" has {count or 'no'} token{'s' * (not count)}; {least} or more are needed: {cure}."
            raise InputError.at("CausalModel", "texts", index, what)
        long = np.flatnonzero(lengths > self._width) if self._width and self.stride is None else short
        if len(long):
            index = int(long[0])
            with_start = ", with the start token" * self.add_start_token
            what = (
                f" has {lengths[index]} tokens{with_start}; the model's context is {self._width}. "
                "Give `stride` to score such a text in windows, or `max_length` to cut it off."
            )
            raise InputError.at("CausalModel", "texts", index, what)

    def _run(
        self, sequences: Sequence[NDArray[np.int64]], views: list[Window]
    ) -> Iterator[tuple[list[Window], NDArray[np.float64]]]:
        """Each batch of windows, the longest ones first, with the log-probabilities of all that it scores."""
        import torch
        from tqdm.auto import tqdm

        views = sorted(views, key=lambda view: view.start - view.stop)
        starts = range(0, len(views), self.batch_size)
        # For `disable`, None means: unless standard error is a terminal.
        for first in tqdm(starts, desc=self.name, unit="batch", delay=_PATIENCE, leave=False, disable=None):
            batch = views[first : first + self.batch_size]
            ids = np.zeros((len(batch), batch[0].stop - batch[0].start), np.int64)
            mask = np.zeros_like(ids)
            for row, view in enumerate(batch):
                ids[row, : view.stop - view.start] = sequences[view.text][view.start : view.stop]
                mask[row, : view.stop - view.start] = 1
            logs = self._log_probabilities(torch.from_numpy(ids), torch.from_numpy(mask), batch)
            yield batch, logs.double().cpu().numpy()

    def _log_probabilities(self, ids: torch.Tensor, mask: torch.Tensor, batch: list[Window]) -> torch.Tensor:
        """The scores of a batch's windows, one after another."""
        import torch

        ids = ids.to(self._device)
        try:
            logits = self._model(input_ids=ids, attention_mask=mask.to(self._device)).logits
        except IndexError as error:  # a table of positions ends, or the tokenizer has ids that the model lacks
            raise InputError(
                f"CausalModel: {self.name} cannot score {ids.shape[1]} tokens ({error}). If its context is shorter, "
                "give `max_length`, and `stride` to score longer texts in windows."
            ) from error
        logits = logits[:, -ids.shape[1] :]  # a prompt that was learned stands before the tokens
        parts = []
        for row, view in enumerate(batch):  # the logits of a whole batch are not copied
            span = slice(view.scored - view.start, view.stop - view.start)
            of_view = logits[row, span.start - 1 : span.stop - 1]
            of_view = of_view if of_view.dtype == torch.float64 else of_view.float()
            chosen = of_view.gather(-1, ids[row, span, None].to(of_view.device)).squeeze(-1)
            parts.append(chosen - of_view.logsumexp(-1))
        return torch.cat(parts)

    def _are_unknown(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each id is that of unknown tokens. Some tokenizers use the same id for the start of a text."""
        tokenizer = self._tokenizer
        if tokenizer.unk_token_id in (None, tokenizer.bos_token_id, tokenizer.eos_token_id):
            return np.zeros(len(ids), np.bool_)
        return np.asarray(ids == tokenizer.unk_token_id)
