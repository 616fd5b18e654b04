#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the TFRecord fixtures in this folder with TensorFlow itself.

    pip install -r python/tools/requirements-peers.txt
    python core/src/test/resources/tfrecord/make_fixtures.py [--check]

Without --check every fixture beside this script is rewritten. With --check nothing is
changed: the fixtures are made in a temporary folder and compared with those here.
The result depends on the versions in VERSIONS.txt and on nothing else (no clock, no
random source, no paths).

The payloads of plain.tfrecord and its compressed twins
-------------------------------------------------------
payloads.json lists every record: index, name, recipe, parameters, length, SHA-256.
A test may regenerate the payloads from the recipes instead of hashing:

  LCG      an unsigned 64-bit state, which starts as the record's seed.
           next():  state = (state * 6364136223846793005 + 1442695040888963407) mod 2^64
                    return state >>> 33                  (so 0 <= next() < 2^31)
           In Java:  s = s * 6364136223846793005L + 1442695040888963407L; return s >>> 33;
  text     until at least `length` bytes are there, append WORDS[next() mod 32] and then,
           by a second call, ".\n" where next() mod 8 == 0, else " ". Cut to `length`.
  random   each byte is (next() >>> 8) & 0xff.
  acgt     each byte is "ACGT"[next() mod 4].
  ramp     byte i is i mod 256.
  run      the byte `value`, `length` times.
  period   the bytes of `text` over and over, cut to `length`.
  copy     the same bytes as record number `of`.
  literal  the bytes given in `hex`.
  example  a serialized tf.train.Example (map keys sorted); not described further: take it
           from plain.tfrecord, or check length and SHA-256.

