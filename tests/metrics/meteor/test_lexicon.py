"""Lexical data against nltk and METEOR 1.5 themselves; tables of a user's; and the cache."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
import warnings
from itertools import chain, combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amounts import nth
from hypothesis import given
from hypothesis import strategies as st
from strategies import pieces

from metrologue.errors import InputError
from metrologue.text import lexicon
from metrologue.text.lexicon import (
    LANGUAGES,
    Keys,
    canonical_source,
    function_words,
    java_hashes,
    locate,
    names,
    phrase_words,
    phrases,
    register_function_words,
    register_paraphrases,
    register_stems,
    register_synonyms,
    sources,
    synonym_keys,
    wordnet_reader,
)
from metrologue.text.lexicon.file_digest import digest
from metrologue.text.stemmers import STEMMERS, snowball, stem_spellings

ENDINGS = " |s|es|ies|ses|xes|zes|ches|shes|ves|men|ed|ing|er|est|ful|fuls|ss|'s|ly|able".replace(" ", "").split("|")


def rows(keys: Keys) -> list[list[int]]:
    return [keys.keys[start:stop].tolist() for start, stop in pairwise(keys.offsets)]


def quietly_opened() -> Any:
    """nltk's reader, opened without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return wordnet_reader()


@pytest.fixture(scope="module")
def reader() -> Any:
    """nltk's reader on the WordNet that is here."""
    pytest.importorskip("nltk", reason="nltk is not installed")
    try:
        locate.wordnet_files(download=False)
    except InputError as error:
        pytest.skip(str(error))
    return quietly_opened()


@pytest.fixture(scope="module")
def english(reader: Any) -> list[str]:
    """Words of WordNet, their irregular forms, and both with endings right and wrong."""
    lemmas = sorted(set(reader.all_lemma_names()))
    irregular = sorted(set(chain.from_iterable(reader._exception_map[part] for part in "nvar")))
    bases = lemmas[::40] + irregular[::3]
    return [*dict.fromkeys([*irregular, *lemmas[::3], *(word + ending for word in bases for ending in ENDINGS)])]


def nltks_synonyms(reader: Any, word: str) -> set[str]:
    """What nltk's meteor_score looks for in the reference."""
    return {name for synset in reader.synsets(word) for name in synset.lemma_names() if "_" not in name} | {word}


def check_wordnet(reader: Any, words: list[str]) -> None:
    hypothesis, reference = synonym_keys(words, "wordnet")
    place = {word: index for index, word in enumerate(words)}
    expected = [sorted(place[name] for name in nltks_synonyms(reader, word) if name in place) for word in words]
    where = {key: index for index, (key,) in enumerate(rows(reference)) if key >= 0}
    found = [
        sorted(index if key < 0 else where[key] for key in keys if key < 0 or key in where)
        for index, keys in enumerate(rows(hypothesis))
    ]
    assert found == expected


