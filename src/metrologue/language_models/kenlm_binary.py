"""KenLM's own binary files, through the package kenlm."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from metrologue.errors import InputError, shown
from metrologue.language_models.arpa import NgramModel, file_name
from metrologue.language_models.base import TokenScores
from metrologue.origin import pip_install
from metrologue.text.lexicon.file_digest import digest


class KenlmModel(NgramModel):
    """An n-gram model in a binary file that KenLM's ``build_binary`` wrote. The package kenlm reads and scores it.

    Texts are split as for ``ArpaModel``, but the package takes a word for ended at a NUL.

    Parameters
    ----------
    path : str or path
        A binary file of KenLM. The package also reads ARPA files; ``ArpaModel`` scores them faster.
    bos, eos : bool
        As for ``ArpaModel``.

    Attributes
    ----------
    base : float
        10.
    order : int
        The number of words of the longest n-grams.

    Raises
    ------
    InputError
        If the package is not installed, or cannot read the file.

    References
    ----------
    Heafield 2011, https://aclanthology.org/W11-2123; kenlm 0.3.0.

    Examples
    --------
    >>> KenlmModel("missing.binary")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: missing.binary cannot be read as a model of KenLM: there is no such file.
    """

    def __init__(self, path: str | os.PathLike[str], *, bos: bool = True, eos: bool = True) -> None:
        if not os.path.isfile(path):
            raise InputError(f"{path} cannot be read as a model of KenLM: there is no such file.")
        try:
            import kenlm
        except ModuleNotFoundError as error:
            raise InputError(
                f"{path}: the package kenlm reads binary files of KenLM, but it is not installed; install it with "
                f"`{pip_install('kenlm')}`, which needs a C++ compiler, or give the ARPA file."
            ) from error
        settings = kenlm.Config()
        settings.show_progress, settings.arpa_complain = False, kenlm.ARPALoadComplain.NONE
        try:
            self._model: Any = kenlm.Model(os.fspath(path), settings)
            self._stem = f"{file_name(path)}@{digest([Path(path)])}"
        except OSError as error:
            raise InputError(f"{path} cannot be read as a model of KenLM: {shown(str(error))}.") from error
        self.order = int(self._model.order)
        self.bos, self.eos = bos, eos

    def score_texts(self, texts: pa.LargeStringArray) -> TokenScores:
        """The log-probabilities of the tokens of each text, as ``ArpaModel.score_texts`` gives them."""
        column = texts if isinstance(texts, pa.Array) else pa.array(texts, pa.large_string())
        rows = [list(self._model.full_scores(text, bos=self.bos, eos=self.eos)) for text in column.to_pylist()]
        flat = [token for row in rows for token in row]
        return TokenScores(
            log_probabilities=np.array([log for log, _, _ in flat], np.float64),
            offsets=np.cumsum([0, *map(len, rows)]),
            unknown=np.array([unknown for _, _, unknown in flat], np.bool_),
        )
