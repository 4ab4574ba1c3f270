"""WMT's files: the SGM of mteval, which is no XML, and the XML since 2021."""

from __future__ import annotations

import re
from xml.parsers import expat

from metrologue.errors import InputError, shown
from metrologue.files.packed import Path
from metrologue.files.rows import Format, Rows, chosen, single, whole

_TAG = re.compile(r"<(/?)(refset|tstset|srcset|doc|seg)\b([^<>]{0,2000})>", re.IGNORECASE)
_SGM = re.compile(r"\s*(<(!DOCTYPE|mteval|\?xml)[^<>]*>\s*)*<(refset|tstset|srcset)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITY = re.compile(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_DEEPEST = 64

# The texts of each system or translator by their ids.
Named = dict[str, dict[str, str]]


def _looks_like_sgm(head: str) -> bool:
    return bool(_SGM.match(head))


def _looks_like_xml(head: str) -> bool:
    return bool(re.match(r"\s*(<\?xml[^>]*\?>)?\s*<dataset\b", head))


def _unescaped(text: str) -> str:
    """A text of SGML, with its entities as characters and one space for all whitespace between words."""

    def character(found: re.Match[str]) -> str:
        if found[1]:
            return _NAMED[found[1]]
        code = int(found[2]) if found[2] else int(found[3], 16)
        return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else found[0]

    return " ".join(_ENTITY.sub(character, text).split())


def _decoded(path: Path) -> str:
    try:
        return whole(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8; convert the file.") from None


def _sgm(path: Path, key: str | None, name: str) -> Rows:
    text = _decoded(path)
    named: Named = {}
    is_source, system, document, segment, begin, line, at = False, "", "", "", -1, 1, 0
    for tag in _TAG.finditer(text):
        line, at = line + text.count("\n", at, tag.start()), tag.start()
        kind, closes = tag[2].lower(), bool(tag[1])
        attributes = {
            each[1].lower(): next(filter(None, each.groups()[1:]), "") for each in _ATTRIBUTE.finditer(tag[3])
        }
        if begin >= 0 and not (kind == "seg" and closes):
            raise InputError(f"{path}:{line}: the segment {shown(segment)} of {shown(document)} has no end.")
        if kind in ("refset", "tstset", "srcset") and not closes:
            is_source, system = kind == "srcset", attributes.get("sysid") or attributes.get("refid", "")
        elif kind == "doc" and not closes:
            document = attributes.get("docid", "")
            system = attributes.get("sysid", system)
        elif kind == "seg" and not closes:
            segment, begin = attributes.get("id", ""), tag.end()
        elif kind == "seg":
            place = f"{document}:{segment}"
            texts = named.setdefault(system, {})
            if begin < 0 or place in texts:
                what = "an end without a beginning" if begin < 0 else f"the segment {shown(place)} stands twice"
                raise InputError(f"{path}:{line}: {what}.")
            texts[place] = _unescaped(text[begin : tag.start()])
            begin = -1
    if begin >= 0 or not named:
        raise InputError(f"{path}: {'the last segment has no end' if begin >= 0 else 'there are no segments'}.")
    if is_source:
        texts = next(iter(named.values()))
        return Rows("SGM", sources=[*texts.values()], ids=[*texts])
    return _of_named("SGM", named, key, name, path)


def _of_named(kind: str, named: Named, key: str | None, name: str, path: Path) -> Rows:
    """The rows of one system; or all references of each segment, of one translator if a key names one."""
    if name == "references":
        names = chosen(named, key, path, "translator")
        ids = [each for each in named[names[0]] if all(each in named[one] for one in names)]
        return Rows(kind, references=[[named[one][each] for one in names] for each in ids], ids=ids)
    system = single(chosen(named, key, path, "system"), path, "system")
    told = f"{kind}, {system}" if system else kind
    return Rows(told, predictions=[*named[system].values()], ids=[*named[system]])


class _Xml:
    """What the parser has seen of WMT's XML: the texts of sources, of translators and of systems."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.sources: dict[str, str] = {}
        self.references: Named = {}
        self.systems: Named = {}
        self.document = self.segment = ""
        self.texts: dict[str, str] | None = None
        self.characters: list[str] | None = None
        self.depth = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.add
        self.parser.EntityDeclHandler = self.refuse

    def refuse(self, *declared: object) -> None:
        raise InputError(f"{self.path}:{self.parser.CurrentLineNumber}: entities are not read.")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise InputError(f"{self.path}:{self.parser.CurrentLineNumber}: elements are more than {_DEEPEST} deep.")
        match name:
            case "doc":
                self.document = attributes.get("id", "")
            case "src":
                self.texts = self.sources
            case "ref":
                self.texts = self.references.setdefault(attributes.get("translator", ""), {})
            case "hyp":
                self.texts = self.systems.setdefault(attributes.get("system", ""), {})
            case "seg":
                self.segment, self.characters = attributes.get("id", ""), []

    def end(self, name: str) -> None:
        self.depth -= 1
        if name in ("src", "ref", "hyp"):
            self.texts = None
        elif name == "seg" and self.characters is not None:
            place = f"{self.document}:{self.segment}"
            if self.texts is not None and place in self.texts:
                raise InputError(f"{self.path}:{self.parser.CurrentLineNumber}: the segment {place} stands twice.")
            if self.texts is not None:
                self.texts[place] = " ".join("".join(self.characters).split())
            self.characters = None

    def add(self, text: str) -> None:
        if self.characters is not None:
            self.characters.append(text)


def _xml(path: Path, key: str | None, name: str) -> Rows:
    seen = _Xml(path)
    try:
        seen.parser.Parse(whole(path), True)
    except expat.ExpatError as error:
        raise InputError(f"{path}:{error.lineno}: not XML ({expat.ErrorString(error.code)}).") from None
    what, held = {"sources": ("sources", seen.sources), "references": ("references", seen.references)}.get(
        name, ("outputs of systems", seen.systems)
    )
    if not held:
        raise InputError(f"{path}: WMT's XML without {what}.")
    if name == "sources":
        return Rows("WMT's XML", sources=[*seen.sources.values()], ids=[*seen.sources])
    return _of_named("WMT's XML", seen.references if name == "references" else seen.systems, key, name, path)


FORMATS = (
    Format("sgm", (".sgm", ".sgml"), _looks_like_sgm, _sgm),
    Format("wmt-xml", (), _looks_like_xml, _xml),
)