def test_other_warnings_of_the_reader_are_heard(reader: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nltk's one on other languages does not come
        wordnet_reader()

    def opened(*arguments: Any) -> None:
        warnings.warn("This Wordnet is broken", stacklevel=1)

    monkeypatch.setattr(nltk.corpus.reader, "WordNetCorpusReader", opened)
    with pytest.warns(UserWarning, match="broken") as heard:
        wordnet_reader()
    assert [str(warning.message) for warning in heard] == ["This Wordnet is broken"]


def test_wordnet_is_nltks(reader: Any, english: list[str]) -> None:
    assert len(english) > 50_000
    check_wordnet(reader, english[:: nth(8)])


@given(words=st.lists(st.one_of(pieces, st.sampled_from(["geese", "better", "CATS", "Paris", "was"])), unique=True))
def test_wordnet_on_any_words(reader: Any, words: list[str]) -> None:
    check_wordnet(reader, [*dict.fromkeys([*words, "goose", "good", "well", "be", "cat", "guy"])] if words else words)


def test_meteor_s_synsets(meteor: Any, english: list[str]) -> None:
    words = [*english[:: 2 * nth(4)], "İ", "", "as", "ss", "boxesful", "猫s", "🙂s"]
    hypothesis, reference = synonym_keys(words, "meteor-1.5")
    assert rows(hypothesis) == [[int(number) for number in row] for row in meteor.ask("synsets", words)]
    assert reference is hypothesis


@given(words=st.lists(pieces))
def test_hash_codes_are_java_s(meteor: Any, words: list[str]) -> None:
    assert java_hashes(words).tolist() == [int(code) for (code,) in meteor.ask("hash", words)]


# Words on which PyStemmer 2, or PyStemmer 3, has another stem than METEOR: why there are corrections, and a bound.
DIFFER = {
    "en": "added ebbing dying", "fr": "aiguë ambiguë exiguës naïf maïs haïr Noël ïambe HENRI", "ro": "abaţia aberația",
    "fi": "aarteiden aarteeseen aarteisiin maittenkin huoneeseenko hyvään coruñassa elysée garcía åland 1990 HEN",
    "ru": "актёр берёзовый её ёлка", "pt": "evolução execuções ação relações", "tr": "aa'nın ab'de", "es": "educacion",
    "de": "kenntnisse hindernissen ereignisses wissen müssen", "hu": "fiúkról erdőből tűzről nőknek õrült fûben",
    "nl": "ète øde açe èèn één lopen katten", "se": "altaret aftonbladet", "no": "binders blótar", "da": "bundfald",
    "it": "divano",
}  # fmt: skip
LETTERS = {
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "fr": "aàâeéèêëiïîoôuùûüycçbdfglmnrstvqH",
    "de": "aäeioöuübcdghklmnrstßi",
    "hu": "aáeéiíoóöőõuúüűûbcdgklmnrstvz",
    "fi": "aeiouyäödhjklmnprstvå",
    "pt": "aãáâeéêiíoõóuúcçdlmnrsvz",
    "nl": "aeiouèëïyjdfgklnrstvz",
    "ro": "aăâeiîoubcdlmnrsşţtv",
    "tr": "aeıioöuüyçcğklmnrsştz'",
}


def made_words(language: str, count: int) -> list[str]:
    """Words of any shape, and endings of the language's own behind them."""
    chance = random.Random(language)
    letters = LETTERS.get(language, "aeiouyæøåäáéíóúñbcdfghjklmnprstvwxz'")
    known = DIFFER[language].split()
    words = []
    for _ in range(count):
        word = "".join(chance.choices(letters, k=chance.randint(1, 9)))
        words.append(word + chance.choice(known)[-chance.randint(0, 6) :] if chance.random() < 0.5 else word)
    return [*known, *words]


@pytest.mark.parametrize("language", DIFFER)
def test_stems_are_meteor_s(language: str, meteor: Any) -> None:
    pytest.importorskip("Stemmer", reason="PyStemmer is not installed")
    words = made_words(language, 3000)
    expected = [stem for (stem,) in meteor.words("stem", words, language)]
    triples = zip(words, stem_spellings(words, "meteor-1.5", language), expected, strict=True)
    assert [triple for triple in triples if triple[1] != triple[2]] == []


def test_stems_of_real_german(meteor: Any, newstest: tuple[dict[str, list[str]], list[str]]) -> None:
    pytest.importorskip("Stemmer", reason="PyStemmer is not installed")
    words = sorted({word for line in newstest[1] for word in line.lower().split()})
    assert len(words) > 10_000
    assert stem_spellings(words, "meteor-1.5", "de") == [stem for (stem,) in meteor.words("stem", words, "de")]


def test_corrections_are_needed() -> None:
    stemmer = pytest.importorskip("Stemmer", reason="PyStemmer is not installed")
    for language in ("fr", "ru", "fi", "pt", "de", "hu", "nl"):
        words = DIFFER[language].split()
        plain = stemmer.Stemmer(LANGUAGES[language], 0).stemWords(words)
        assert plain != stem_spellings(words, "meteor-1.5", language)


def test_arabic_is_looked_up(meteor: Any) -> None:
    words = ["$$mp", '"', "Almdynp", "wktAb", "unknown"]
    expected = [stem for (stem,) in meteor.words("stem", words, "ar-bw-red")]
    assert stem_spellings(words, "meteor-1.5", "ar-bw-red") == expected


def test_no_stemmer() -> None:
    for language in ("cz", "other"):
        with pytest.raises(InputError, match=f"no stemmer for '{language}'"):
            stem_spellings(["a"], "meteor-1.5", language)
    with pytest.raises(InputError, match="no language 'pl'"):
        stem_spellings(["a"], "meteor-1.5", "pl")
    with pytest.raises(InputError, match=r"stemmer.*'lovins'.*register_stems"):
        stem_spellings(["a"], "lovins")


def test_newer_pystemmer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snowball, "version", lambda name: "3.1.0")
    monkeypatch.setattr(snowball, "_stemmers", snowball._stemmers.__wrapped__)  # without its memory
    with pytest.raises(InputError, match=r"PyStemmer 2.*3\.1\.0.*pip install 'PyStemmer>=2\.0\.1,<3'"):
        stem_spellings(["cats"], "meteor-1.5", "en")


