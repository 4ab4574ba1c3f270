"""What all modules of `evaluate` share here: options that are checked, files and locks that never remain, threads.

A module is one object that several threads may use. What a call of ``compute`` is given stays in this call. Only rows
that are added before belong to the module, and a lock guards them.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pyarrow as pa

from metrologue.errors import InputError, checked_int
from metrologue.scorers.core.citing import entries_of
from metrologue.segments import Segments
from metrologue.threads import Lock

MOST_BYTES = 1 << 30  # of text that is written at once: `evaluate` keeps text in columns of up to 2 GiB


def nested_column(segments: Segments) -> pa.LargeListArray:
    """The references of each segment as an Arrow list."""
    return pa.LargeListArray.from_arrays(segments.reference_offsets, segments.texts("references"))


class Batch(NamedTuple):
    """Rows that are checked.

    Attributes
    ----------
    parts : list
        Consecutive rows, as the module's ``_rows`` takes them.
    form : int
        The index of their features.
    """

    parts: list[Any]
    form: int = 0


class StrictModule:
    """Mix-in that comes before ``evaluate.Metric`` or ``evaluate.Comparison``.

    It is not an ``EvaluationModule`` itself, because `evaluate` takes the first such class in a file as the module.

    Attributes
    ----------
    papers : tuple of str
        Their keys in references.bib.
    programs, pages : tuple of str
        The addresses of source code and of other pages about the metric.

    Parameters
    ----------
    config_name : str
    seed : int, optional
        The seed of resampling, from 0 to 2**32 - 1.
    folder : str, optional
        The name of the folder for rows, if it is not `config_name`.
    **options
        The options that ``evaluate.load`` passes on: ``keep_in_memory``, ``experiment_id``, ``num_process``, …

    Raises
    ------
    InputError
        If the configuration is unknown, or the seed is out of range.
    TypeError
        For any other option. `evaluate` alone would ignore it.
    """

    papers: ClassVar[tuple[str, ...]] = ()
    programs: ClassVar[tuple[str, ...]] = ()
    pages: ClassVar[tuple[str, ...]] = ()

    # Attributes of `evaluate`, declared here because the type checker does not see that package.
    config_name: str
    info: Any
    writer: Any
    buf_writer: Any
    data: Any
    filelock: Any
    filelocks: Any
    file_paths: Any
    rendez_vous_lock: Any
    cache_file_name: Any
    selected_feature_format: Any

    _settings: tuple[str, ...] = ()  # the arguments that are given to each ``compute`` if a module is loaded with them

    def __init__(self, config_name: str, seed: int | None = None, folder: str | None = None, **options: Any) -> None:
        parent: Any = super()
        self._refuse_unknown(options, parent.__init__, self._settings)
        self._check_config(config_name)
        self._lock = Lock()  # of the rows that were added: the writer and all that belongs to it
        self._written_form = 0  # that of these rows
        self.given_seed = None if seed is None else checked_int("seed", seed, 0, 2**32 - 1)
        parent.__init__(folder or config_name, seed=self.given_seed, **options)
        # The format is set here because `evaluate` refuses it together with a list of features.
        self.info.format = "arrow"

    @property
    def _owner(self) -> str:
        """The name of the module, for messages."""
        return type(self).__name__

    def _error(self, told: str) -> InputError:
        return InputError(f"{self._owner}: {told}")

    def _build_data_dir(self) -> str:
        """The folder for rows that are added. Where nothing can be written, it is not made before it is used."""
        parent: Any = super()
        try:
            return str(parent._build_data_dir())
        except OSError:
            module: Any = self
            return os.path.join(module._data_dir_root, module.name, self.config_name)

    def _check_config(self, config_name: str) -> None:
        """Raise an InputError if there is no such configuration."""

    def _info(self) -> Any:
        """What `evaluate` asks of a module: what its docstring says, and what it cites."""
        import evaluate

        kinds = (evaluate.Metric, evaluate.Measurement, evaluate.Comparison)
        kind = next(each.__name__ for each in kinds if isinstance(self, each))
        about, mark, inputs = inspect.cleandoc(type(self).__doc__ or "").partition("Args:\n")
        return getattr(evaluate, f"{kind}Info")(
            description=about.strip(),
            citation="\n".join(entries_of(self.papers)),
            inputs_description=f"\n{mark}{inputs}\n",
            features=self._features(),
            codebase_urls=[*self.programs],
            reference_urls=[*self.pages],
        )

    def _features(self) -> Any:
        """The forms of the columns, for `evaluate`."""
        raise NotImplementedError

    def _refuse_unknown(self, given: Mapping[str, Any], function: Callable[..., Any], more: Iterable[str] = ()) -> None:
        """Raise a TypeError for what is neither a parameter of the function nor one of `more` names."""
        if not given:
            return
        kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        names = [name for name, parameter in inspect.signature(function).parameters.items() if parameter.kind in kinds]
        names += more
        for name in given:
            if name not in names:
                raise TypeError(f"{self._owner}: unknown argument {name!r}; there are {', '.join(names)}.")

    def _batch(self, *_: Any, **columns: Any) -> Batch:
        """The rows of a batch. Errors are those of ``add_batch``; nothing in the module changes."""
        raise NotImplementedError

    def _add(self, batch: Batch) -> None:
        """Keep rows for ``compute``. Raises an InputError if earlier ones have another form."""
        if not batch.parts:
            return
        rows = [self._rows(part) for part in batch.parts]
        with self._lock:
            if self.writer is not None:
                self._check_form(batch.form, self._written_form)
            self._written_form = batch.form
            for part in rows:
                if self.writer is None:
                    self._open(batch.form)
                self.writer.write_table(pa.table(part, schema=self.writer.schema))

    def _rows(self, part: Any) -> dict[str, Any]:
        """Rows of a batch as Arrow arrays by the names of their columns."""
        return dict(part)

    def _check_form(self, form: int, before: int) -> None:
        """Raise an InputError if rows of these two forms cannot be scored together."""

    def _computed(self, given: Mapping[str, Any], needed: str, options: Mapping[str, Any]) -> Any:
        """What ``_compute`` gives for all rows, those of a last batch included. `needed` says what is missing.

        If there are no rows from earlier batches or other ranks, those of the batch are in this call only: they need
        no file, no lock, and no seed of NumPy's global generator, which all threads share. Raises a TypeError for an
        option that ``_compute`` does not have.
        """
        module: Any = self
        # `evaluate.combine` passes both columns of a metric to each module, as None if they were added before.
        foreign = [name for name in ("predictions", "references") if name not in given and options.get(name, 0) is None]
        options = {name: value for name, value in options.items() if name not in foreign}
        self._refuse_unknown(options, module._compute)
        batch = self._batch(**given) if any(column is not None for column in given.values()) else Batch([])
        with self._lock:
            if self.writer is not None or module.num_process > 1:
                self._add(batch)
                return self._computed_from_file(options)
        if not batch.parts:
            raise self._error(f"nothing to score; give {needed}.")
        return self._of_batch(batch, options)

    def _of_batch(self, batch: Batch, options: Mapping[str, Any]) -> Any:
        """What ``_compute`` gives for rows that are in no file."""
        module: Any = self
        schema = module.features[batch.form].arrow_schema
        table = pa.concat_tables([pa.table(self._rows(part), schema=schema) for part in batch.parts])
        return module._compute(**{name: table[name] for name in table.column_names}, **options)

    def _computed_from_file(self, options: Mapping[str, Any]) -> Any:
        """What ``_compute`` gives for the rows of all batches and ranks."""
        if self.writer is None:
            self._open()  # the other ranks wait for this one, even if it has no rows
        if self.cache_file_name is not None and not os.path.exists(self.cache_file_name):
            lost = os.path.dirname(self.cache_file_name)
            self._clear()
            raise self._error(f"the rows are lost, because {lost} was removed; add them again.")
        parent: Any = super()
        try:
            return parent.compute(**options)
        finally:
            self._clear()

    def _open(self, form: int = 0) -> None:
        """Open the cache file. With several ranks, wait until the others have opened theirs."""
        module: Any = self
        self.selected_feature_format = module.features[form]
        os.makedirs(module.data_dir, exist_ok=True)  # `evaluate` makes it once, and it may have been removed since
        try:
            module._init_writer()
        except BaseException:  # a rank that waited in vain already holds locks
            self._clear()
            raise

    def _clear(self) -> None:
        """Close the writer, release all locks and remove the cache file, wherever `evaluate` stopped."""
        if self.writer is not None:
            self.writer.close()
        self.writer = self.buf_writer = self.data = None
        held = [*zip(self.filelocks or (), self.file_paths or (), strict=True), (self.filelock, self.cache_file_name)]
        for lock, path in held:
            # If `evaluate` has released a lock, the lock and its file may already belong to another process.
            if lock is not None and lock.is_locked:
                Path(path).unlink(missing_ok=True)
                lock.release()
        if self.rendez_vous_lock is not None:
            self.rendez_vous_lock.release()
        self.filelocks = self.file_paths = self.filelock = self.cache_file_name = self.rendez_vous_lock = None