WORDS are the 32 words at the top of the program, and of payloads.json ("words").
"""

import argparse
import decimal
import hashlib
import io
import json
import os
import pathlib
import platform
import re
import struct
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import google.protobuf
import numpy
import PIL
import PIL.features
import PIL.Image
import tensorflow as tf

WORDS = (
    "a river head race mill wheel stone flow "
    "record batch shard reader gate sluice water the "
    "of and to in is that pond weir "
    "turbine channel downstream upstream spillway penstock it by"
).split()
assert len(WORDS) == 32

HERE = pathlib.Path(__file__).resolve().parent
MASK64 = (1 << 64) - 1


# ---------------------------------------------------------------------------------------
# Payloads
# ---------------------------------------------------------------------------------------


class Lcg:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK64
        return self.state >> 33


def lcg_text(seed, length):
    lcg, out = Lcg(seed), bytearray()
    while len(out) < length:
        out += WORDS[lcg.next() % 32].encode()
        out += b".\n" if lcg.next() % 8 == 0 else b" "
    return bytes(out[:length])


def lcg_random(seed, length):
    lcg = Lcg(seed)
    return bytes((lcg.next() >> 8) & 0xFF for _ in range(length))


def lcg_acgt(seed, length):
    lcg = Lcg(seed)
    return bytes(b"ACGT"[lcg.next() % 4] for _ in range(length))


def bytes_feature(*values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def float_feature(*values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def int64_feature(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def serialize(features):
    example = tf.train.Example(features=tf.train.Features(feature=features))
    return example.SerializeToString(deterministic=True)


def payloads():
    """The records of plain.tfrecord and its twins: (description, bytes)."""
    records = []

    def add(name, recipe, data, **parameters):
        records.append(({"name": name, "recipe": recipe, **parameters}, data))

    def literal(name, data):
        add(name, "literal", data, hex=data.hex())

    def text(name, seed, length):
        add(name, "text", lcg_text(seed, length), seed=seed)

    def example(name, **features):
        add(name, "example", serialize(features))

    literal("empty", b"")
    literal("abc", b"abc")
    literal("def", b"def")
    literal("one-zero-byte", b"\x00")
    add("ramp-255", "ramp", bytes(range(255)))
    text("text-5000", 1, 5000)
    add("random-3000", "random", lcg_random(2, 3000), seed=2)
    literal("empty-again", b"")
    literal("one-ff-byte", b"\xff")
    add("ramp-256", "ramp", bytes(range(256)))
    add("zeros-600", "run", bytes(600), value=0)
    add("run-1000", "run", b"a" * 1000, value=97)
    text("text-4096", 3, 4096)
    add("period-777", "period", (b"abc" * 259)[:777], text="abc")
    for seed, length in enumerate((2, 3, 10, 257, 258, 259, 1023), start=10):
        text(f"text-{length}", seed, length)
    add("text-5000-again", "copy", records[5][1], of=5)
    add("random-1500", "random", lcg_random(4, 1500), seed=4)
    text("text-12000", 5, 12000)
    add("acgt-2000", "acgt", lcg_acgt(6, 2000), seed=6)
    add("random-3000-again", "copy", records[6][1], of=6)
    # A payload that is itself a framed record (length, masked CRC, "abc", masked CRC).
    literal("framed-abc", frame(b"abc"))
    example("example-int64", n=int64_feature(1))
    example("example-negative", n=int64_feature(-1, -(2**63)))
    example("example-float", x=float_feature(0.5, -2.0, 1e30))
    example("example-bytes", s=bytes_feature(b"headrace", b""))
    example("example-mixed", a=bytes_feature(b"x"), b=float_feature(1.0), c=int64_feature(7))
    example("example-empty-lists", a=bytes_feature(), b=float_feature(), c=int64_feature())
    example("example-no-kind", a=tf.train.Feature())
    example("example-300-ints", n=int64_feature(*range(-100, 200)))
    example("example-100-floats", x=float_feature(*(i / 8 for i in range(100))))
    example("example-text", text=bytes_feature(lcg_text(7, 500)), label=int64_feature(3))
    example("example-20-keys", **{f"key/{i:02d}": int64_feature(i) for i in range(20)})
    text("last", 8, 40)
    for index, (description, data) in enumerate(records):
        description["index"] = index
        description["length"] = len(data)
        description["sha256"] = sha256(data)
    return records


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked_crc32c(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def frame(data):
    length = struct.pack("<Q", len(data))
    return (
        length
        + struct.pack("<I", masked_crc32c(length))
        + data
        + struct.pack("<I", masked_crc32c(data))
    )


def sha256(data):
    return hashlib.sha256(data).hexdigest()


# file name (without .tfrecord), compression type, options of tf.io.TFRecordOptions
PAYLOAD_FILES = [
    ("plain", "", {}),
    ("gzip", "GZIP", {}),
    ("gzip-level-9", "GZIP", {"compression_level": 9}),
    ("zlib", "ZLIB", {}),
    ("zlib-level-0", "ZLIB", {"compression_level": 0}),
    ("zlib-level-1", "ZLIB", {"compression_level": 1}),
    ("zlib-level-9", "ZLIB", {"compression_level": 9}),
    ("zlib-mem-level-8", "ZLIB", {"mem_level": 8}),
    ("zlib-window-bits-12", "ZLIB", {"window_bits": 12}),
    ("zlib-strategy-0", "ZLIB", {"compression_strategy": 0}),  # Z_DEFAULT_STRATEGY
    ("zlib-strategy-1", "ZLIB", {"compression_strategy": 1}),  # Z_FILTERED
    ("zlib-strategy-2", "ZLIB", {"compression_strategy": 2}),  # Z_HUFFMAN_ONLY
    ("zlib-strategy-3", "ZLIB", {"compression_strategy": 3}),  # Z_RLE
    ("zlib-strategy-4", "ZLIB", {"compression_strategy": 4}),  # Z_FIXED
    # writer.flush() after every record: TensorFlow then uses Z_PARTIAL_FLUSH.
    ("zlib-flush", "ZLIB", {"flush": True}),
]


def write_records(path, compression, options, records):
    options = dict(options)
    flush = options.pop("flush", False)
    with tf.io.TFRecordWriter(
        str(path), tf.io.TFRecordOptions(compression_type=compression, **options)
    ) as writer:
        for record in records:
            writer.write(record)
            if flush:
                writer.flush()


def read_records(path, compression):
    dataset = tf.data.TFRecordDataset(str(path), compression_type=compression)
    return [record.numpy() for record in dataset]


def make_payload_files(folder):
    records = payloads()
    data = [record for _, record in records]
    files = []

    def make(name, compression, options, content):
        path = folder / f"{name}.tfrecord"
        write_records(path, compression, options, content)
        if read_records(path, compression) != content:
            raise SystemExit(f"{path.name}: TensorFlow reads back something else")
        stored = path.read_bytes()
        if compression == "" and stored != b"".join(frame(record) for record in content):
            raise SystemExit(f"{path.name}: not the expected framing")
        entry = {
            "file": path.name,
            "compression": compression or "NONE",
            "records": len(content),
            "size": len(stored),
            "sha256": sha256(stored),
        }
        if compression:
            entry |= {
                "level": options.get("compression_level", 6),
                "window_bits": options.get("window_bits", 15),
                "mem_level": options.get("mem_level", 9),
                "strategy": options.get("compression_strategy", 0),
                "flush_every_record": options.get("flush", False),
            }
        files.append(entry)

    for name, compression, options in PAYLOAD_FILES:
        make(name, compression, options, data)
    for compression in ("", "GZIP", "ZLIB"):
        make(f"empty-{compression.lower() or 'plain'}", compression, {}, [])
    order = ("index", "name", "length", "sha256", "recipe", "seed", "value", "text", "of", "hex")
    write_json(
        folder / "payloads.json",
        {
            "lcg": {"multiplier": "6364136223846793005", "increment": "1442695040888963407"},
            "words": WORDS,
            "records": [
                {key: description[key] for key in order if key in description}
                for description, _ in records
            ],
            "files": files,
        },
    )


def write_json(path, value):
    """JSON with one line for each element of the top-level lists: good for diffs."""
    parts = []
    for key, item in value.items():
        if isinstance(item, list) and item and isinstance(item[0], dict):
            lines = ",\n".join("  " + json.dumps(element) for element in item)
            parts.append(f"{json.dumps(key)}: [\n{lines}\n ]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(item)}")
    path.write_text("{\n " + ",\n ".join(parts) + "\n}\n", encoding="ascii")


# ---------------------------------------------------------------------------------------
# tf.train.Example in every shape
# ---------------------------------------------------------------------------------------

VARINT, FIXED64, LENGTH, GROUP, END_GROUP, FIXED32 = 0, 1, 2, 3, 4, 5


def varint(value, pad_to=0):
    value &= MASK64
    out = bytearray()
    while value > 0x7F or len(out) + 1 < pad_to:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def tag(number, wire_type):
    return varint(number << 3 | wire_type)


def field(number, *content):
    """A length-delimited field."""
    content = b"".join(content)
    return tag(number, LENGTH) + varint(len(content)) + content


def raw_floats(*bits):
    return b"".join(struct.pack("<I", b) for b in bits)


def f32(*values):
    return [struct.unpack("<I", struct.pack("<f", v))[0] for v in values]


# The kinds of tf.train.Feature: bytes_list = 1, float_list = 2, int64_list = 3.
def raw_bytes_list(*values):
    return field(1, *(field(1, v) for v in values))


def raw_float_list(*chunks):
    return field(2, *chunks)


def raw_int64_list(*chunks):
    return field(3, *chunks)


def packed_floats(*values):
    return field(1, raw_floats(*f32(*values)))


def unpacked_floats(*values):
    return b"".join(tag(1, FIXED32) + raw_floats(b) for b in f32(*values))


def packed_ints(*values):
    return field(1, *(varint(v) for v in values))


def unpacked_ints(*values):
    return b"".join(tag(1, VARINT) + varint(v) for v in values)


def entry(key, feature):
    """An entry of the map Features.feature: key = 1, value = 2."""
    return field(1, field(1, key.encode()), field(2, feature))


def raw_example(*content):
    return field(1, *content)


# What is expected of a feature.
def is_bytes(*values):
    return {"kind": "bytes", "values": [v.hex() for v in values]}


def is_ints(*values):
    return {"kind": "int64", "values": [str(v) for v in values]}


def is_float_bits(*bits):
    values = []
    for b in bits:
        value = struct.unpack("<f", struct.pack("<I", b))[0]
        if value != value:
            values.append("NaN")
        elif value in (float("inf"), float("-inf")):
            values.append("Infinity" if value > 0 else "-Infinity")
        else:
            values.append(format(decimal.Decimal(value), "f"))  # exact
    return {"kind": "float", "bits": [f"{b:08x}" for b in bits], "values": values}


def is_floats(*values):
    return is_float_bits(*f32(*values))


NO_KIND = {"kind": None}

# Cases where upb, the C core of protobuf's Python library, departs from its other
# implementations: it drops a map entry with an unknown field in the entry itself. The
# expected features are those of the pure-Python, C++ and Java implementations.
LOST_BY_UPB = {"unknown-fields-in-map-entry"}


def example_cases():
    """(name, serialized, expected features), each expected value written by hand."""
    every_byte = bytes(range(256))
    int_edges = (0, 1, -1, 127, 128, -128, 255, 16384, 2**31 - 1, -(2**31), 2**31, 2**32,
                 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63))
    float_edges = f32(0.0, -0.0, 1.0, -1.0, 1.5, 0.1, 1 / 3, 3.14159265, 16777217.0, 2.0**-149,
                      -(2.0**-149), 2.0**-126, 3.4028234663852886e38, -3.4028234663852886e38,
                      float("inf"), float("-inf"), float("nan"))
    as_float = lambda bits: [struct.unpack("<f", struct.pack("<I", b))[0] for b in bits]
    cases = []

    def library(name, features, expected):
        cases.append((name, "library", serialize(features), expected))

    def hand(name, serialized, expected):
        cases.append((name, "hand", serialized, expected))

    # Written by the protobuf library.
    library(
        "every-kind",
        {"b": bytes_feature(b"alpha", b"", every_byte), "f": float_feature(1.5, -2.25),
         "i": int64_feature(3, -4, 5)},
        {"b": is_bytes(b"alpha", b"", every_byte), "f": is_floats(1.5, -2.25),
         "i": is_ints(3, -4, 5)},
    )
    library(
        "single-values",
        {"b": bytes_feature(b"x"), "f": float_feature(0.1), "i": int64_feature(42)},
        {"b": is_bytes(b"x"), "f": is_floats(0.1), "i": is_ints(42)},
    )
    library("int64-edges", {"i": int64_feature(*int_edges)}, {"i": is_ints(*int_edges)})
    library(
        "float-edges",
        {"f": float_feature(*as_float(float_edges))},
        {"f": is_float_bits(*float_edges)},
    )
    library(
        "empty-lists",
        {"b": bytes_feature(), "f": float_feature(), "i": int64_feature()},
        {"b": is_bytes(), "f": is_floats(), "i": is_ints()},
    )
    library("kind-not-set", {"none": tf.train.Feature(), "i": int64_feature(1)},
            {"none": NO_KIND, "i": is_ints(1)})
    library(
        "utf-8-keys",
        {"": int64_feature(1), "ключ": int64_feature(2), "水/🙂": int64_feature(3)},
        {"": is_ints(1), "ключ": is_ints(2), "水/🙂": is_ints(3)},
    )
    library(
        "many",
        {f"k{i:02d}": int64_feature(*range(-i, i)) for i in range(40)},
        {f"k{i:02d}": is_ints(*range(-i, i)) for i in range(40)},
    )

    # Made by hand, byte by byte.
    hand("empty-example", b"", {})
    hand("empty-features", raw_example(), {})
    hand("float-packed", raw_example(entry("f", raw_float_list(packed_floats(1.0, -2.5, 0.1)))),
         {"f": is_floats(1.0, -2.5, 0.1)})
    hand("float-unpacked",
         raw_example(entry("f", raw_float_list(unpacked_floats(1.0, -2.5, 0.1)))),
         {"f": is_floats(1.0, -2.5, 0.1)})
    hand("float-mixed",
         raw_example(entry("f", raw_float_list(
             unpacked_floats(1.0), packed_floats(2.0, 3.0), packed_floats(), packed_floats(4.0),
             unpacked_floats(5.0, 6.0)))),
         {"f": is_floats(1, 2, 3, 4, 5, 6)})
    quiet_nans = (0x7FC00000, 0xFFC00000, 0x7FC12345)
    hand("float-nan-bits",
         raw_example(entry("f", raw_float_list(field(1, raw_floats(*quiet_nans))))),
         {"f": is_float_bits(*quiet_nans)})
    hand("int64-packed", raw_example(entry("i", raw_int64_list(packed_ints(*int_edges)))),
         {"i": is_ints(*int_edges)})
    hand("int64-unpacked", raw_example(entry("i", raw_int64_list(unpacked_ints(*int_edges)))),
         {"i": is_ints(*int_edges)})
    hand("int64-mixed",
         raw_example(entry("i", raw_int64_list(
             packed_ints(1, 2), unpacked_ints(-3), packed_ints(), unpacked_ints(4, 5),
             packed_ints(-6)))),
         {"i": is_ints(1, 2, -3, 4, 5, -6)})
    hand("int64-long-varints",  # more bytes than needed, in values and in a length
         raw_example(entry("i", tag(3, LENGTH) + varint(11, pad_to=3)
                           + field(1, varint(1, pad_to=2), varint(300, pad_to=4),
                                   varint(0, pad_to=3)))),
         {"i": is_ints(1, 300, 0)})
    hand("map-order-unsorted",
         raw_example(entry("c", raw_int64_list(packed_ints(3))),
                     entry("a", raw_bytes_list(b"1")),
                     entry("b", raw_float_list(packed_floats(2.0)))),
         {"a": is_bytes(b"1"), "b": is_floats(2.0), "c": is_ints(3)})
    hand("map-order-sorted",
         raw_example(entry("a", raw_bytes_list(b"1")),
                     entry("b", raw_float_list(packed_floats(2.0))),
                     entry("c", raw_int64_list(packed_ints(3)))),
         {"a": is_bytes(b"1"), "b": is_floats(2.0), "c": is_ints(3)})
    hand("value-before-key",
         raw_example(field(1, field(2, raw_int64_list(packed_ints(9))), field(1, b"i"))),
         {"i": is_ints(9)})
    hand("entry-without-value", raw_example(field(1, field(1, b"k"))), {"k": NO_KIND})
    hand("entry-without-key",
         raw_example(field(1, field(2, raw_int64_list(packed_ints(9))))), {"": is_ints(9)})
    hand("duplicate-key",  # the last entry wins
         raw_example(entry("k", raw_int64_list(packed_ints(1, 2))),
                     entry("other", raw_bytes_list(b"o")),
                     entry("k", raw_int64_list(packed_ints(3)))),
         {"k": is_ints(3), "other": is_bytes(b"o")})
    hand("duplicate-key-other-kind",
         raw_example(entry("k", raw_int64_list(packed_ints(1))), entry("k", raw_bytes_list(b"z"))),
         {"k": is_bytes(b"z")})
    hand("duplicate-key-last-without-kind",
         raw_example(entry("k", raw_int64_list(packed_ints(1))), entry("k", b"")),
         {"k": NO_KIND})
    hand("features-twice",  # the second message is merged into the first
         raw_example(entry("a", raw_int64_list(packed_ints(1))),
                     entry("b", raw_int64_list(packed_ints(2))))
         + raw_example(entry("b", raw_int64_list(packed_ints(3))),
                       entry("c", raw_int64_list(packed_ints(4)))),
         {"a": is_ints(1), "b": is_ints(3), "c": is_ints(4)})
    hand("list-twice",  # the same kind again is merged: the values add up
         raw_example(entry("b", raw_bytes_list(b"x") + raw_bytes_list(b"y")),
                     entry("i", raw_int64_list(packed_ints(1)) + raw_int64_list(packed_ints(2)))),
         {"b": is_bytes(b"x", b"y"), "i": is_ints(1, 2)})
    hand("two-kinds",  # members of a oneof: the last wins
         raw_example(entry("k", raw_bytes_list(b"x") + raw_int64_list(packed_ints(5)))),
         {"k": is_ints(5)})
    unknown = (field(15, b"unknown") + tag(16, VARINT) + varint(-7) + tag(17, FIXED64) + bytes(8)
               + tag(2047, FIXED32) + bytes(4))
    hand("unknown-fields",
         unknown
         + raw_example(
             unknown,
             entry("i", unknown + field(3, unknown, packed_ints(6), unknown) + unknown),
             unknown)
         + unknown,
         {"i": is_ints(6)})
    hand("unknown-fields-in-map-entry",
         raw_example(field(1, unknown, field(1, b"i"), unknown,
                           field(2, raw_int64_list(packed_ints(7))), unknown)),
         {"i": is_ints(7)})
    hand("unknown-kind",  # a kind that today's readers do not know: field 4
         raw_example(entry("k", field(4, b"later")), entry("i", raw_int64_list(packed_ints(1)))),
         {"k": NO_KIND, "i": is_ints(1)})
    group = tag(20, GROUP) + tag(1, VARINT) + varint(5) + field(2, b"in") + tag(20, END_GROUP)
    hand("unknown-group",
         group + raw_example(entry("i", group + raw_int64_list(packed_ints(8)))),
         {"i": is_ints(8)})
    return cases


def features_of(serialized):
    """The features as the protobuf library reads them."""
    result = {}
    for key, feature in tf.train.Example.FromString(serialized).features.feature.items():
        kind = feature.WhichOneof("kind")
        if kind is None:
            result[key] = NO_KIND
        elif kind == "bytes_list":
            result[key] = is_bytes(*feature.bytes_list.value)
        elif kind == "float_list":
            result[key] = is_floats(*feature.float_list.value)
        else:
            result[key] = is_ints(*feature.int64_list.value)
    return result


def parse_op_agrees(serialized, expected):
    """Does tf.io.parse_single_example, TensorFlow's own fast parser, read the same?"""
    types = {"bytes": tf.string, "float": tf.float32, "int64": tf.int64}
    spec = {
        key: tf.io.VarLenFeature(types[feature["kind"] or "bytes"])
        for key, feature in expected.items()
    }
    if not spec:
        spec = {"absent": tf.io.VarLenFeature(tf.int64)}
    try:
        parsed = tf.io.parse_single_example(serialized, spec)
    except (tf.errors.InvalidArgumentError, UnicodeDecodeError):  # the error quotes raw bytes
        return "rejects"
    for key, feature in expected.items():
        values = parsed[key].values.numpy()
        if feature["kind"] == "bytes":
            same = [v.hex() for v in values] == feature["values"]
        elif feature["kind"] == "float":
            same = [f"{b:08x}" for b in values.view(numpy.uint32)] == feature["bits"]
        elif feature["kind"] == "int64":
            same = [str(v) for v in values] == feature["values"]
        else:
            same = len(values) == 0
        if not same:
            return "differs"
    return "agrees"


