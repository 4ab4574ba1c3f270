"""Encoders of `transformers`: the vectors of a text's tokens on any layer, and one vector for the whole text.

Texts go through the model in batches of about equal length. Padding is on the right and masked. The last bits of a
vector depend on the batch, because sums of floats do. A layer's vectors are those of a model that ends with this layer,
as in bert-score: the layers above it do not run.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metrologue.errors import InputError, checked_int, instead_of, shown
from metrologue.files.forms import ANY, TEXT, list_of, mapping_of, maybe, record, whole
from metrologue.files.regular import read_json
from metrologue.language_models.pretrained import Loaded, PretrainedRunner, one_at_a_time, unknown_tokens
from metrologue.representations.base import Matrix, TokenVectors

if TYPE_CHECKING:
    import torch

_MOST = 2**31 - 1
_POOLINGS = ("mean", "cls", "max")
_FORMER_POOLINGS = {
    "pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls", "pooling_mode_max_tokens": "max",
}  # fmt: skip
_FEW = 8  # texts that go through a model together however long they are
_PATIENCE = 2.0  # seconds until a progress bar appears
# The files that say how sentence-transformers makes one vector of a text.
_MODULES, _POOLING, _SENTENCES = "modules.json", "1_Pooling/config.json", "sentence_bert_config.json"
_PROMPTS = "config_sentence_transformers.json"
_FORMS = {
    _MODULES: list_of(record({"type": TEXT}, others=ANY)),
    _POOLING: mapping_of(ANY),
    _SENTENCES: record({}, {"max_seq_length": maybe(whole(1, _MOST))}, others=ANY),
    _PROMPTS: record({}, {"prompts": maybe(mapping_of(TEXT)), "default_prompt_name": maybe(TEXT)}, others=ANY),
}
_KNOWN_MODULES = ("Transformer", "Pooling", "Normalize")


class Batch:
    """Texts of about equal length, as a model takes them.

    Attributes
    ----------
    rows : list of int
        Their indices.
    ids, mask : int64 (len(rows), longest)
    """

    def __init__(self, rows: list[int], sequences: Sequence[NDArray[np.int64]], padding: int) -> None:
        self.rows = rows
        self.ids = np.full((len(rows), max(len(sequences[row]) for row in rows)), padding, np.int64)
        self.mask = np.zeros_like(self.ids)
        for at, row in enumerate(rows):
            self.ids[at, : len(sequences[row])] = sequences[row]
            self.mask[at, : len(sequences[row])] = 1


def in_batches(name: str, sequences: Sequence[NDArray[np.int64]], size: int, padding: int) -> Iterator[Batch]:
    """The sequences in batches, the longest ones first, with a progress bar under `name`."""
    from tqdm.auto import tqdm

    order = sorted(range(len(sequences)), key=lambda row: -len(sequences[row]))
    parts = batch_limits([len(sequences[row]) for row in order], size)
    # For `disable`, None means: unless standard error is a terminal.
    for first, end in tqdm(parts, desc=name, unit="batch", delay=_PATIENCE, leave=False, disable=None):
        yield Batch(order[first:end], sequences, padding)


def batch_limits(lengths: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Where each batch of sequences begins and ends, by their lengths, the greatest first.

    Invariant: a batch has at most `size` sequences, and at most 8 of them or a sixteenth of padding, which costs a
    model as much as tokens do.

    Examples
    --------
    >>> batch_limits([9] * 10 + [2] * 3, 64)
    [(0, 10), (10, 13)]
    >>> batch_limits([9, 5, 1], 2)
    [(0, 2), (2, 3)]
    """
    limits, first, tokens = [], 0, 0
    for at, length in enumerate(lengths):
        count = at - first
        padded = lengths[first] * (count + 1)
        if count == size or (count >= _FEW and 16 * (padded - tokens - length) > padded):
            limits.append((first, at))
            first, tokens = at, 0
        tokens += length
    return [*limits, (first, len(lengths))] if lengths else []