def test_function_words() -> None:
    try:
        words = locate.jar_file("function/english.words").read_text("utf-8").split()
    except InputError as error:
        pytest.skip(str(error))
    assert function_words([*words, "THE", "cat"], "meteor-1.5").tolist() == [True] * len(words) + [True, False]
    assert not function_words(["the", "a"], "meteor-1.5", "other").any()


# Phrases: the definition, slowly.

table_words = st.sampled_from("abcd")
phrase = st.lists(table_words, min_size=1, max_size=3).map(" ".join)


@given(
    groups=st.lists(st.lists(phrase, min_size=2, max_size=3), min_size=1, max_size=6),
    batch=st.lists(st.lists(st.sampled_from("abcdx"), max_size=7), max_size=4),
)
def test_phrases_stand_where_they_stand(groups: list[list[str]], batch: list[list[str]]) -> None:
    name = register_paraphrases("generated", groups)
    # Two phrases are one pair, however often and whichever way round they stand there.
    pairs = list({frozenset(pair): pair for group in groups for pair in combinations(group, 2)}.values())
    words = list("xdcba")
    ids = np.array([words.index(word) for text in batch for word in text], np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in batch])]).astype(np.int64)
    found = phrases(ids, offsets, phrase_words(words, name), name)

    everywhere = [
        (t, start, " ".join(text[start:stop]))
        for t, text in enumerate(batch)
        for start in range(len(text))
        for stop in range(start + 1, len(text) + 1)
    ]
    standing = {phrase for *_, phrase in everywhere}
    useful = {phrase for pair in pairs if set(pair) <= standing for phrase in pair}
    expected = [place for place in everywhere if place[2] in useful]
    texts = np.repeat(np.arange(len(batch)), np.diff(found.offsets))
    got = [
        (text, start, " ".join(batch[text][start : start + found.lengths[number]]))
        for text, start, number in zip(texts.tolist(), found.starts.tolist(), found.numbers.tolist(), strict=True)
    ]
    assert got == expected
    spelled = {number: place[2] for number, place in zip(found.numbers.tolist(), got, strict=True)}
    for number, source in spelled.items():
        targets = found.targets[found.target_offsets[number] : found.target_offsets[number + 1]]
        assert [spelled[target] for target in targets.tolist()] == [
            other for one, other in pairs if one == source and other in standing
        ]


def entries(*pairs: tuple[str, str]) -> str:
    return "".join(f"0.5\n{one}\n{other}\n" for one, other in pairs)


@pytest.mark.parametrize("compressed", [True, False])
def test_meteor_s_format(compressed: bool, tmp_path: Path) -> None:
    path = tmp_path / "paraphrase-pl.gz"
    content = entries(("na złość", "na przekór"), ("kot", "kotek"), ("na złość", "wbrew"), ("kot", "kotek")).encode()
    path.write_bytes(gzip.compress(content) if compressed else content)
    name = canonical_source("paraphrases", str(path))
    assert name.startswith("paraphrase-pl@")
    words = ["na", "złość", "przekór", "kot", "kotek", "wbrew"]
    found = phrases(np.arange(6, dtype=np.int32), np.array([0, 6]), phrase_words(words, name), name)
    assert found.lengths.tolist() == [2, 1, 1, 1]  # "na przekór" does not stand in that text
    assert found.targets.tolist() == [3, 2, 2]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("0.5\na\n", "line 2: the table ends within an entry"),
        (entries(("a", "b")) + "a\nb\n0.5\n", "line 4: b'a.*' is not a probability"),
        (entries(("a", "b"), ("a", " ")), "line 6: the phrase is empty"),
        (entries(("a", "b")).encode() + b"0.5\n\xff\nb\n", "line 5: the line is not UTF-8"),
        ("a\tb\nc\n", "line 2: 'c' is not two or more phrases between TABs"),
        ("a\tb\nc\t\t d\n", "line 2: .* is not two or more phrases"),
        ("# a\tb\n", "no two phrases that mean the same"),
    ],
)
def test_malformed_paraphrases(content: str | bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=rf"table.*{complaint}"):
        phrase_words([], register_paraphrases("bad", path))


