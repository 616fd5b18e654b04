# SPDX-License-Identifier: Apache-2.0
"""Headrace's record readers, told by the meter of the `read` stage of `headrace load`.

The command cannot leave decoding out. So epochs run with one reader and the cheapest decoding there
is, and the rate is that of the reader's own time: records by the seconds that it was reading,
inflating and checking. The decoding beside it takes its share of cores and caches, which makes this
rate, if anything, too low. It is a rate of one thread whatever --workers says.
"""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../loaders"))

import record_loop
from headrace_load import headrace


def load(job, epochs):
    cheap = ("--pipeline", "center_crop=32,uint8,hwc", "--no-digest")
    one = ("--readers", "1", "--threads", "1", "--order", "sequential")
    return json.loads(headrace("load", job.data, "--json", "--epochs", str(epochs), *one, *cheap))


def main():
    job = record_loop.arguments(__doc__)
    epoch = load(job, 2)[1]["seconds"]
    # Wall time decides how long it runs; most of that is decoding.
    warm = 1 + int(job.warm_up / epoch)
    epochs = load(job, warm + max(3, int(job.seconds / epoch)))[warm:]
    reads = [e["stages"]["read"] for e in epochs]
    found = {"headrace": headrace("--version").split()[-1]}
    line = record_loop.result(
        sum(r["items"] for r in reads),
        sum(r["bytes"] for r in reads),
        len(reads),
        sum(r["seconds"] for r in reads),
        0,
        found,
    )
    line["cpu_ms_per_sample"] = None
    print(json.dumps(line))


if __name__ == "__main__":
    main()
