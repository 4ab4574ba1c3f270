"""Digests and tables of files: those of the file that is there now, never those of another one that looks alike."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from metrologue import cache
from metrologue.errors import InputError
from metrologue.language_models import open_model
from metrologue.language_models.arpa import ArpaModel
from metrologue.language_models.loaded_digest import folder_digest
from metrologue.text.lexicon import file_digest, names, register_paraphrases
from metrologue.text.lexicon.file_digest import digest, state_of
from metrologue.text.lexicon.lookup import phrase_words

ARPA = "\\data\\\nngram 1=4\n\n\\1-grams:\n-1.0\t<unk>\n-99\t<s>\n{}\t</s>\n{}\ta\n\n\\end\\\n"
MODELS = {"A": ("-0.500000", "-0.600000"), "B": ("-0.900000", "-0.200000")}

SCORED = """
import sys
from metrologue.text.lexicon import file_digest
from metrologue.language_models.arpa import ArpaModel
file_digest._SMALL, file_digest._TICK = 0, 0
model = ArpaModel("m.arpa")
print(model.name, model.score_texts(["a a"]).log_probabilities.tolist())
"""


@pytest.fixture(autouse=True)
def always_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As for large files that have not changed for a while."""
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    monkeypatch.setattr(file_digest, "_SMALL", 0)
    monkeypatch.setattr(file_digest, "_TICK", 0)


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Two folders with a model of the same name, size and time in each."""
    for name, numbers in MODELS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.arpa").write_text(ARPA.format(*numbers))
        os.utime(tmp_path / name / "m.arpa", (1e9, 1e9))
    return [tmp_path / name for name in MODELS]


def end_of(model: ArpaModel) -> float:
    """What tells the two models apart."""
    return round(float(model.score_texts(["a"]).log_probabilities[-1]), 6)


def test_one_relative_name_in_two_folders(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    models = []
    for folder in folders:
        monkeypatch.chdir(folder)
        models.append(ArpaModel("m.arpa"))
        models.append(models[-1].without_boundaries())
    assert [end_of(model) for model in (models[0], models[2])] == [-0.5, -0.9]
    assert models[0].name != models[2].name
    assert models[1].name == f"{models[0].name}-nobos-noeos"  # from the folder of its own file


def test_one_relative_name_in_two_processes(folders: list[Path]) -> None:
    command = [sys.executable, "-c", SCORED]
    outputs = [subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True) for folder in folders]
    assert outputs[0].stdout.split()[0] != outputs[1].stdout.split()[0]
    assert outputs[0].stdout.split()[1:] != outputs[1].stdout.split()[1:]


def replaced(path: Path, content: bytes) -> None:
    """Another file in its place, of equal size and time."""
    beside = path.with_name("beside")
    beside.write_bytes(content)
    os.utime(beside, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    os.replace(beside, path)


def rewritten(path: Path, content: bytes) -> None:
    """The same file with another content, of equal size and time."""
    before = path.stat().st_mtime_ns
    while True:  # until the clock of the file system goes on
        changed = path.stat().st_ctime_ns
        path.write_bytes(content)
        os.utime(path, ns=(before, before))
        if path.stat().st_ctime_ns != changed:
            return


CHANGES: list[Callable[[Path, bytes], None]] = [replaced, rewritten]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_in_its_place(change: Callable[[Path, bytes], None], folders: list[Path]) -> None:
    path, other = (folder / "m.arpa" for folder in folders)
    first, ends = ArpaModel(path).name, end_of(ArpaModel(path))
    change(path, other.read_bytes())
    assert (ends, end_of(ArpaModel(path))) == (-0.5, -0.9)
    assert ArpaModel(path).name == ArpaModel(other).name != first


def test_a_link_that_leads_elsewhere(folders: list[Path], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folders[0])
    ends = [end_of(ArpaModel(tmp_path / "link" / "m.arpa"))]
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(folders[1])
    assert [*ends, end_of(ArpaModel(tmp_path / "link" / "m.arpa"))] == [-0.5, -0.9]


@pytest.mark.parametrize("change", CHANGES)
def test_a_folder_whose_file_changes(change: Callable[[Path, bytes], None], tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    weights = tmp_path / "model" / "model.safetensors"
    weights.write_bytes(b"one")
    before = folder_digest(str(tmp_path / "model"))
    change(weights, b"two")
    assert folder_digest(str(tmp_path / "model")) != before


def test_a_digest_is_computed_once(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    path = folders[0] / "m.arpa"
    first = digest([path])
    monkeypatch.setattr(file_digest, "_streamed", lambda file: pytest.fail("the file is read again"))
    assert digest([path]) == first


@pytest.mark.parametrize("limit", ["_SMALL", "_TICK"])
def test_small_and_new_files_are_read_each_time(
    limit: str, folders: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may change twice before the clock of its file system goes on."""
    monkeypatch.setattr(file_digest, limit, 10**12)
    monkeypatch.setattr(file_digest, "state_of", lambda path: (*state_of(folders[0] / "m.arpa"),))
    assert len({digest([folder / "m.arpa"]) for folder in folders}) == 2
    assert not (tmp_path / "cache").exists()


def test_a_file_that_changes_while_it_is_read(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    path, other = (folder / "m.arpa" for folder in folders)
    streamed = file_digest._streamed

    def while_read(file: Path) -> bytes:
        found = streamed(file)
        replaced(path, other.read_bytes())
        return found

    monkeypatch.setattr(file_digest, "_streamed", while_read)
    with pytest.raises(InputError, match="changes while it is read"):
        digest([path])


def test_a_table_that_changes_after_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signature has the digest of the first content, so the second one never stands for it."""
    path = tmp_path / "own"
    path.write_text("0.5\nx\ny\n" * 2)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(names, "_registered", dict(names._registered))
    name = register_paraphrases("own", "own")
    monkeypatch.chdir("/")
    assert phrase_words(["x", "y", "z"], name).tolist() == [0, 1, -1]
    path.write_text("0.5\nx\nz\n" * 2)
    later = register_paraphrases("own", path)
    path.write_text("0.5\ny\nz\n" * 2)
    with pytest.raises(InputError, match="has changed since"):
        phrase_words(["x"], later)


def test_options_of_an_ngram_model(folders: list[Path]) -> None:
    path = folders[0] / "m.arpa"
    bare = open_model(path, bos=False, eos=False)
    assert bare.name == ArpaModel(path, bos=False, eos=False).name
    with pytest.raises(InputError, match=r"m\.arpa is an ARPA file, which has no `stride`, but bos, eos\."):
        open_model(path, stride=4)
