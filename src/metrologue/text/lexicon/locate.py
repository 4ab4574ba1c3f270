"""The locations of lexical data: the METEOR 1.5 jar, and WordNet."""

from __future__ import annotations

import io
import os
import shutil
import sys
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from metrologue.cache import temporary_folder
from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.text.lexicon.file_digest import File, State, state_of

__all__ = [
    "LANGUAGES",
    "File",
    "jar_file",
    "long_name",
    "meteor_jar",
    "nltk_folders",
    "paraphrase_file",
    "search_places",
    "wordnet_files",
    "wordnet_reader",
]

# The languages of METEOR 1.5: their short names, and their names in its files.
LANGUAGES = {
    "en": "english", "cz": "czech", "fr": "french", "es": "spanish", "de": "german",
    "ar-bw-red": "arabic-buckwalter-reduced", "pt": "portuguese", "ru": "russian", "da": "danish", "ro": "romanian",
    "hu": "hungarian", "tr": "turkish", "fi": "finnish", "nl": "dutch", "it": "italian", "no": "norwegian",
    "se": "swedish", "other": "other",
}  # fmt: skip


def search_places() -> tuple[Any, ...]:
    """What decides where lexical data is looked for."""
    folders = tuple(sys.modules["nltk.data"].path) if "nltk.data" in sys.modules else None
    return *map(os.environ.get, ("METEOR_JAR", "NLTK_DATA", "HOME")), folders


def long_name(language: str) -> str:
    """The name of a language in METEOR's files.

    Raises an InputError if METEOR 1.5 does not know it.
    """
    if language not in LANGUAGES:
        raise InputError(f"METEOR 1.5 has no language {language!r}; there are {', '.join(LANGUAGES)}.")
    return LANGUAGES[language]