def test_malformed_tables_of_others(tmp_path: Path) -> None:
    from metrologue.text.lexicon.synonyms import meteor_arrays, wordnet_arrays

    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("cat\n0001 0002\n")
    bad.write_text("cat\n0001 x\n")
    with pytest.raises(InputError, match="bad, line 2"):
        meteor_arrays(bad, good)
    bad.write_text("cat\n0001\ndog\n")
    with pytest.raises(InputError, match="bad, line 3: the last line has no partner"):
        meteor_arrays(bad, good)
    with pytest.raises(InputError, match="bad, line 1"):
        wordnet_arrays([bad] * 12)


def test_tables_of_a_user(tmp_path: Path) -> None:
    path = tmp_path / "polish.txt"
    path.write_text("# sets\nkot kotek\n\nganek taras kot\n", "utf-8")
    name = canonical_source("synonyms", str(path))
    assert name == register_synonyms("polish", [["kot", "kotek"], ["ganek", "taras", "kot"]])
    assert canonical_source("synonyms", "polish") == name
    assert canonical_source("synonyms", name) == name
    keys, _ = synonym_keys(["kotek", "kot", "pies", "taras"], name)
    assert rows(keys) == [[0], [0, 1], [], [1]]
    changed = register_synonyms("polish", [["kot", "pies"]])
    assert changed != name
    assert rows(synonym_keys(["kotek"], name)[0]) == [[0]]  # the old content keeps its name
    path.write_text("na\nZ  i\n", "utf-8")
    assert function_words(["na", "i", "kot"], register_function_words("polish", path)).tolist() == [True, True, False]
    path.write_text("siedzieć siedzi siedział\n", "utf-8")
    stemmer = register_stems("polish", path)
    assert stem_spellings(["siedzi", "siedział", "kot"], stemmer) == ["siedzieć", "siedzieć", "kot"]
    assert canonical_source("stemmer", "polish") == stemmer
    assert canonical_source("stemmer", "porter") == "porter"


def test_wrong_tables() -> None:
    with pytest.raises(InputError, match=r"`table\[1\]` is 'ab'; a list of str"):
        register_synonyms("wrong", [["a", "b"], "ab"])
    with pytest.raises(InputError, match=r"`table\[0\]` is 1; a str"):
        register_function_words("wrong", [1])  # type: ignore[list-item]
    with pytest.raises(InputError, match="'a\\\\nb' is not a phrase"):
        register_paraphrases("wrong", [["a\nb", "c"]])
    for name in ("wordnet", "a b", "a@b", "a=b", ""):
        with pytest.raises(InputError, match="taken, or holds"):
            register_synonyms(name, [["a", "b"]])
    with pytest.raises(InputError, match="taken"):
        register_stems("porter", [["a", "b"]])
    with pytest.raises(InputError, match="cannot be read"):
        register_synonyms("missing", "/no/such/file")


def test_unknown_sources() -> None:
    with pytest.raises(InputError, match=r"'nothing' is neither a file nor a table.*wordnet.*register_synonyms"):
        canonical_source("synonyms", "nothing")
    with pytest.raises(InputError, match=r"'gone@0123' is not registered here.*register_paraphrases"):
        phrase_words([], "gone@0123")
    with pytest.raises(InputError, match=r"'meteor-1.5@0123' is needed, but meteor-1.5@[0-9a-f]+ is installed"):
        function_words(["a"], "meteor-1.5@0123")
    with pytest.raises(InputError, match="synonyms for English only"):
        synonym_keys(["a"], "meteor-1.5", "de")
    with pytest.raises(InputError, match=r"paraphrases for 'ro' are not at .*give the path"):
        phrase_words([], "meteor-1.5", "ro")


@pytest.fixture
def nothing_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nltk = pytest.importorskip("nltk", reason="nltk is not installed")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    monkeypatch.setattr(nltk, "download", lambda *names, **options: False)
    monkeypatch.setattr(locate, "_DEBIAN", tmp_path)
    monkeypatch.setenv("METEOR_JAR", str(tmp_path / "none.jar"))


@pytest.mark.usefixtures("nothing_installed")
def test_without_data_names_stay_and_use_is_an_error() -> None:
    for kind, name in sources.BUILT_IN:
        if kind != "stop_words":  # whose packages are another matter
            assert canonical_source(kind, name) == name
    with pytest.raises(InputError, match=r"WordNet is neither.*apt install wordnet-base"):
        synonym_keys(["a"], "wordnet")
    with pytest.raises(InputError, match=r"none\.jar: pip install pycocoevalcap, or set METEOR_JAR"):
        synonym_keys(["a"], "meteor-1.5")


