"""Record what the program does with a text for each rule: python -m ptb.record, in the folder of the tests."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ptb.program import jar, run

__all__ = ["GOLDEN", "TEXTS"]

GOLDEN = Path(__file__).with_name("ptb-3.4.1.json")

TEXTS = """\
A man can't go; he's gonna "run" (fast)... it cost £5, 1/2 of €10.
cannot CANNOT gotta wanna lemme gimme cannots gonna-x dunno
won't shan't n't don’t can‘t ann't xn'ty don&apos;t
I'm you're he'll we've she'd it's dog's dogs' x'll's I’d
'tis 'Twas 'em 'cause 'til 'till 'n 'n' rock'n'roll '90s '90 '12s '905
O'Reilly d'Artagnan l'avion D'Amato hors-d'oeuvre x-O'Neill A'a1 d'a1
ma'am Hallowe'en Hawai'i Ba'ath Qur'an
y'all j'ai c'est c'mon cap'n ol' e'er ne'er ev'ry nat'l int'l li'l
'quoted' 'a' 'a b' `x' ``y'' “a” ‘b’ «c» „d” ”“ ’’
"a" ("a b") "$5" "É" "" say "no", then
<b>bold</b> <br/> <a href="x y"> <!-- c --> </doc > a<b 1 < 2 <_> < a>
&lt;b&gt; R&amp;D &quot;a&quot; &nbsp; &mdash; &#91; &eacute; &euro; &AMP;
http://www.foo.com/bar?x=1&y=2. www.foo.de/x, foo.com/ab foo.com/a foo.de/ab https://t.co/Ab1)
john@foo.com <john@foo.com> a.b@c... a@1 @user @1 #tag #1 #a_b
Mr. Smith, Dr. Jones vs. St. Paul and Messrs. X
the U.S. The end of the U.S. the p.m. He e.g. a U.S. Mr. X
Inc. A Co. a Corp. Jan. 5 Calif. Calif., Ph.D.
Inc.-owned Inc.-1 Inc.a Inc.ab Inc.a's Inc.  x Inc. <b>x
A. The a. b A. B. Smith J.P. Morgan
No. 5 no. x No.5 Fig. 3 art. 4 vol. 5
Jan.
etc.
U.S.
a.b a.bc ab.cd.ef 1.ab 1a.b é.é ab.1 a.1 non-U.S. U.S.-based 12-U.S.-3
12.txt 12.h! 12.hx report.PDF 12.docs
1,000.50 3.14 .5 5. -5 +44 1:2 10:30 1,2,3 1.5m 1.5-km 4:9-a 5th
1/2 3-1/2 3 1/2 10/12/2010 1-2-2003 1/2/3 1⁄2 1½ ⅔ 1\\/2
(555) 123-4567 (555)123-4567 555-1234 555 123 4567 +44 20 7946 0958 60 000-100 000 12 34 56
$5 US$5 A$ abc$ €5 5€ 5¢ ¥5 5%
AT&T R&D A&B&C a&b A+B C++ C# F# x&y
mother-in-law up_to 21-year-old a-b-c- anti- pro-x a,-b a.-b é-a a‐b
and/or a/b/c/d a-b/c á/é a\\/b
a?b a!b now?Yes a.b?c 1?2
ab., a-b.; 1.: (x).,
:) :-( ;-D :P :( x :3 =) ^_^ (-_-) (--) :)a
a.. a... a.... .... ..... . . . … . . . . . . .
?? ?! !!! ?!. -- --- ---- ----- — – a--b
* ** *** \\* __ ## @@ << >> ~ ^ | = \\
[x] {y} (z)
co­operate ­ 5­6 #a­b
a­b.c. a­b.c a­b.c) ­x.txt, +­.com ­a@b.c http://­a.com www.a­b.de don­'t can­not a­'s a?­b. ­-a
a&ndash;b &MD; &md; &NDASH; &mdash; &ldash; &horbar;
&QUOT;a &Quot; &qUOT;5 &quot;5 &quot;a&quot;
&APOS; don&APOS;t it&Apos;s O&apos;Reilly &aPOS;em &apos;90s
&eacute; caf&EACUTE; &Ouml;l.b a&agrave;-b &acirc; &ntilde; &eacute &aacute;'s b&uuml;n't #&euml;
&ht; &TL; &ur; &lr; &QC; &ql; &qr; &odq; &Cdq; &hellip; &copy; &lsquo; &AMP &shy;
R&AMP;D S&Ls s&amp;ls s&lsquo; A&Amp;B&C &amp;amp; &LT;a@b.c&GT; &#39; &#٣; &#x27; &&#3;;
d&x.Net &foo.COM/ab WWW.a-b.COM wWw.a+b.De
1/2-3 1/2-03 12/31-003 1/12-2003 1/2-20035 1-2/3 1-2/20035 ٣/٣-٣ ٣/٣-٠٣ ٣-١٢/٢٠٠٣
x² H₂O ²³
naïve Ünïcödé Привет 日本語 عربي हिन्दी ½a 🙂 👩‍👩‍👧 a\u200bb
tab\there nbsp\u00a0here wide\u3000here thin\u2009here next\x85line"""


def main() -> None:
    """Run the program and write the file."""
    file = jar()
    if file is None:
        sys.exit("pycocoevalcap with its jar is not installed")
    texts = TEXTS.split("\n")
    record = {
        "tool": "Stanford PTBTokenizer, from stanford-corenlp-3.4.1.jar of pycocoevalcap 1.2",
        "version": "3.4.1",
        "command": "java -cp stanford-corenlp-3.4.1.jar edu.stanford.nlp.process.PTBTokenizer -preserveLines FILE, "
        "also with -lowerCase; between two texts, FILE has an empty line, a line with ':', and an empty line",
        "texts": [
            {"text": text, "tokens": tokens, "lowercase": lower}
            for text, tokens, lower in zip(texts, run(file, texts), run(file, texts, "-lowerCase"), strict=True)
        ],
    }
    GOLDEN.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
