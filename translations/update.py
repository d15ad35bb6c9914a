#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""usage: update.py [--check]    Brings the list of texts (fleetwright_de.ts) up to what the sources say.

Texts of the layers with Qt are found by lupdate (Debian and Ubuntu: qt6-l10n-tools), those of the layers without it,
of the guided studies, of the catalogs and of the samples by plaintexts.py. A text stands once, whatever classes use it: translations are looked up by
the text alone (and by its comment, where one English word means two things). New texts come in as unfinished; texts
that are no longer used go.
With --check nothing is written: differences are named, and the exit status is 1 where there are any.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from xml.sax.saxutils import escape

import plaintexts

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LIST = HERE / "fleetwright_de.ts"
SAMPLE = "sample"  # as src/storage/samplelanguage.cpp asks for it


def lupdate():
    for folder in ("/usr/lib/qt6/bin", "/usr/lib64/qt6/bin", *os.environ.get("PATH", "").split(":")):
        for name in ("lupdate", "lupdate6", "lupdate-qt6"):
            program = pathlib.Path(folder) / name
            if program.is_file() and (folder.startswith("/usr/lib") or name != "lupdate"):
                return program
    sys.exit("lupdate of Qt 6 is missing; install it (Debian and Ubuntu: qt6-l10n-tools).")


class Text:
    """A text that a person reads: what it is called where, and what it is in the other language."""

    def __init__(self, source, comment="", numerus=False, file="", hint=""):
        self.source, self.comment, self.numerus, self.file, self.hint = source, comment, numerus, file, hint
        self.forms, self.finished = [""] * (2 if numerus else 1), False
        if not re.search(r"[^\W\d_]", re.sub(r"%\w\d?|<[^>]*>", "", source)):
            self.forms, self.finished = [source] * len(self.forms), True  # nothing but places and marks

    @property
    def key(self):
        return self.source, self.comment, self.numerus


def with_marks(source):
    """lupdate takes more than four digits for \\u201c where one follows: it gets the characters themselves. A text that is
    marked within tr() it leaves out."""
    source = source.replace("tr(QT_TRANSLATE_NOOP(", "of(QT_TRANSLATE_NOOP(")
    return re.sub(r"\\u(?!00[0-9])([0-9A-Fa-f]{4})", lambda code: chr(int(code.group(1), 16)), source)


def read(path, base, root=ROOT):
    texts = {}
    for message in ET.parse(path).getroot().iter("message"):
        location = message.find("location")
        file = ""
        if location is not None:
            place = (base / location.get("filename")).resolve().relative_to(root.resolve())
            file = os.path.relpath(ROOT / place, HERE)
        text = Text(message.findtext("source"), message.findtext("comment") or "", message.get("numerus") == "yes", file,
                    message.findtext("extracomment") or "")
        translation = message.find("translation")
        if translation is not None and text.source:
            forms = [form.text or "" for form in translation.iter("numerusform")]
            forms = forms if text.numerus else [translation.text or ""]
            if any(forms):
                text.forms, text.finished = forms, translation.get("type") is None
        if text.source:
            texts.setdefault(text.key, text)
    return texts


def found():
    with tempfile.TemporaryDirectory() as folder:
        copies = pathlib.Path(folder)
        for source in sorted([*(ROOT / "src").rglob("*"), *(ROOT / "ui").glob("*.ui")]):
            if source.suffix in (".cpp", ".h", ".ui"):
                copy = copies / source.relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(with_marks(source.read_text(encoding="utf-8")), encoding="utf-8")
        fresh = copies / "fresh.ts"
        run = subprocess.run([lupdate(), "-silent", "-locations", "absolute", "-source-language", "en", "-target-language",
                              "de_DE", "-extensions", "cpp,h,ui", copies / "src", copies / "ui", "-ts", fresh],
                             capture_output=True, text=True, check=False)
        if run.returncode != 0 or not fresh.exists():
            sys.exit(f"lupdate failed: {run.stderr}")
        texts = read(fresh, copies, copies)
    known = {text.source for text in texts.values()} | {text.comment for text in texts.values()}
    for word in plaintexts.ALONE:
        text = Text(word, "alone", file=os.path.relpath(HERE / "plaintexts.py", HERE))
        texts[text.key] = text
    plain = [(text, file) for text, file in plaintexts.texts(ROOT)]
    plain += [(text, file) for text, file in plaintexts.texts(ROOT, plaintexts.LAYERS_WITH_QT)
              if plaintexts.for_people_beside_tr(text) and re.sub(r"\{(\d)\}", r"%\1", text) not in known
              and not any(text in other for other in known)]
    plain += plaintexts.study_texts(ROOT)
    plain += plaintexts.catalog_texts(ROOT)
    plain += plaintexts.cost_notes(ROOT)
    plain += [(text, HERE / "plaintexts.py") for text in plaintexts.PARTS]
    for source, file in plain:
        if source not in known:
            known.add(source)
            text = Text(source, file=os.path.relpath(file, HERE))
            texts[text.key] = text
    for source, file in plaintexts.sample_texts(ROOT):
        text = Text(source, SAMPLE, file=os.path.relpath(file, HERE))
        texts[text.key] = text
    return texts


def written(texts):
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>",
             '<TS version="2.1" language="de_DE" sourcelanguage="en">', "<context>", "    <name>Fleetwright</name>"]
    quoted = {'"': "&quot;", "'": "&apos;"}
    inner = lambda text: escape(text, quoted)
    for text in sorted(texts.values(), key=lambda text: text.file):
        lines.append('    <message numerus="yes">' if text.numerus else "    <message>")
        if text.file:
            lines.append(f'        <location filename="{inner(text.file)}"/>')
        lines.append(f"        <source>{inner(text.source)}</source>")
        if text.comment:
            lines.append(f"        <comment>{inner(text.comment)}</comment>")
        if text.hint:
            lines.append(f"        <extracomment>{inner(text.hint)}</extracomment>")
        kind = "" if text.finished else ' type="unfinished"'
        if text.numerus:
            lines.append(f"        <translation{kind}>")
            lines += [f"            <numerusform>{inner(form)}</numerusform>" for form in text.forms]
            lines.append("        </translation>")
        else:
            lines.append(f"        <translation{kind}>{inner(text.forms[0])}</translation>")
        lines.append("    </message>")
    return "\n".join(lines + ["</context>", "</TS>", ""])


def main():
    texts = found()
    old = read(LIST, HERE) if LIST.exists() else {}
    for key, text in texts.items():
        if key in old and any(old[key].forms):
            text.forms, text.finished = old[key].forms, old[key].finished
    if "--check" in sys.argv[1:]:
        missing, left = texts.keys() - old.keys(), old.keys() - texts.keys()
        for word, keys in (("is not in the list", missing), ("is used no longer", left)):
            for key in sorted(keys):
                print(f"{word}: {key[0]!r}")
        return 1 if missing or left else 0
    LIST.write_text(written(texts), encoding="utf-8")
    print(f"{len(texts)} texts, {sum(not text.finished for text in texts.values())} of them unfinished")
    return 0


if __name__ == "__main__":
    sys.exit(main())