@pytest.mark.usefixtures("nothing_installed")
def test_wordnet_in_a_zip(tmp_path: Path) -> None:
    """As nltk downloads it."""
    import zipfile

    database = {f"index.{part}": " licence\n" for part in ("noun", "verb", "adj", "adv")}
    database |= {f"data.{part}": " licence\n" for part in ("noun", "verb", "adj", "adv")}
    database |= {f"{part}.exc": "" for part in ("noun", "verb", "adj", "adv")}
    database["index.sense"] = ""
    database["lexnames"] = "".join(f"{number:02}\tnoun.animal\t1\n" for number in range(6))
    database["index.noun"] += "cat n 1 0 1 0 00000009\nkitty n 1 0 1 0 00000009\n"
    database["data.noun"] += "00000009 05 n 03 cat 0 kitty 0 house_cat 0 000 | an animal\n"
    (tmp_path / "corpora").mkdir()
    with zipfile.ZipFile(tmp_path / "corpora" / "wordnet.zip", "w") as archive:
        for name, content in database.items():
            archive.writestr(f"wordnet/{name}", content)
    assert rows(synonym_keys(["cats", "dog", "kitty"], "wordnet")[0]) == [[-1, 0, 1], [-1], [0, 1]]
    assert rows(synonym_keys(["cats", "dog", "kitty"], "wordnet")[1]) == [[-1], [-1], [1]]
    assert quietly_opened().synsets("cats")[0].lemma_names() == ["cat", "kitty", "house_cat"]


PROBE = """
from metrologue.text.lexicon import canonical_source, phrase_words, phrases
import numpy as np
name = canonical_source("paraphrases", {path!r})
numbers = phrase_words(["a", "b"], name)
print(name, phrases(np.arange(2, dtype=np.int32), np.array([0, 2]), numbers, name).lengths.tolist())
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "own.gz"
    path.write_bytes(gzip.compress(entries(("a", "b")).encode()))
    return path


@pytest.mark.parametrize("place", ["a folder", "nowhere"])
def test_the_cache(place: str, table: Path, tmp_path: Path) -> None:
    """Another process finds the table converted; where nothing can be written, it is converted again."""
    (tmp_path / "file").write_text("")
    cache = tmp_path / "cache" if place == "a folder" else tmp_path / "file" / "cache"
    command = [sys.executable, "-c", PROBE.format(path=str(table))]
    environment = {**os.environ, "METROLOGUE_CACHE": str(cache)}
    said, outputs, times = [], set(), []
    for _ in range(2):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        said.append(done.stderr)
        outputs.add(done.stdout)
        times.append([path.stat().st_mtime_ns for path in sorted(cache.glob("tables/*"))] if cache.exists() else [])
    assert outputs == {f"own@{digest([table])} [1, 1]\n"}
    if place == "a folder":
        assert said[1] == ""
    else:
        assert all("tables cannot be written" in lines for lines in said)
    assert times[0] == times[1]
    assert len(times[0]) == (1 if place == "a folder" else 0)


@pytest.mark.parametrize("damage", [b"", b"metrologue", None])
def test_damaged_files_of_the_cache_are_made_anew(damage: bytes | None, table: Path, tmp_path: Path) -> None:
    """A table that is empty, or cut off."""
    cache = tmp_path / "cache"
    command = [sys.executable, "-c", PROBE.format(path=str(table))]
    runs = []
    for _ in range(2):
        runs.append(
            subprocess.run(
                command, env={**os.environ, "METROLOGUE_CACHE": str(cache)}, capture_output=True, text=True, check=True
            )
        )
        for path in cache.glob("tables/*"):
            path.write_bytes(path.read_bytes()[:-1] if damage is None else damage)
    assert runs[1].stdout == runs[0].stdout
    assert runs[1].stderr.count("is damaged or cannot be read, so it is made again") == 1


def test_a_changed_file_is_another_table(table: Path) -> None:
    before = canonical_source("paraphrases", str(table))
    names._full_names.pop(("paraphrases", "own"))
    table.write_bytes(gzip.compress(entries(("a", "c")).encode()))
    os.utime(table, ns=(1, 1))
    assert canonical_source("paraphrases", str(table)) != before


def test_public_names() -> None:
    assert set(lexicon.__all__) <= set(dir(lexicon))


def test_stemmers_that_fields_name_are_those_there_are() -> None:
    assert ("meteor-1.5", *STEMMERS) == names._STEMMERS
