#!/usr/bin/env python3
"""Makes the Parquet fixtures here with pyarrow, laid out as Hugging Face datasets are.

Needs: pip install pyarrow pillow. Images are those of ../mds/images, which that folder's script drew.
"""
import json
import pathlib
import shutil
import struct

import pyarrow as pa
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
JPEGS = [(HERE / f"../mds/images/{i}.jpg").read_bytes() for i in range(7)]
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
FEATURES = {
    "image": {"_type": "Image"},
    "label": {"names": ["cat", "dog", "eel"], "_type": "ClassLabel"},
    "caption": {"dtype": "string", "_type": "Value"},
}


def table(rows, label="label", image=IMAGE, hf=True, **more):
    columns = {
        "image": pa.array([{"bytes": JPEGS[i], "path": f"{i}.jpg"} for i in rows], image),
        label: pa.array([i % 3 for i in rows], pa.int64()),
        "caption": pa.array([f"picture {i}: é" if i != 1 else None for i in rows], pa.string()),
        "score": pa.array([i / 4 for i in rows], pa.float64()),
        "boxes": pa.array([[[i, 2]] for i in rows], pa.list_(pa.list_(pa.int32()))),
        **more,
    }
    t = pa.table(columns)
    if hf:
        t = t.replace_schema_metadata(
            {"huggingface": json.dumps({"info": {"features": FEATURES}})})
    return t


def odd_labels():
    """Labels that are texts, lists or floats, and a second image."""
    shutil.rmtree(HERE / "labels", ignore_errors=True)
    (HERE / "labels").mkdir()
    image = pa.array([{"bytes": JPEGS[i], "path": f"{i}.jpg"} for i in range(4)], IMAGE)
    mask = pa.array([{"bytes": JPEGS[4], "path": None}, None,
                     {"bytes": JPEGS[5], "path": "m.jpg"}, None], IMAGE)
    for name, label in {
        "text": pa.array(["dog", "cat", None, "dog"]),
        "list": pa.array([[0, 1, 0], [], None, [1, None]], pa.list_(pa.int64())),
        "texts": pa.array([["a", "b\"é"], ["a"], [], ["c"]], pa.list_(pa.string())),
        "float": pa.array([1.0, 0.5, None, 2.0], pa.float64()),
        "bool": pa.array([True, False, None, True]),
    }.items():
        pq.write_table(pa.table({"image": image, "label": label, "mask": mask}),
                       HERE / f"labels/{name}.parquet", row_group_size=3)
    pq.write_table(pa.table({"foto": pa.array(JPEGS[:2], pa.binary()),
                             "kind": pa.array(["b", "a"])}), HERE / "labels/names.parquet")


def nested():
    """Structs, lists of structs, lists of lists, and a map."""
    about = pa.struct([("by", pa.string()), ("tags", pa.map_(pa.string(), pa.string())),
                       ("size", pa.struct([("height", pa.int32()), ("width", pa.float64())]))])
    objects = pa.list_(pa.struct([("bbox", pa.list_(pa.float32())), ("name", pa.string())]))
    grid = pa.list_(pa.list_(pa.list_(pa.int64())))
    pq.write_table(pa.table({
        "image": pa.array([{"bytes": JPEGS[i], "path": None} for i in range(3)], IMAGE),
        "about": pa.array([{"by": "Ann", "tags": [("a", "b")], "size": {"height": 3, "width": 4.5}},
                           {"by": None, "tags": None, "size": {"height": 7, "width": None}}, None], about),
        "objects": pa.array([[{"bbox": [1, 2, 3, 4], "name": "a"}, {"bbox": [5, 6, 7, 8], "name": "b"}],
                             [], [None]], objects),
        "grid": pa.array([[[[1], []], []], None, [[None]]], grid),
    }), HERE / "nested/rows.parquet")


def wav(number, rate=8000):
    """A short triangle of 16 bits."""
    samples = [abs((i * (37 + number)) % 2000 - 1000) * 20 - 10000 for i in range(300 + 10 * number)]
    return struct.pack("<4sI8sIHHIIHH4sI", b"RIFF", 36 + 2 * len(samples), b"WAVEfmt ", 16, 1, 1,
                       rate, 2 * rate, 2, 16, b"data", 2 * len(samples)
                       ) + struct.pack("<%dh" % len(samples), *samples)


def sounds():
    """A set of sounds as the datasets package writes it, and one without its metadata."""
    shutil.rmtree(HERE / "audio", ignore_errors=True)
    (HERE / "audio").mkdir()
    rows = pa.array([{"bytes": wav(i), "path": f"{i}.wav"} for i in range(5)], IMAGE)
    table = pa.table({"clip": rows, "label": pa.array([i % 2 for i in range(5)], pa.int64()),
                      "text": pa.array([f"word {i}" for i in range(5)])})
    features = {"clip": {"sampling_rate": 8000, "_type": "Audio"},
                "label": {"names": ["no", "yes"], "_type": "ClassLabel"}}
    pq.write_table(table.replace_schema_metadata(
        {"huggingface": json.dumps({"info": {"features": features}})}), HERE / "audio/hf.parquet")
    pq.write_table(pa.table({"id": pa.array(range(5)), "audio": pa.array([wav(i) for i in range(5)],
                                                                       pa.binary())}),
                   HERE / "audio/plain.parquet")


def main():
    odd_labels()
    sounds()
    for name in ("hf", "plain", "path", "splits", "wrong", "nested"):
        shutil.rmtree(HERE / name, ignore_errors=True)
        (HERE / name).mkdir()
    nested()
    (HERE / "hf/data").mkdir()
    pq.write_table(table([0, 1, 2, 3]), HERE / "hf/data/train-00000-of-00002.parquet",
                   compression="zstd", row_group_size=2)
    pq.write_table(table([4, 5, 6]), HERE / "hf/data/train-00001-of-00002.parquet",
                   compression="snappy", row_group_size=100)
    binary = pa.table({"img": pa.array(JPEGS, pa.binary()), "class": pa.array(range(7), pa.int32()),
                       "when": pa.array([0] * 7, pa.timestamp("us"))})
    for codec in ("gzip", "none", "snappy", "zstd", "lz4"):
        pq.write_table(binary, HERE / f"plain/{codec}.parquet", compression=codec)
    pq.write_table(binary, HERE / "plain/v2.parquet", compression="zstd", data_page_version="2.0",
                   use_dictionary=False, data_page_size=1000)
    shutil.copy(HERE / "../mds/images/0.jpg", HERE / "path/here.jpg")
    refs = [{"bytes": None, "path": "here.jpg"}, {"bytes": None, "path": "gone.jpg"},
            {"bytes": None, "path": "../../secret.jpg"}, {"bytes": None, "path": None}, None,
            {"bytes": JPEGS[1], "path": None}]
    pq.write_table(pa.table({"image": pa.array(refs, IMAGE)}), HERE / "path/refs.parquet")
    for split in ("train", "test"):
        pq.write_table(table([0]), HERE / f"splits/{split}-00000-of-00001.parquet")
    pq.write_table(pa.table({"image": pa.array(["http://x/1.jpg"]), "label": pa.array(["cat"])}),
                   HERE / "wrong/text.parquet")
    pq.write_table(binary.drop_columns("when"), HERE / "wrong/brotli.parquet", compression="brotli")


if __name__ == "__main__":
    main()