class TransformerEncoder(PretrainedRunner):
    """An encoder of `transformers`, with its tokenizer.

    Parameters
    ----------
    model_id : str, path or (model, tokenizer)
        A folder with a model and its tokenizer, or a name on the Hub; or both as `transformers` loaded them. A head of
        a loaded model is left aside. What is loaded stays as it is: on its device, in its type, quantised or with
        adapters; and after each run in its mode.
    pooling : str, optional
        How the vectors of the last layer make one vector of a text: "mean", "cls" (the first token) or "max". By
        default what the folder says, in the files of sentence-transformers; otherwise "mean". A pair says nothing of
        it; a ``SentenceTransformer`` does, see ``open_encoder``.
    batch_size : int
        The texts that go through the model at once, at most. It changes no more than the last bits.
    device : str or torch.device, optional
        Such as "cpu", "cuda", "cuda:1" or "mps"; "gpu" is another name for "cuda". By default "cuda" if it is there.
    dtype : str, optional
        The type of the model's weights, such as "float32" or "bfloat16"; "float32" by default.
    max_length : int, optional
        The tokens that are left of a text, with those that the model adds; 3 or more. By default as many as the model
        has places for.
    revision : str, optional
        A branch, tag or commit on the Hub.

    Attributes
    ----------
    name : str
        The name of the folder or of the model, with a digest, such as "all-MiniLM-L6-v2@607a30d783df". The digest is
        that of the files of a folder, or of the commit on the Hub. That of a loaded model covers its weights,
        configuration, adapters and tokenizer; see ``weights_digest`` of ``metrologue.language_models.loaded_digest``.
        What changes the vectors follows: "all-MiniLM-L6-v2@607a30d783df+cls+bfloat16".
    source : str
        The folder or the name that the model is from.
    layers : int
        The number of its last layer.

    Raises
    ------
    InputError
        If torch or transformers is not installed, there is no such model or device, weights are missing, or an argument
        is out of range. If what is loaded is no pair of a model and a tokenizer that belongs to it, or has another
        device or type than is asked for. Later, if its weights have changed: then give it again.

    Examples
    --------
    >>> encoder = TransformerEncoder("path/of/a/model")  # doctest: +SKIP
    >>> encoder.encode_tokens(["a cat"], layers=(6,)).vectors.shape  # doctest: +SKIP
    (1, 4, 384)
    """

    _opener, _kind = "AutoModel", "an encoder"

    def __init__(
        self,
        model_id: str | os.PathLike[str] | Loaded,
        pooling: str | None = None,
        batch_size: int = 64,
        device: str | torch.device | None = None,
        dtype: str | None = None,
        max_length: int | None = None,
        revision: str | None = None,
    ) -> None:
        owner = type(self).__name__
        self.batch_size = checked_int("batch_size", batch_size, 1)
        self.max_length = None if max_length is None else checked_int("max_length", max_length, 3)
        if pooling is not None and pooling not in _POOLINGS:
            raise InputError(f"{owner}: `pooling` is {shown(pooling)}; {instead_of(pooling, _POOLINGS)}")
        self._hold(model_id, device=device, dtype=dtype, revision=revision, **self._more_options())
        self.source = self._pretrained.source
        self._model = self._encoding_part(self._pretrained.model)
        self.layers = int(self._pretrained.model.config.get_text_config().num_hidden_layers)
        self._own_pooling = self._pooling_of_folder(owner) or "mean"
        self.pooling = pooling or self._own_pooling
        self._width = min(self.max_length or _MOST, self._context())
        self._sentence_width = min(self._width, self._most_of_sentences())

    def _more_options(self) -> dict[str, Any]:
        # The weights of a pooler are not used.
        return {"usual": "float32", "unused": "pooler", "others": (_MODULES, _POOLING, _SENTENCES)}

    def _encoding_part(self, model: Any) -> Any:
        """The part of a model that gives vectors to tokens."""
        if self._pretrained.is_given:
            if getattr(getattr(model, "active_peft_config", None), "is_prompt_learning", False):
                raise InputError(
                    f"{type(self).__name__}: {self.source!r} has a prompt that was learned, which is no part of an "
                    "encoder; give the model without it."
                )
            inner = model.get_base_model() if hasattr(model, "get_base_model") else model
            model = getattr(inner, "base_model", inner)
        return model.get_encoder() if model.config.is_encoder_decoder else model

    def _file(self, name: str) -> Any:
        """What a JSON file of the model's folder holds; None if it is not there."""
        path = Path(self._pretrained.folder or "", name)
        if self._pretrained.folder is None or not path.is_file():
            return None
        content = read_json(path, type(self).__name__)
        _FORMS[name](content, f"{type(self).__name__}: {path}")
        return content

    def _pooling_of_folder(self, owner: str) -> str:
        """The pooling that the files of sentence-transformers name; "" if they name none."""
        for module in self._file(_MODULES) or ():
            if (kind := module["type"].rpartition(".")[2]) not in _KNOWN_MODULES:
                raise InputError(f"{owner}: {self.source!r} has a module {kind}, which is not supported.")
        chosen = self._file(_POOLING) or {}
        # sentence-transformers 6 writes a name or a list of names; before, each way had a truth value.
        asked = chosen.get("pooling_mode") or [
            _FORMER_POOLINGS.get(mode, mode) for mode, on in chosen.items() if mode.startswith("pooling_mode_") and on
        ]
        return "-and-".join(map(str, asked)) if isinstance(asked, list) else str(asked)

    def _most_of_sentences(self) -> int:
        return int((self._file(_SENTENCES) or {}).get("max_seq_length") or _MOST) if not self.max_length else _MOST

    def _marks(self) -> dict[str, Any]:
        return {self.pooling: self.pooling != self._own_pooling, f"max-length-{self.max_length}": self.max_length}

    def encode_tokens(self, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        """The vectors of each text's tokens, with those of the tokens that the model adds.

        Parameters
        ----------
        texts : sequence of n str
            Whitespace at both ends is left out.
        layers : sequence of int
            0 for the vectors that do not depend on the context, 1 for the first layer, and so on.

        Returns
        -------
        TokenVectors
            A text that is too long is cut, and `left_out` says so.

        Raises
        ------
        InputError
            If the model has no such layer.
        """
        for layer in layers:
            if not 0 <= layer <= self.layers:
                raise InputError(f"{self.name} has the layers 0 to {self.layers}, and no layer {layer}.")
        with self._pretrained.running():
            sequences, spans, left_out = self._sequences(texts, self._width)
            offsets = np.cumsum([0, *map(len, sequences)])
            vectors = np.empty((len(layers), int(offsets[-1]), self._model.config.hidden_size), np.float32)
            for batch in in_batches(self.name, sequences, self.batch_size, self._padding):
                of_batch = self._on_layers(batch, layers)
                for at, row in enumerate(batch.rows):
                    vectors[:, offsets[row] : offsets[row + 1]] = of_batch[:, at, : len(sequences[row])]
        ids = np.concatenate([np.zeros(0, np.int64), *sequences])
        # bert-score gives no weight to these two, wherever they stand in a text.
        added = [each for each in (self._tokenizer.cls_token_id, self._tokenizer.sep_token_id) if each is not None]
        return TokenVectors(
            layers=tuple(layers),
            vectors=vectors,
            offsets=offsets,
            ids=ids,
            spans=np.concatenate([np.zeros((0, 2), np.int64), *spans]),
            counted=~np.isin(ids, added),
            left_out=left_out,
        )

    def encode_texts(self, texts: Sequence[str]) -> Matrix:
        """One vector for each text, by the `pooling` of its last layer, float32 (n, width).

        A text that is too long is cut, as sentence-transformers does it.

        Raises
        ------
        InputError
            If the model's folder asks for a pooling that is none of these, or for a prompt before each text.
        """
        about = self._file(_PROMPTS) or {}
        if prompt := (about.get("prompts") or {}).get(about.get("default_prompt_name")):
            raise InputError(
                f"{type(self).__name__}: {self.source!r} has the prompt {shown(prompt)} for each text, which is not "
                "supported for a folder; give the SentenceTransformer itself."
            )
        if self.pooling not in _POOLINGS:
            raise InputError(
                f"{type(self).__name__}: {self.source!r} has the pooling {shown(self.pooling)}, which is not supported "
                "for a folder; give the SentenceTransformer itself."
            )
        with self._pretrained.running():
            sequences, _, _ = self._sequences(texts, self._sentence_width)
            vectors = np.empty((len(texts), self._model.config.hidden_size), np.float32)
            for batch in in_batches(self.name, sequences, self.batch_size, self._padding):
                vectors[batch.rows] = self._pooled(self._on_layers(batch, (self.layers,))[0], batch.mask)
        return vectors

    def left_out(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The tokens at the end of each text that ``encode_texts`` has no place for, (n,)."""
        with one_at_a_time:
            return self._sequences(texts, self._sentence_width)[2]

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, with those that the model adds."""
        with one_at_a_time:
            [ids], _, _ = self._sequences([text], self._width)
            spelled: list[str] = self._tokenizer.convert_ids_to_tokens(ids.tolist())
        return spelled

    @property
    def _padding(self) -> int:
        return int(self._tokenizer.pad_token_id or 0)

    def _pooled(self, vectors: Matrix, mask: NDArray[np.int64]) -> Matrix:
        if self.pooling == "cls":
            return vectors[:, 0]
        if self.pooling == "max":
            return np.asarray(np.where(mask[..., None] > 0, vectors, np.float32(-np.inf)).max(axis=1))
        weights = mask[..., None].astype(np.float32)
        return np.asarray((vectors * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), np.float32(1e-9)))

    def _sequences(
        self, texts: Sequence[str], width: int
    ) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]], NDArray[np.int64]]:
        """The ids of each text, where they stand in it, and how many were left out."""
        stripped = [text.strip() for text in texts]
        if not stripped:
            return [], [], np.zeros(0, np.int64)
        options: dict[str, Any] = {"return_attention_mask": False, "verbose": False}
        options["return_offsets_mapping"] = spanned = bool(self._tokenizer.is_fast)
        whole = self._tokenizer(stripped, **options)
        sequences = [np.array(ids, np.int64) for ids in whole["input_ids"]]
        spans = whole["offset_mapping"] if spanned else [[(0, 0)] * len(ids) for ids in sequences]
        left_out = np.array([max(0, len(ids) - width) for ids in sequences], np.int64)
        for row in np.flatnonzero(left_out).tolist():
            cut = self._tokenizer(stripped[row], truncation=True, max_length=width, **options)
            sequences[row] = np.array(cut["input_ids"], np.int64)
            spans[row] = cut["offset_mapping"] if spanned else [(0, 0)] * width
        return sequences, [self._in_text(*each) for each in zip(texts, stripped, spans, strict=True)], left_out

    def unknown(self, texts: Sequence[str]) -> tuple[int, int]:
        """How many tokens of the texts are unknown to the tokenizer, and how many there are."""
        return unknown_tokens(self._tokenizer, texts)

    @staticmethod
    def _in_text(text: str, stripped: str, spans: Any) -> NDArray[np.int64]:
        """Where tokens stand in a text, by where they stand in its stripped form."""
        places = np.array(spans, np.int64).reshape(-1, 2)
        if (shift := text.find(stripped)) > 0:
            places[places[:, 1] > places[:, 0]] += shift
        return places

    def _on_layers(self, batch: Batch, layers: Sequence[int]) -> Matrix:
        """The vectors of a batch on these layers, float32 (layers, texts, longest, width)."""
        import torch

        ids, mask = (torch.from_numpy(each).to(self._device) for each in (batch.ids, batch.mask))
        by_layer: dict[int, torch.Tensor] = {}
        for layer in sorted({*layers}, reverse=True):
            if layer not in by_layer:
                by_layer.update(self._run(ids, mask, layer, layers))
        return np.stack([by_layer[layer].float().cpu().numpy() for layer in layers])

    def _run(self, ids: Any, mask: Any, deepest: int, layers: Sequence[int]) -> dict[int, Any]:
        """The vectors on the deepest layer, and on those below it that are asked for, if nothing follows a layer."""
        captured: dict[int, Any] = {}

        def keeper(layer: int) -> Any:
            def keep(_module: Any, _inputs: Any, output: Any) -> None:
                captured[layer] = output[0] if isinstance(output, tuple) else output

            return keep

        with ExitStack() as hooks, self._cut(deepest) as stack:
            if stack is None:
                states = self._model(ids, attention_mask=mask, output_hidden_states=True).hidden_states
                return {layer: states[layer] for layer in {deepest, *layers}}
            for layer in {deepest, *layers} - {0}:
                if layer <= deepest:
                    hook = stack[layer - 1].register_forward_hook(keeper(layer))
                    hooks.callback(hook.remove)
            last = self._model(ids, attention_mask=mask)[0]
        # A model that changes what its last layer gives, by a norm, must run for each layer.
        plain = (
            deepest in captured and captured[deepest].shape == last.shape and bool((captured[deepest] == last).all())
        )
        return {**captured, deepest: last} if plain else {deepest: last}

    @contextmanager
    def _cut(self, deepest: int) -> Iterator[Any]:
        """A context in which the model has only its first layers. Gives the list of all; None if there is none."""
        import torch

        places = [
            (module, name)
            for module in self._model.modules()
            for name, child in module.named_children()
            if isinstance(child, torch.nn.ModuleList) and len(child) == self.layers
        ]
        if not places:
            yield None
            return
        module, name = places[0]
        whole = getattr(module, name)
        try:
            setattr(module, name, whole[:deepest])
            yield whole
        finally:
            setattr(module, name, whole)


