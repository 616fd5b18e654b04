#!/usr/bin/env python3
"""Reads a folder of PCR records the way the original reader does, with nothing but Python.

Follows PCR_Release: PCR_Iterator.get_db_data (sqlitedict is one SQLite table of pickles) and
src/pcr.cpp (one read of a prefix, messages cut by the index, an end marker if there is none).

usage: read_as_original.py FOLDER SCANS      prints per image: record label SHA-256
"""
import hashlib
import itertools
import pathlib
import pickle
import sqlite3
import sys


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            length, at = varint(data, at)
            value, at = data[at:at + length], at + length
            assert len(value) == length
        else:
            raise ValueError(f"wire type {tag & 7}")
        yield tag >> 3, value


def main(folder, scans):
    rows = dict(sqlite3.connect(folder / "PCR.db").execute("select key, value from unnamed"))
    index = {k: pickle.loads(v) for k, v in rows.items()}
    names = sorted(k for k in index if not k.startswith("m_"))
    total = 0
    for name in names:
        ends = list(itertools.accumulate(index[name]))
        groups = min(scans, len(ends) - 1)
        with open(folder / pathlib.Path(name).name, "rb") as file:
            prefix = file.read(ends[groups])
        labels = [v for f, v in fields(prefix[:ends[0]]) if f == 1]
        labels = [v - (1 << 64) if v >> 63 else v for v in labels]
        images = [b""] * len(labels)
        for group in range(groups):
            parts = [v for f, v in fields(prefix[ends[group]:ends[group + 1]]) if f == 1]
            assert len(parts) == len(images)
            images = [i + p for i, p in zip(images, parts)]
        for image, label in zip(images, labels):
            image += b"" if image[-2:] == b"\xff\xd9" else b"\xff\xd9"
            print(name, label, hashlib.sha256(image).hexdigest())
        total += len(images)
        assert len(images) <= index["m_batch_size"] and set(labels) <= set(index["m_classes"])
    assert total == index["m_dataset_size"]


main(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
