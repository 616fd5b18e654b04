#!/usr/bin/env python3
"""Makes the PCR fixtures here, as the original converters write them.

Needs: pip install pillow sqlitedict protobuf. sqlitedict is what the original keeps PCR.db with;
the protobuf messages are built with the protobuf package from a descriptor written out below, so
nothing here shares code with what is tested.

  images/*.jpg       the sources: progressive colour and grey, sequential, one with an odd end
  advanced/          PCR.db with file names as keys, as PCR_Release's PCR_Converter.py writes it
  tensorflow/        PCR_index.pb and packed labels (proto3), each record listed once a scan, as
                     PCR_Release/tensorflow/PCR_Converter.py with TF_PCR's messages writes it
  expected.txt       per folder, record and image: label, and SHA-256 of the image at every fidelity
"""
import hashlib
import io
import pathlib
import random
import shutil

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from PIL import Image
from sqlitedict import SqliteDict

HERE = pathlib.Path(__file__).parent


def messages(packed):
    file = descriptor_pb2.FileDescriptorProto(name=f"pcr{packed}.proto", package=f"pcr{packed}")
    file.syntax = "proto3" if packed else "proto2"

    def message(name, *fields):
        m = file.message_type.add(name=name)
        for number, (field, kind, label) in enumerate(fields, 1):
            f = m.field.add(name=field, number=number, label=label)
            if isinstance(kind, str):
                f.type = 11
                f.type_name = f".{file.package}.{kind}"
            else:
                f.type = kind
    int32, string, data, one, many = 5, 9, 12, 1, 3
    message("ScanGroup", ("image_bytes", data, many))
    message("MetadataRecord", ("labels", int32, many), ("progressive_levels", int32, one),
            ("version", int32, one))
    message("RecordOffsetsIndex", ("name", string, one), ("offsets", int32, many))
    message("DatasetOffsetsIndex", ("records", "RecordOffsetsIndex", many))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {n: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.{n}"))
            for n in ("ScanGroup", "MetadataRecord", "DatasetOffsetsIndex")}


def picture(seed, mode, progressive):
    rng = random.Random(seed)
    image = Image.new("RGB", (40 + seed, 32))
    base = [rng.randrange(256) for _ in range(3)]
    image.putdata([tuple((base[c] + x * (c + 1) * 3 + y * 5 + rng.randrange(24)) % 256
                         for c in range(3)) for y in range(32) for x in range(40 + seed)])
    out = io.BytesIO()
    image.convert(mode).save(out, "JPEG", quality=80, progressive=progressive)
    return out.getvalue()


def partial_images(jpeg):
    """What the original's scan_only_jsk and progressive_utils make of a JPEG."""
    ends, at = [], 2
    while True:
        assert jpeg[at] == 0xFF
        marker = jpeg[at + 1]
        if marker == 0xD9:
            break
        at += 2 + int.from_bytes(jpeg[at + 2:at + 4], "big")
        if marker == 0xDA:
            while not (jpeg[at] == 0xFF and jpeg[at + 1] != 0
                       and not 0xD0 <= jpeg[at + 1] <= 0xD7):
                at += 1
            ends.append(at)
    parts = [jpeg[a:b] for a, b in zip([0] + ends, ends)]
    assert ends[-1] == len(jpeg) - 2
    return parts


def write_record(path, kind, jpegs, labels):
    parts = [partial_images(j) for j in jpegs]
    most = max(map(len, parts))
    for p in parts:
        p += [b""] * (most - len(p))
    meta = kind["MetadataRecord"](labels=labels, progressive_levels=most, version=1)
    payloads = [meta.SerializeToString()]
    for s in range(most):
        group = kind["ScanGroup"](image_bytes=[p[s] for p in parts])
        payloads.append(group.SerializeToString())
    path.write_bytes(b"".join(payloads))
    expected = []
    for i, label in enumerate(labels):
        sums = [hashlib.sha256(b"".join(parts[i][:g]) + b"\xff\xd9").hexdigest()
                for g in range(1, most + 1)]
        expected.append((path.parent.name, path.name, i, label, *sums))
    return list(map(len, payloads)), expected


def main():
    sources = {
        "a.jpg": picture(1, "RGB", True), "b.jpg": picture(2, "RGB", True),
        "grey.jpg": picture(3, "L", True), "baseline.jpg": picture(4, "RGB", False),
        "e.jpg": picture(5, "RGB", True), "f.jpg": picture(6, "RGB", True),
    }
    images = HERE / "images"
    for folder in (images, HERE / "advanced", HERE / "tensorflow"):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    for name, data in sources.items():
        (images / name).write_bytes(data)
    (images / "trailer.jpg").write_bytes(picture(7, "RGB", True) + b"something behind the end")
    records = [(["a.jpg", "grey.jpg", "b.jpg"], [0, 1, 300]), (["e.jpg", "f.jpg"], [1, 0]),
               (["baseline.jpg"], [2])]
    expected = []
    for folder, packed in (("advanced", False), ("tensorflow", True)):
        kind = messages(packed)
        lengths = {}
        for number, (names, labels) in enumerate(records):
            name = f"PCR_{number if number < 2 else 10}.pcr"
            lengths[name], lines = write_record(
                HERE / folder / name, kind, [sources[n] for n in names], labels)
            expected += lines
        if packed:
            index = kind["DatasetOffsetsIndex"]()
            for name, sizes in reversed(lengths.items()):
                for _ in range(len(sizes) - 1):
                    index.records.add(name=name, offsets=sizes)
            (HERE / folder / "PCR_index.pb").write_bytes(index.SerializeToString())
        else:
            with SqliteDict(str(HERE / folder / "PCR.db"), autocommit=True) as db:
                db["m_dataset_size"] = 6
                db["m_classes"] = {0, 1, 2, 300}  # the original: a NumPy array
                db["m_batch_size"] = 3
                for name, sizes in reversed(lengths.items()):
                    db[name] = sizes
    (HERE / "expected.txt").write_text("".join(" ".join(map(str, e)) + "\n" for e in expected))


main()
