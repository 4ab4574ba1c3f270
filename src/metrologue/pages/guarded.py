"""A page that takes text and uploads from its visitors, and nothing else. It imports gradio."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from threading import Thread
from typing import Any

import gradio
from gradio.utils import get_upload_folder

from metrologue.errors import heard
from metrologue.pages.models import LARGEST_UPLOAD, LONGEST_TEXT
from metrologue.scorers.core.registry import scorers_to_warm, warm_up

# Every half an hour, files that were uploaded more than an hour ago are removed.
_KEPT = (1800, 3600)
_LARGEST = 10**15
_META = {"_type": "gradio.FileData"}
_REFUSED = "This page takes files that you upload to it, and nothing else."


class Page(gradio.Blocks):
    """The blocks of a page. Every value that a visitor sends is checked before gradio or a function sees it.

    gradio's API takes any value for any component. Of a value that describes a file, gradio opens the path, and fetches
    an address. Here, it must be a file that was uploaded. Whatever else it is, the answer is the same, so that nobody
    learns what is on the server.

    Parameters
    ----------
    title : str
    metrics : iterable of str, optional
        The metrics whose tables are made in the background while the page is served already.
    """

    def __init__(self, title: str, metrics: Iterable[str] = ()) -> None:
        super().__init__(title=title, analytics_enabled=False, delete_cache=_KEPT)
        self.metrics = [*metrics]

    def launch(self, *args: Any, **options: Any) -> Any:
        """As ``gradio.Blocks.launch``. Unless `max_file_size` is given, it is ``LARGEST_UPLOAD``."""
        Thread(target=_warm, args=[self.metrics], daemon=True).start()
        return super().launch(*args, **{"max_file_size": LARGEST_UPLOAD, **options})

    async def preprocess_data(self, block_fn: Any, inputs: list[Any], *rest: Any, **named: Any) -> Any:
        """The values for a function, from those that a visitor sends."""
        for value in inputs:
            _check(value)
        return await super().preprocess_data(block_fn, inputs, *rest, **named)


def _warm(metrics: list[str]) -> None:
    """Make the tables of metrics. A visitor who chooses a variant sees what it lacks here."""
    with heard(UserWarning):  # of the few words that are scored
        for name in metrics:
            for _ in warm_up(scorers_to_warm([name])):
                pass


def _check(value: Any) -> None:
    """Raise an error for a value that no box of our pages sends."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise gradio.Error(f"A text has at most {LONGEST_TEXT:,} characters here.", print_exception=False)
    elif isinstance(value, int | float):
        if not abs(value) <= _LARGEST:  # nor NaN
            raise gradio.Error("A number is finite here, and has at most 15 digits.", print_exception=False)
    elif value is not None and not _is_upload(value):
        raise gradio.Error(_REFUSED, print_exception=False)


def _is_upload(value: Any) -> bool:
    """Whether a value describes an uploaded file. gradio puts each of them into its folder for uploads."""
    if not (isinstance(value, dict) and value.get("meta") == _META and isinstance(path := value.get("path"), str)):
        return False
    if any(isinstance(each, dict | list) for name, each in value.items() if name != "meta"):
        return False
    folder = Path(get_upload_folder())
    try:
        # First by its letters: to ask the system for a path can have effects, such as for one on another machine.
        return Path(os.path.abspath(path)).is_relative_to(folder) and _is_own(Path(path), folder)
    except (OSError, ValueError):  # ValueError: a NUL
        return False


def _is_own(path: Path, folder: Path) -> bool:
    """Whether a path is a file in a folder, and no link."""
    return path.is_file() and not path.is_symlink() and path.resolve().is_relative_to(folder.resolve())
