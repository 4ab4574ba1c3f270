"""Resources: the tables that ``fit`` makes. They are identified by name and content, and saved as Arrow files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakValueDictionary

import numpy as np

from metrologue.data.arrow import pa
from metrologue.errors import InputError, is_name, shown
from metrologue.files.regular import MOST_WEIGHTS, check_regular, open_regular

if TYPE_CHECKING:
    from pathlib import Path

    from metrologue.text.lexicon.table_cache import Table

_ABOUT = b"metrologue"
_ARROW = b"ARROW1"  # an Arrow file begins with it


@dataclass(frozen=True)
class Resource:
    """A fitted table. Two with the same name and content are equal. A signature has the name and the digest.

    Attributes
    ----------
    name : str
        What the table is, such as "nist_mt-information".
    digest : str
        The digest of the content.
    table : Table
    about : mapping of str to str
        How the table was made, such as the tokenizer. A scorer that reads text in another way refuses it.

    Examples
    --------
    >>> weights = Resource.of("idf", {"keys": ["cat", "dog"], "values": np.array([0.5, 1.0])}, {"tokenizer": "13a"})
    >>> str(weights), weights.table["values"]
    ('idf@06dcd770684d', array([0.5, 1. ]))
    >>> Resource.found(str(weights)) is weights
    True
    """

    name: str
    digest: str
    table: Table = field(compare=False, repr=False)
    about: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    # The resources that are still in use. Several may be equal, and one of them may be dropped before the others.
    _held: ClassVar[WeakValueDictionary[int, Resource]] = WeakValueDictionary()

    def __post_init__(self) -> None:
        self._held[id(self)] = self

    def __str__(self) -> str:
        return f"{self.name}@{self.digest}"

    @classmethod
    def of(cls, name: str, arrays: Mapping[str, Any], about: Mapping[str, str] | None = None) -> Resource:
        """A resource made from named arrays.

        Raises an InputError if the name cannot be part of a signature.

        Parameters
        ----------
        arrays : mapping of str to list of str, Arrow array or NumPy array
        about : mapping of str to str, optional
        """
        from metrologue.text.lexicon.table_cache import Table  # most scorers have no table

        return cls._of(name, Table.of(arrays), about or {})

    @classmethod
    def _of(cls, name: Any, table: Table, about: Mapping[str, str]) -> Resource:
        if not is_name(name):
            raise InputError(f"Resource: `name` is {shown(name)}, which cannot be part of a signature.")
        import json

        from metrologue.text.lexicon.file_digest import digest_of

        parts = [json.dumps(dict(sorted(about.items()))).encode()]
        for column in table.row.schema.names:
            values = table.row.column(column).flatten()
            parts += [f"{column} {values.type}".encode(), _content(values)]
        return cls(name, digest_of(parts), table, dict(about))

    @classmethod
    def found(cls, spelled: str, path: str | Path | None = None) -> Resource:
        """The resource that a signature names: one that is in use, or the one in a file.

        Raises an InputError if the resource is not in use and no file is given, or the file holds another one.
        """
        if path is not None:
            loaded = cls.load(path)
            if str(loaded) != spelled:
                raise InputError(f"{path} holds the table {loaded}, not {spelled}.")
            return loaded
        held = next((each for each in cls._held.values() if str(each) == spelled), None)
        if held is None:
            raise InputError(f"the table {shown(spelled)} is not in use here; load it with Resource.load(path) first.")
        return held

    def save(self, path: str | Path) -> None:
        """Write the resource as an Arrow file. An existing file is replaced only after everything is written."""
        import json

        from metrologue.writing import write_whole

        about = json.dumps({"name": self.name, "about": dict(self.about), "digest": str(self)}).encode()
        row = self.table.row.replace_schema_metadata({_ABOUT: about})
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, row.schema) as writer:
            writer.write_batch(row)
        write_whole(path, sink.getvalue().to_pybytes())

    @classmethod
    def load(cls, path: str | Path) -> Resource:
        """Read what ``save`` wrote. A file without a digest, as an earlier version wrote it, is read as it stands.

        Raises an InputError if the file cannot be read, is damaged or holds something else. The message names the file.
        """
        import json

        from metrologue.text.lexicon.table_cache import Table

        try:
            check_regular(path, "Resource.load", MOST_WEIGHTS)
            with pa.OSFile(str(path)) as source:
                row = pa.ipc.open_file(source).get_batch(0)
            row.validate(full=True)  # before anything follows the offsets of a damaged file
            written = json.loads((row.schema.metadata or {})[_ABOUT])
            resource = cls._of(written["name"], Table(row), written["about"])
            if str(resource) != written.get("digest", str(resource)):
                raise ValueError("the content is not that of its digest: it is damaged")
            return resource
        except (OSError, KeyError, TypeError, IndexError, AttributeError, ValueError, pa.ArrowException) as error:
            raise InputError(f"Resource.load: {path} holds no saved table ({shown(error)}).") from error


def in_key_order(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays of a table, those with a value for each key in the order of the keys `high` and `low`.

    So the digest of the table does not depend on the order of the texts that it was made from.

    Examples
    --------
    >>> in_key_order({"high": np.array([2, 1]), "low": np.array([0, 0]), "bits": np.array([0.5, 1.5])})["bits"]
    array([1.5, 0.5])
    """
    order = np.lexsort((arrays["low"], arrays["high"]))
    return {name: each[order] if len(each) == len(order) > 1 else each for name, each in arrays.items()}


def is_saved(path: str | Path) -> bool:
    """Whether a file begins as ``Resource.save`` writes it. Raises an InputError if it cannot be read."""
    try:
        with open_regular(path, "Resource.load") as file:
            return file.read(len(_ARROW)) == _ARROW
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error}.") from error


def _content(values: pa.Array) -> bytes:
    """The content of an array as bytes that do not depend on Arrow's layout."""
    if pa.types.is_large_string(values.type):
        texts = [text.encode() for text in values.to_pylist()]
        return np.fromiter(map(len, texts), np.int64, len(texts)).tobytes() + b"".join(texts)
    return bytes(np.from_dlpack(values).tobytes())
