"""A digest of texts that come part by part."""

from __future__ import annotations

import hashlib

import numpy as np

from metrologue.data.arrow import pa
from metrologue.data.strings import buffers


class TextDigest:
    """A SHA-256 digest of texts, or of lists of texts, which does not depend on the parts that they come in.

    Examples
    --------
    >>> texts = pa.array(["a cat", "a dog", "ab"], pa.large_string())
    >>> whole, parts, other = TextDigest(), TextDigest(), TextDigest()
    >>> whole.update(texts), parts.update(texts[:1]), parts.update(texts[1:])
    (None, None, None)
    >>> other.update(pa.array(["a cat", "a doga", "b"], pa.large_string()))
    >>> whole.hexdigest() == parts.hexdigest(), whole.hexdigest() == other.hexdigest()
    (True, False)
    """

    def __init__(self) -> None:
        # The bytes of all texts, the number of bytes of each, and the number of texts of each list.
        self._content, self._lengths, self._sizes = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()

    def update(self, texts: pa.Array) -> None:
        """Go on with texts (large_string), or lists of them (large_list); one kind of both for all parts."""
        if pa.types.is_large_list(texts.type):
            self._sizes.update(np.diff(texts.offsets.to_numpy()).data)
            texts = texts.flatten()
        content, offsets = buffers(texts)
        self._lengths.update(np.diff(offsets).data)
        self._content.update(content[offsets[0] : offsets[-1]].data)

    def hexdigest(self) -> str:
        """The digest of all texts so far."""
        parts = self._content, self._lengths, self._sizes
        return hashlib.sha256(b"".join(part.digest() for part in parts)).hexdigest()