def make_example_files(folder):
    cases = example_cases()
    entries = []
    for name, encoding, serialized, expected in cases:
        read = features_of(serialized)
        if (read != expected) != (name in LOST_BY_UPB):
            raise SystemExit(f"{name}: tf.train.Example reads {read}, not {expected}")
        entries.append(
            {
                "name": name,
                "encoding": encoding,
                "length": len(serialized),
                "sha256": sha256(serialized),
                "tf_train_example": "agrees" if read == expected else "differs",
                "tf_parse_example": parse_op_agrees(serialized, expected),
                "features": expected,
            }
        )
    path = folder / "example-all-types.tfrecord"
    content = [serialized for _, _, serialized, _ in cases]
    write_records(path, "", {}, content)
    if read_records(path, "") != content:
        raise SystemExit(f"{path.name}: TensorFlow reads back something else")
    write_json(folder / "example-all-types.json", {"records": entries})


# ---------------------------------------------------------------------------------------
# Images
# ---------------------------------------------------------------------------------------


def gradient(width, height, channels, seed):
    """Channel c of pixel (x, y): a gradient in its own direction, in integers only."""
    pixels = numpy.empty((height, width, channels), numpy.uint8)
    for y in range(height):
        for x in range(width):
            across = 255 * x // max(width - 1, 1)
            down = 255 * y // max(height - 1, 1)
            for c, value in enumerate(
                (across, down, (across + 2 * (255 - down)) // 3)[:channels]
            ):
                pixels[y, x, c] = (value + 16 * seed) // 2 % 256 if seed % 2 else value
    return pixels


# class label, class text, file name, width, height, channels, options of Pillow's save
IMAGES = [
    (1, "gradient", "rgb-420.jpg", 32, 24, 3, {"quality": 90, "subsampling": "4:2:0"}),
    (1, "gradient", "rgb-444.jpg", 32, 24, 3, {"quality": 95, "subsampling": "4:4:4"}),
    (2, "grey", "grey.jpg", 32, 24, 1, {"quality": 90}),
    (1, "gradient", "odd-size.jpg", 17, 13, 3, {"quality": 85, "subsampling": "4:2:0"}),
    (3, "progressive", "progressive.jpg", 40, 30, 3,
     {"quality": 90, "subsampling": "4:2:0", "progressive": True}),
    (0, "exact", "rgb.png", 24, 32, 3, {}),
]


def make_image_files(folder):
    content, entries = [], []
    for index, (label, text, filename, width, height, channels, options) in enumerate(IMAGES):
        pixels = gradient(width, height, channels, seed=index)
        image = PIL.Image.fromarray(pixels[:, :, 0] if channels == 1 else pixels)
        image_format = "png" if filename.endswith(".png") else "jpeg"
        buffer = io.BytesIO()
        image.save(buffer, image_format.upper(), **options)
        encoded = buffer.getvalue()
        colorspace = "Grayscale" if channels == 1 else "RGB"
        serialized = serialize(
            {
                "image/encoded": bytes_feature(encoded),
                "image/format": bytes_feature(image_format.encode()),
                "image/class/label": int64_feature(label),
                "image/class/text": bytes_feature(text.encode()),
                "image/height": int64_feature(height),
                "image/width": int64_feature(width),
                "image/filename": bytes_feature(filename.encode()),
                "image/colorspace": bytes_feature(colorspace.encode()),
                "image/channels": int64_feature(channels),
            }
        )
        content.append(serialized)
        decoded = tf.io.decode_image(encoded, expand_animations=False).numpy()
        if decoded.shape != (height, width, channels):
            raise SystemExit(f"{filename}: decodes to {decoded.shape}")
        by_pillow = numpy.asarray(PIL.Image.open(io.BytesIO(encoded))).reshape(decoded.shape)
        if image_format == "png" and not (decoded == pixels).all():
            raise SystemExit(f"{filename}: does not decode to the pixels put in")
        entries.append(
            {
                "index": index,
                "length": len(serialized),
                "sha256": sha256(serialized),
                "image/format": image_format,
                "image/class/label": label,
                "image/class/text": text,
                "image/height": height,
                "image/width": width,
                "image/filename": filename,
                "image/colorspace": colorspace,
                "image/channels": channels,
                "encoded_length": len(encoded),
                "encoded_sha256": sha256(encoded),
                "decoded_shape": list(decoded.shape),
                # Of the raw pixels, row by row, channels innermost. JPEG decoders may
                # differ by small amounts; the mean of each channel may not by much.
                "decoded_sha256_tensorflow": sha256(decoded.tobytes()),
                "decoded_sha256_pillow": sha256(by_pillow.tobytes()),
                "decoded_mean": [
                    round(float(v), 4) for v in decoded.astype(numpy.float64).mean(axis=(0, 1))
                ],
            }
        )
    path = folder / "images.tfrecord"
    write_records(path, "", {}, content)
    if read_records(path, "") != content:
        raise SystemExit(f"{path.name}: TensorFlow reads back something else")
    write_json(folder / "images.json", {"records": entries})


# ---------------------------------------------------------------------------------------


def tensorflow_zlib_version():
    """The version in zlib's copyright string inside TensorFlow's own library."""
    library = pathlib.Path(tf.sysconfig.get_lib()) / "libtensorflow_framework.so.2"
    try:
        found = re.search(rb" deflate ([0-9.]+) Copyright", library.read_bytes())
    except OSError:
        found = None
    return found[1].decode() if found else "unknown"


def make_versions(folder):
    lines = [
        "The fixtures in this folder were written by make_fixtures.py with:",
        "",
        f"tensorflow {tf.__version__} ({tf.version.GIT_VERSION})",
        f"zlib inside tensorflow {tensorflow_zlib_version()}",
        f"python {platform.python_version()}",
        f"protobuf {google.protobuf.__version__}",
        f"numpy {numpy.__version__}",
        f"pillow {PIL.__version__}",
        f"jpeg library of pillow: {PIL.features.version('jpg')}"
        + (
            f" (libjpeg-turbo {PIL.features.version('libjpeg_turbo')})"
            if PIL.features.check("libjpeg_turbo")
            else ""
        ),
        f"zlib of pillow (PNG): {PIL.features.version('zlib')}"
        + (
            f" (zlib-ng {PIL.features.version('zlib_ng')})"
            if "zlib_ng" in PIL.features.features and PIL.features.check("zlib_ng")
            else ""
        ),
    ]
    (folder / "VERSIONS.txt").write_text("\n".join(lines) + "\n", encoding="ascii")


def make_all(folder):
    make_payload_files(folder)
    make_example_files(folder)
    make_image_files(folder)
    make_versions(folder)


def main():
    parser = argparse.ArgumentParser(
        description="Writes the TFRecord fixtures beside this script with TensorFlow."
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="change nothing; exit 1 when the fixtures would come out differently",
    )
    arguments = parser.parse_args()
    if not arguments.check:
        make_all(HERE)
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        make_all(folder)
        made = sorted(path.name for path in folder.iterdir())
        different = [
            name
            for name in made
            if not (HERE / name).is_file()
            or (HERE / name).read_bytes() != (folder / name).read_bytes()
        ]
    for name in different:
        print(f"{name}: differs", file=sys.stderr)
    print(f"{len(made) - len(different)} of {len(made)} files are the same")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
