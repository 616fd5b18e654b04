"""Writes the fixtures of this folder. Needs: pip install datasets pillow

Parquet fixtures beside this folder, which pyarrow wrote, saved anew by the package `datasets`: the
same rows in both. Sources: ../parquet/generate.py.
"""
import pathlib
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
from datasets import Dataset, DatasetDict

HERE = pathlib.Path(__file__).parent
PARQUET = HERE.parent / "parquet"


def dataset(*files):
    return Dataset(pa.concat_tables(pq.read_table(file) for file in files))


def main():
    for name in ("hf", "splits", "audio"):
        shutil.rmtree(HERE / name, ignore_errors=True)
    hf = dataset(*sorted((PARQUET / "hf" / "data").glob("*.parquet")))
    hf.save_to_disk(HERE / "hf", num_shards=2)
    DatasetDict(train=hf.select(range(4)), test=hf.select(range(4, 7))).save_to_disk(HERE / "splits")
    nested = pq.read_table(PARQUET / "nested" / "rows.parquet")  # a map, which `datasets` has not
    with pa.ipc.new_stream(HERE / "nested.arrow", nested.schema) as out:
        out.write_table(nested)
    dataset(PARQUET / "audio" / "hf.parquet").save_to_disk(HERE / "audio")
    # the file format, several batches, offsets of 64 bits, a column of a dictionary
    table = pa.table({
        "picture": pa.array([b"\xff\xd8\xff%d" % i for i in range(5)], pa.large_binary()),
        "label": pa.array([4.0, 3.0, None, 1.0, 0.5], pa.float32()),
        "big": pa.array([2**64 - 1, 0, 1, None, 2], pa.uint64()),
        "text": pa.array(["a", "é", "", None, "e"], pa.large_string()),
        "halves": pa.array([[0.5, -1.5]] * 4 + [None], pa.list_(pa.float16(), 2)),
        "flags": pa.array([[True, None], [], [False], None, [True]], pa.list_(pa.bool_())),
        "kind": pa.array(["x", "y", "x", "x", "y"]).dictionary_encode(),
    })
    with pa.ipc.new_file(HERE / "rows.arrow", table.schema) as out:
        for batch in table.to_batches(max_chunksize=2):
            out.write_batch(batch)
    with pa.ipc.new_stream(
            HERE / "packed.arrow", table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")
    ) as out:
        out.write_table(table)


if __name__ == "__main__":
    main()
