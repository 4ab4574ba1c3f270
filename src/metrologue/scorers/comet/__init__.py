"""COMET: a rating that a network trained on people's judgements gives to a translation (Rei et al. 2020)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from metrologue.errors import InputError
from metrologue.learned.named import NamedTrained
from metrologue.learned.scorer import SEGMENTS, model_option
from metrologue.scorers.core.inputs import Input, texts
from metrologue.scorers.core.numbers import number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.variants import Recommended, Variant
from metrologue.scorers.families.translations import TranslationRating
from metrologue.segments import Segments

__all__ = ["Comet"]


@dataclass(frozen=True, kw_only=True)
class Comet(TranslationRating):
    """The rating that a trained network gives to a translation, its source and its reference; higher is better.

    An encoder makes vectors of the texts, and a feed-forward network on top makes one number of them. The score of a
    corpus is the mean of its segments. Which texts are read depends on the checkpoint: most models read a reference,
    and those for quality estimation, such as CometKiwi, the source alone. The scale is that of the ratings that it was
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
    https://aclanthology.org/2022.wmt-1.52 and https://aclanthology.org/2022.wmt-1.60 (CometKiwi); the package
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
        TranslationRating.about, papers=("rei-etal-2020-comet", "rei-etal-2022-comet", "rei-etal-2022-cometkiwi")
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

        return CometRun(self.precision, self.batch, self.longest, self.mix)

    _variants: ClassVar = {
        "unbabel-comet": Variant(
            "unbabel-comet",
            "the scores of predict(), of the checkpoint that is given",
            live="unbabel-comet.comet",
            recommended=Recommended(
                "its numbers are those of the authors' package; name the checkpoint with it", "rei-etal-2022-comet"
            ),
        ),
    }
