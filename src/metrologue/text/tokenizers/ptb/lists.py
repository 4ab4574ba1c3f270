"""The words that the tokenizer `ptb` knows, as measured with the Java program."""

# ruff: noqa: SIM905
from __future__ import annotations

# Words in two parts.
CONTRACTIONS = (("can", "not"), ("gon", "na"), ("got", "ta"), ("lem", "me"), ("gim", "me"), ("wan", "na"))
# They keep their period before any word.
TITLES = tuple(
    """adj adm adv alex assoc asst atty attys ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec ens ft gen
    gov govs hon insp invt jos lt maj messrs mfg mlle mme mr mrs ms msgr mt mtg natl pfc ph pres prof profs pvt rep
    reps rev sen sens sfc sgt spc st ste supt treas vs wm
    """.split()
)
# They keep their period, and a sentence can end with them.
ENDING = tuple(
    """al ala apr ariz assn aug bancorp bhd bldg blvd bros calif co colo conn corp cos ct dak dec esq est etc ext feb
    fla fri ga inc ind intl jan jr jul jun kan kans ky ltd mar md mich minn mo mon mont neb nev nov oct okla penn
    plc ppte ppty pte ptes pty ptys rd rt sep sept seq sq sr sys tel tenn thu thurs tue tues univ va vt wed wis wisc
    wyo ph.d ed.d
    """.split()
)
# The same, but only with a capital letter.
ENDING_CAPITAL = ("Ark", "Az", "Del", "Ill", "La", "Mass", "Miss", "Ore", "Pa", "Tex", "Wash")
# They keep their period only before a number.
NUMBERED = tuple("art ca fig figs no nos op pp prop".split())
# A word with which a sentence begins.
STARTERS = tuple(
    """A About According Additionally After An As At But Earlier He Her Here However If In It Last Many More Now Once
    One Other Our She Since So Some Such That The Their Then There These They This We What When While Yet You Mr.
    Ms.
    """.split()
)
# How the names of files end.
EXTENSIONS = tuple(
    """bat bmp c cgi class cpp dll doc docx exe gif gz h htm html jar java jpeg jpg mov mp3 pdf php pl png ppt ps py
    sql tar txt wav x xml zip
    """.split()
)
