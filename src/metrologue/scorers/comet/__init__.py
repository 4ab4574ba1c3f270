"""COMET: a rating that a network trained on people's judgements gives to a translation (Rei et al. 2020)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from metrologue.errors import InputError
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import SEGMENTS, model_option
from metrologue.scorers.core.capabilities import Reported
from metrologue.scorers.core.inputs import Input, texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.translations import TranslationRating
from metrologue.segments import Segments

if TYPE_CHECKING:
    from metrologue.scorers.comet.network import ErrorSpan

__all__ = ["Comet"]


@dataclass(frozen=True, kw_only=True)
class Comet(TranslationRating, Reported):
    """The rating that a trained network gives to a translation, its source and its reference; higher is better.

    An encoder makes vectors of the texts, and a feed-forward network on top makes one number of them. The score of a
    corpus is the mean of its segments. Which texts are read depends on the checkpoint: most models read a reference,
    and those for quality estimation, such as CometKiwi, the source alone. xCOMET also marks errors in the translation,
    which ``trace`` shows. The scale is that of the ratings that it was
    trained on: about 0 to 1 for the models of 2022, z-scores around 0 for those of 2020. Scores of two checkpoints must
    not be compared.

    The checkpoint is a folder as unbabel-comet saves it, with ``hparams.yaml`` and ``checkpoints/model.ckpt``, and
    needs torch and transformers alone. ``metrologue.learned.open_model(folder, encoder)`` opens it; the encoder is the
    folder or the name of the model that it was trained from, of which only the configuration and the tokenizer are
    read. A text is encoded once, however many systems and scorers have it. The last bits depend on the texts that are
    encoded together, so scores of the same texts agree to 1e-6.

    Raises
    ------
    InputError
        If there is no `model`, torch or transformers is missing, sources are missing, or references that the model
        reads; if a text is longer than the model's context and `too_long` is "error".

    References
    ----------
    Rei et al. 2020, https://aclanthology.org/2020.emnlp-main.213; Rei et al. 2022,
    https://aclanthology.org/2022.wmt-1.52 and https://aclanthology.org/2022.wmt-1.60 (CometKiwi); Guerreiro et al.
    2024, https://aclanthology.org/2024.tacl-1.54 (xCOMET); the package
    unbabel-comet.

    Examples
    --------
    A function stands for the model here:

    >>> from metrologue.scorers.comet.network import CometFunction
    >>> def common(translations, sources, references):
    ...     pairs = zip(translations, references, strict=True)
    ...     return [len({*one.split()} & {*other.split()}) / 4 for one, other in pairs]
    >>> comet = Comet(model=CometFunction("common words", "1", common).model("comet"))
    >>> comet.segments(["a dog sat", "it rains"], ["a cat sat", "a cat sat"], sources=["un chat", "il pleut"])
    array([0.5, 0. ])

    A checkpoint:

    >>> from metrologue.learned import open_model
    >>> model = open_model("path/of/wmt22-comet-da", encoder="path/of/xlm-roberta-large")  # doctest: +SKIP
    >>> Comet(model=model).corpus(["a dog"], ["a cat"], sources=["un chat"])  # doctest: +SKIP
    """

    name: ClassVar[str] = "comet"
    about: ClassVar = replace(
        TranslationRating.about,
        papers=(
            "rei-etal-2020-comet",
            "rei-etal-2022-comet",
            "rei-etal-2022-cometkiwi",
            "guerreiro-etal-2024-xcomet",
            "rei-etal-2020-unbabels",
        ),
    )
    title: ClassVar[str] = "COMET"
    inputs: ClassVar[tuple[Input, ...]] = (
        texts("predictions"),
        texts("sources", about="the text that each prediction is a translation of"),
        texts("references", many=True, required=False, about="most models compare translations with them"),
    )
    _authors: ClassVar[str] = (
        "give the folder of a checkpoint, such as a download of https://huggingface.co/Unbabel/wmt22-comet-da, with "
        "its encoder, the model that it was trained from."
    )
    _program: ClassVar[str] = "unbabel-comet"

    model: NamedTrained | None = model_option(
        what="network", folder="the folder of a checkpoint of unbabel-comet, opened with its encoder"
    )
    # fmt: off
    longest: int | None = option(
        None, stage="read", choice="long texts", least=3, greatest=1 << 20,
        about="The tokens of a text, with the one before and the one after it. None: as in unbabel-comet, four less "
        "than the encoder has positions (510 for XLM-R); a higher number is the same.",
    )
    mix: str = option(
        "authors", stage="read", choice="layers",
        about="How the numbers of the encoder's layers become their shares in the mix.",
        one_of={
            "authors": "as the checkpoint says: a softmax or a sparsemax; \"sparsemax_patch\" is a softmax, as in "
            "unbabel-comet",
            "softmax": "always a softmax, as in unbabel-comet 1",
            "sparsemax": "always a sparsemax",
        },
    )
    threshold: float | None = option(
        None, stage="read", choice="errors", least=0.0, greatest=1.0,
        about="Of xCOMET: a token is in an error if it is more probable than this that it is in one. None: if it is in "
        "one by its most probable label.",
    )
    # fmt: on

    numbers: ClassVar = (
        number(
            "comet", -math.inf, math.inf, better="higher", title="COMET",
            about="the rating that the network gives",
        ),
        SEGMENTS,
    )  # fmt: skip

    _columns = ("comet_sum", "segments")

    @property
    def _network(self) -> Any:
        from metrologue.scorers.comet.network import CometFunction, CometNetwork

        network = self._trained.network
        return network if isinstance(network, CometFunction) else self._trained.network_as(CometNetwork)

    def _check_inputs(self, segments: Segments) -> None:
        super()._check_inputs(segments)
        if self.model is not None and self._network.needs_references and not segments.has("references"):
            raise InputError(f"Comet: `references` are missing; {self.model} compares translations with them.")

    @property
    def _run(self) -> Any:
        from metrologue.scorers.comet.network import CometRun

        return CometRun(self.precision, self.batch, self.longest, self.mix, self.threshold)

    def _errors(self, segments: Segments) -> list[tuple[ErrorSpan, ...]] | None:
        """The errors that xCOMET marks in each translation, with its best reference; None for other models."""
        marks = self._ratings(segments).details
        if marks is None:
            return None
        offsets, scores = self._compared(segments).reference_offsets.tolist(), self._ratings(segments).scores
        best = (first + int(scores[first:end].argmax()) for first, end in pairwise(offsets))
        return [marks[pair].errors for pair in best]

    def _beside(self, segments: Segments) -> Mapping[str, Sequence[Any]]:
        errors = self._errors(segments)
        return {} if errors is None else {"error_spans": [[each._asdict() for each in own] for own in errors]}

    _variants: ClassVar = {
        "unbabel-comet": Variant(
            "unbabel-comet",
            "the scores of predict(), of the checkpoint that is given",
            live="unbabel-comet.comet",
        ),
        "unbabel-comet-mean": Variant(
            "unbabel-comet",
            "the same, and of several references the mean of the scores with each",
            {"multi_reference": "mean"},
            recommended=Recommended(
                "of several references its authors advise the mean; with one, it is predict() of their package; name "
                "the checkpoint with it",
                "rei-etal-2020-unbabels",
            ),
        ),
    }
