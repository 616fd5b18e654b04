# SPDX-License-Identifier: Apache-2.0
"""What readers and writers of records share: command line, timing, the JSON line. No decoding.

A reader is `passes(job)`: for ever, (passes over the shards, records, their bytes). A writer makes
one such pass a call of `write(file, records)` for each shard, threads taking shards in turn.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import struct
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from measure import cpu_seconds, versions

# zlib's own default, and everybody's; said so that nobody's default changes it.
ZLIB_LEVEL = 6


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", required=True, help="folder of .tfrecord files")
    parser.add_argument("--compression", default="none", help="none, gzip, zlib or zstd")
    parser.add_argument("--target", help="write there what is in --data, which is not compressed")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warm-up", type=float, default=3)
    job = parser.parse_args()
    job.shards = sorted(glob.glob(os.path.join(job.data, "*.tfrecord")))
    return job


def one_by_one(records):
    """How many there are and their bytes."""
    count = size = 0
    for record in records:
        count += 1
        size += len(record)
    return count, size


def run(job, passes, packages):
    """Times whole passes over the shards, after passes of warm-up."""
    warm, begin = False, time.perf_counter()
    records = size = done = 0
    cpu = cpu_seconds()
    for more, count, length in passes(job):
        done += more
        records += count
        size += length
        spent = time.perf_counter() - begin
        if warm and spent >= job.seconds:
            break
        if not warm and spent >= job.warm_up:
            warm, records, size, done = True, 0, 0, 0
            cpu, begin = cpu_seconds(), time.perf_counter()
    cpu = cpu_seconds() - cpu
    result = {
        "samples": records,
        "pass": records // done,
        "seconds": round(spent, 3),
        "samples_per_second": round(records / spent, 1),
        "megabytes_per_second": round(size / spent / 1e6, 2),
        "cpu_ms_per_sample": round(cpu * 1e3 / records, 5),
        "versions": versions(*packages),
    }
    if job.target:
        result["stored_bytes"] = sum(e.stat().st_size for e in os.scandir(job.target))
    print(json.dumps(result), flush=True)
    os._exit(0)


def plain_records(path):
    """The records of a file that is not compressed; their checksums were its maker's concern."""
    with open(path, "rb") as file:
        data = file.read()
    found, at = [], 0
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        found.append(data[at + 12 : at + 12 + length])
        at += 12 + length + 4
    return found


def writing(write):
    """Passes of a writer of one shard."""

    def passes(job):
        os.makedirs(job.target, exist_ok=True)
        shards = [
            (os.path.join(job.target, os.path.basename(path)), plain_records(path))
            for path in job.shards
        ]
        count = sum(len(records) for _, records in shards)
        size = sum(len(record) for _, records in shards for record in records)
        with concurrent.futures.ThreadPoolExecutor(job.workers) as pool:
            while True:
                for _ in pool.map(lambda shard: write(*shard), shards):
                    pass
                yield 1, count, size

    return passes