def meteor_jar(path: str | Path | None = None) -> Path:
    """The path of the METEOR 1.5 jar: the given one, otherwise ``$METEOR_JAR``, otherwise the one in pycocoevalcap.

    Raises an InputError if the jar is not there. The message says what to install.
    """
    place = path or os.environ.get("METEOR_JAR")
    if not place and (package := find_spec("pycocoevalcap")) and package.submodule_search_locations:
        place = Path(package.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar"
    if not place or not zipfile.is_zipfile(place):
        raise InputError(
            f"METEOR 1.5's data is not in {place or 'pycocoevalcap, which is not installed'}: "
            "pip install pycocoevalcap, or set METEOR_JAR to the path of meteor-1.5.jar, next to its folder `data`. "
            f"{pip_install('meteor')} installs all that METEOR needs."
        )
    return Path(place).absolute()


@cache
def _opened(jar: Path, state: State, process: int) -> zipfile.Path:
    """The open jar of this state. It is kept, because its index takes a millisecond to read.

    A forked process opens the jar again: it would share the position in an open file with its parent.
    """
    return zipfile.Path(jar)


def jar_file(name: str) -> File:
    """A file inside the jar. Raises an InputError if it is not there."""
    jar = meteor_jar()
    file = _opened(jar, state_of(jar), os.getpid()) / name
    if not file.exists():
        raise InputError(f"{jar} has no {name}; give the jar of METEOR 1.5.")
    return file


def paraphrase_file(language: str) -> File:
    """The paraphrase table next to the jar. Raises an InputError if it is not there."""
    long_name(language)
    path = meteor_jar().parent / "data" / f"paraphrase-{language}.gz"
    if not path.is_file():
        raise InputError(
            f"METEOR 1.5's paraphrases for {language!r} are not at {path} (pycocoevalcap has English only): get "
            "that file from METEOR's own release, or give the path of a table of your own."
        )
    return path


_WORDNET = [f"{kind}.{part}" for kind in ("index", "data") for part in ("noun", "verb", "adj", "adv")] + [
    f"{part}.exc" for part in ("noun", "verb", "adj", "adv")
]
_DEBIAN = Path("/usr/share/wordnet")
_OURS = "metrologue-wordnet-"  # the prefix that ``temporary_folder`` gives to the folder of a copy for nltk
# lexnames(5WN): the part of speech, its number, and its files in the order of their own numbers.
_LEXICOGRAPHERS = (
    ("adj", 3, "all pert"),
    ("adv", 4, "all"),
    (
        "noun",
        1,
        "Tops act animal artifact attribute body cognition communication event feeling food group location motive "
        "object person phenomenon plant possession process quantity relation shape state substance time",
    ),
    (
        "verb",
        2,
        "body change cognition communication competition consumption contact creation emotion motion perception "
        "possession social stative weather",
    ),
    ("adj", 3, "ppl"),
)


def nltk_folders() -> list[Path]:
    """The folders where nltk looks for its data. nltk is not imported for this, because that takes a second."""
    if "nltk.data" in sys.modules:
        folders = [Path(folder).absolute() for folder in sys.modules["nltk.data"].path if folder]
        return [folder for folder in folders if not folder.name.startswith(_OURS)]
    prefixes = [Path(sys.prefix), Path(sys.prefix, "share"), Path(sys.prefix, "lib")]
    usual = [*prefixes, Path("/usr/share"), Path("/usr/local/share"), Path("/usr/lib"), Path("/usr/local/lib")]
    chosen = [Path(folder).absolute() for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder]
    return [*chosen, Path(os.path.expanduser("~/nltk_data")), *(prefix / "nltk_data" for prefix in usual)]


def _wordnet_folder() -> File | None:
    for folder in nltk_folders():
        corpora = folder / "corpora"
        if (corpora / "wordnet" / "index.noun").is_file():
            return corpora / "wordnet"
        if zipfile.is_zipfile(corpora / "wordnet.zip"):
            return zipfile.Path(corpora / "wordnet.zip", "wordnet/")
    return _DEBIAN if (_DEBIAN / "index.noun").is_file() else None


def _found_wordnet(download: bool) -> File:
    if folder := _wordnet_folder():
        return folder
    cause = "nltk is not installed"
    if download and find_spec("nltk"):
        import nltk

        cause = "nltk.download found none"
        nltk.download("wordnet", quiet=True, print_error_to=io.StringIO())
        if folder := _wordnet_folder():
            return folder
    raise InputError(
        f"WordNet is neither in nltk's data nor in {_DEBIAN}, and {cause}: python -m nltk.downloader wordnet, or "
        "apt install wordnet-base wordnet-sense-index, or set NLTK_DATA to a folder with corpora/wordnet."
    )


def wordnet_files(download: bool = True) -> list[File]:
    """The files of WordNet's database: nltk's, otherwise Debian's, otherwise those that nltk downloads.

    Raises an InputError if the database is not there. The message says what to install.
    """
    folder = _found_wordnet(download)
    return [folder / name for name in _WORDNET]


def wordnet_reader() -> Any:
    """A reader like ``nltk.corpus.wordnet``, for the WordNet that is installed.

    Debian's folder lacks the file `lexnames`, with the names of the 45 files from which WordNet was compiled. nltk
    needs it, and reads nothing outside its own folders. The reader therefore gets a copy in a temporary folder, which
    is added to ``nltk.data.path``. Raises an InputError if WordNet or nltk is not there.
    """
    if not find_spec("nltk"):
        raise InputError("WordNet is read with nltk, which is not installed: pip install nltk.")
    import nltk
    from nltk.corpus.reader import WordNetCorpusReader

    folder = _found_wordnet(download=True)
    if folder == _DEBIAN:
        folder = _completed(_DEBIAN, tuple(map(state_of, sorted(_DEBIAN.iterdir()))))
        if (root := str(folder.parents[1])) not in nltk.data.path:
            nltk.data.path.append(root)
    place = str(folder)
    if isinstance(folder, zipfile.Path):
        place = nltk.data.ZipFilePathPointer(str(folder.root.filename), folder.at)
    # We ask for English only. None would be warned of, and a filter of warnings would act on all threads.
    return WordNetCorpusReader(place, False)


@cache
def _completed(folder: Path, states: tuple[State, ...]) -> Path:
    """A copy of the database, of files in these states, with `lexnames`, in the folder structure of nltk."""
    copy = temporary_folder("wordnet") / "corpora" / "wordnet"
    copy.mkdir(parents=True)
    for file in folder.iterdir():
        if file.is_file():
            shutil.copyfile(file, copy / file.name)
    names = [(f"{part}.{name}", number) for part, number, names in _LEXICOGRAPHERS for name in names.split()]
    lines = [f"{index:02}\t{name}\t{number}\n" for index, (name, number) in enumerate(names)]
    (copy / "lexnames").write_text("".join(lines), "utf-8")
    return copy