def is_sentence_transformer(value: Any) -> bool:
    """Whether a value is a ``SentenceTransformer``, or has its methods."""
    return all(hasattr(value, name) for name in ("encode", "max_seq_length", "state_dict", "tokenizer"))


class SentenceEncoder(TransformerEncoder):
    """A loaded ``SentenceTransformer``: the vector of a text is that of its ``encode``, whatever its modules are.

    The vectors of tokens are those of the model of `transformers` in it. What is loaded stays as it is, see
    ``TransformerEncoder``.

    Parameters
    ----------
    model : sentence_transformers.SentenceTransformer
    batch_size : int
        The texts that go through the model at once, at most.
    device : str or torch.device, optional
        That on which the model is already.

    Raises
    ------
    InputError
        If its first module is no model of `transformers`, or the model is on another device.

    Examples
    --------
    >>> SentenceEncoder(SentenceTransformer("all-MiniLM-L6-v2")).encode_texts(["a cat"]).shape  # doctest: +SKIP
    (1, 384)
    """

    def __init__(self, model: Any, batch_size: int = 64, device: Any = None) -> None:
        self._sentences = model
        inner = getattr(next(iter(model), None), "auto_model", None)
        if inner is None:
            raise InputError(
                "SentenceEncoder: the first module of this SentenceTransformer is no model of transformers; a "
                "metrologue.representations.FunctionEncoder takes its `encode`."
            )
        super().__init__((inner, model.tokenizer), batch_size=batch_size, device=device)
        self._sentence_width = min(self._width, int(model.max_seq_length or _MOST))

    def _more_options(self) -> dict[str, Any]:
        modules = [(type(each).__name__, each.get_config_dict()) for each in [*self._sentences][1:]]
        names = ("max_seq_length", "truncate_dim", "prompts", "default_prompt_name")
        about = [modules, [getattr(self._sentences, name, None) for name in names]]
        return {"whole": self._sentences, "settings": json.dumps(about, default=str, sort_keys=True)}

    def encode_texts(self, texts: Sequence[str]) -> Matrix:
        """What ``encode`` gives, float32 (n, width), with the model's own prompt if it has one by default."""
        if not len(texts):
            return np.zeros((0, 0), np.float32)
        with self._pretrained.running():
            vectors_of_texts = self._sentences.encode([*texts], batch_size=self.batch_size, show_progress_bar=False)
        return np.ascontiguousarray(vectors_of_texts, np.float32)
