#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the archives of this folder with Python's own tarfile module, and what tarfile and the
rules of WebDataset (key = path up to the first dot of the base name) make of them.

    python3 generate.py
"""

import io
import json
import pathlib
import tarfile

HERE = pathlib.Path(__file__).parent
JPEG = b"\xff\xd8\xff"
DEEP = "d/" * 10 + "k" * 150  # 170 characters: too long for any field of ustar
SPLIT = "f" * 90 + "/" + "g" * 60  # fits ustar's prefix and name

MEMBERS = [
    ("cat/0001.jpg", JPEG + b"1"),
    ("cat/0001.cls", b"0"),
    ("cat/0001.json", b'{"a": 1}'),
    ("./dog/0002.JPG", JPEG + b"2" * 600),
    ("./dog/0002.cls", b"1\n"),
    ("README", b"no key"),
    (SPLIT + ".png", b"\x89PNG\r\n\x1a\n"),
    (SPLIT + ".cls", b"2"),
    ("a.b/c.seg.png", b"mask"),
    ("a.b/c.jpg", JPEG + b"3"),
]
LONG = [(DEEP + ".jpg", JPEG + b"4"), (DEEP + ".cls", b"3")]
UNICODE = [("h\u00e4user/\u732b.jpg", JPEG + b"5"), ("h\u00e4user/\u732b.cls", b"4")]


def add(tar, name, data):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    tar.addfile(info, io.BytesIO(data))


def write(name, members, form, mode="w:", **more):
    with tarfile.open(HERE / name, mode, format=form, **more) as tar:
        for member, data in members:
            add(tar, member, data)
        if name == "links.tar":
            for linked, kind, to in [
                ("cat/9.jpg", tarfile.LNKTYPE, "cat/0001.jpg"),
                ("cat/8.jpg", tarfile.SYMTYPE, "/etc/hostname"),
                ("folder", tarfile.DIRTYPE, ""),
            ]:
                info = tarfile.TarInfo(linked)
                info.type, info.linkname = kind, to
                tar.addfile(info)


def expected(name):
    samples = []
    with tarfile.open(HERE / name, "r:*") as tar:
        for info in tar:
            base = info.name.rsplit("/", 1)[-1]
            if not info.isreg() or "." not in base or base.startswith("."):
                continue
            stem = info.name[: len(info.name) - len(base)] + base.split(".")[0]
            extension = base.split(".", 1)[1].lower()
            if not samples or samples[-1]["stem"] != stem:
                samples.append({"stem": stem, "members": {}, "names": {}})
            data = tar.extractfile(info).read()
            samples[-1]["members"][extension] = data.decode("latin-1")
            samples[-1]["names"][extension] = info.name
    return samples


FILES = {
    "ustar.tar": (MEMBERS, tarfile.USTAR_FORMAT, "w:"),
    "gnu.tar": (MEMBERS + LONG + UNICODE, tarfile.GNU_FORMAT, "w:"),
    "pax.tar": (MEMBERS + LONG + UNICODE, tarfile.PAX_FORMAT, "w:"),
    "links.tar": (MEMBERS, tarfile.PAX_FORMAT, "w:"),
    "pax.tar.gz": (MEMBERS + LONG, tarfile.PAX_FORMAT, "w:gz"),
    "gnu.tar.bz2": (MEMBERS + LONG, tarfile.GNU_FORMAT, "w:bz2"),
    "ustar.tar.xz": (MEMBERS, tarfile.USTAR_FORMAT, "w:xz"),
}

if __name__ == "__main__":
    for file, (content, form, how) in FILES.items():
        headers = {"comment": "a global header"} if form == tarfile.PAX_FORMAT else None
        more = {"pax_headers": headers} if headers else {}
        write(file, content, form, how, **more)
    described = {file: expected(file) for file in FILES}
    (HERE / "expected.json").write_text(json.dumps(described, indent=1, ensure_ascii=False) + "\n")
