#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many bytes a second servers of `headrace serve --flight … --synthetic` send to this process.

    python/tools/feeding_rate.py HOST:PORT[,HOST:PORT…] [EPOCHS]

Prints a line for each epoch: GB of pixels, seconds, GB/s, and the CPU time of this process for a GB.
Needs NumPy and pyarrow.
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from headrace import Loader


def main(servers, epochs=3):
    with Loader(servers=servers.split(",")) as loader:
        for epoch in loader.epochs(int(epochs)):
            start, ran, size = time.perf_counter(), time.process_time(), 0
            for batch in epoch:
                size += batch.images.nbytes
                del batch
            seconds, ran = time.perf_counter() - start, time.process_time() - ran
            gigabytes = size / 1e9
            print("%.2f GB in %.2f s: %.2f GB/s; %.2f s of CPU a GB here" % (
                gigabytes, seconds, gigabytes / seconds, ran / gigabytes
            ))


if __name__ == "__main__":
    main(*sys.argv[1:])
