# SPDX-License-Identifier: Apache-2.0
"""Headrace's Python client: NumPy arrays in memory shared with `headrace serve`, as users get them.

PEERS_HEADRACE_OPTIONS, flags of `serve`, and PEERS_HEADRACE_CONVERSION are as in headrace_load.py.
"""

import os
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
sys.path[:0] = [os.path.join(ROOT, "bench/peers"), os.path.join(ROOT, "python")]

from headrace_load import CONVERSION, FIELDS, OPTIONS, PAIR, dataset, steps
from measure import run

from headrace import Loader


def parts(job, batch):
    if job.work == "simclr":
        return batch.images, batch.fields["view_1"]
    if job.work == "detection":
        boxes = batch.fields["bbox"]
        edges = boxes.values
        if job.check:  # which has them as left, top, right, bottom
            edges = edges.copy()
            edges[:, 2:] += edges[:, :2]
        return batch.images, edges, batch.fields["category"].values, boxes.offsets
    return batch.images


def batches(job):
    flags = {word.lstrip("-").replace("-", "_"): True for word in OPTIONS}
    if job.work == "detection":
        flags.update(pair=PAIR % os.path.basename(job.data), fields=FIELDS)
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
            yield parts(job, batch), batch.ids.tolist()
        if job.once:
            return


if __name__ == "__main__":
    run(__doc__, batches, ("numpy",), dataset if CONVERSION else None)
