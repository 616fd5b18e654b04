# SPDX-License-Identifier: Apache-2.0
"""What the readers of records share: command line, timing, the JSON line. Nothing is decoded.

A reader is `batches(job)`: sequences of records for ever, and None after each pass over the shards.
"""

import argparse
import glob
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from measure import cpu_seconds, versions


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", required=True, help="folder of .tfrecord files")
    parser.add_argument("--compression", choices=("none", "gzip", "zlib"), default="none")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warm-up", type=float, default=3)
    job = parser.parse_args()
    job.shards = sorted(glob.glob(os.path.join(job.data, "*.tfrecord")))
    return job


def run(description, batches, packages):
    """Times whole passes over the shards, after passes of warm-up."""
    job = arguments(description)
    source = batches(job)
    warm, begin = False, time.perf_counter()
    records = size = passes = 0
    cpu = cpu_seconds()
    for batch in source:
        if batch is not None:
            records += len(batch)
            for record in batch:
                size += len(record)
            continue
        passes += 1
        spent = time.perf_counter() - begin
        if warm and spent >= job.seconds:
            break
        if not warm and spent >= job.warm_up:
            warm, records, size, passes = True, 0, 0, 0
            cpu, begin = cpu_seconds(), time.perf_counter()
    cpu = cpu_seconds() - cpu
    print(json.dumps(result(records, size, passes, spent, cpu, versions(*packages))), flush=True)
    os._exit(0)


def result(records, size, passes, seconds, cpu, found):
    return {
        "samples": records,
        "pass": records // passes,
        "seconds": round(seconds, 3),
        "samples_per_second": round(records / seconds, 1),
        "megabytes_per_second": round(size / seconds / 1e6, 2),
        "cpu_ms_per_sample": round(cpu * 1e3 / records, 4),
        "versions": found,
    }
