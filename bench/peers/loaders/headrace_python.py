# SPDX-License-Identifier: Apache-2.0
"""Headrace's Python client: NumPy arrays in memory shared with `headrace serve`, as users get them.

PEERS_HEADRACE_OPTIONS, flags of `serve`, and PEERS_HEADRACE_CONVERSION are as in headrace_load.py.
"""

import os
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
sys.path[:0] = [os.path.join(ROOT, "bench/peers"), os.path.join(ROOT, "python")]

from headrace_load import CONVERSION, OPTIONS, dataset, steps
from measure import run

from headrace import Loader


def batches(job):
    flags = {word.lstrip("-").replace("-", "_"): True for word in OPTIONS}
    loader = Loader(
        dataset(job),
        headrace=os.path.join(ROOT, "headrace"),
        pipeline=steps(job),
        batch=job.batch,
        threads=job.workers,
        **flags,
    )
    while True:
        for batch in loader:
            yield batch.images, batch.ids.tolist()
        if job.once:
            return


if __name__ == "__main__":
    run(__doc__, batches, ("numpy",), dataset if CONVERSION else None)
