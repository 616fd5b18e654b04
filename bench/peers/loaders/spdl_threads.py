# SPDX-License-Identifier: Apache-2.0
"""SPDL: threads whose decoding, by FFmpeg, leaves Python's lock alone."""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import numpy
import spdl.io
from measure import EDGE, SHORTER, crop_box, normalised, run, shorter_side
from spdl.pipeline import PipelineBuilder

FORMAT = "format=pix_fmts=rgb24"


def _filters(width, height, train):
    if train:
        left, top, w, h = crop_box(width, height)
        steps = "crop=%d:%d:%d:%d:exact=1,scale=%d:%d:flags=bilinear" % (w, h, left, top, EDGE, EDGE)
        return steps + (",hflip," if random.random() < 0.5 else ",") + FORMAT
    w, h = shorter_side(width, height)
    steps = "scale=%d:%d:flags=bilinear,crop=%d:%d:%d:%d"
    return steps % (w, h, EDGE, EDGE, round((w - EDGE) / 2), round((h - EDGE) / 2)) + "," + FORMAT


def _source(job):
    order = list(enumerate(job.files))
    while True:
        if job.train:
            random.shuffle(order)
        for at in range(0, len(order), job.batch):
            yield order[at : at + job.batch]
        if job.once:
            return


def batches(job):
    def decode(item):
        index, path = item
        packets = spdl.io.demux_image(path)
        steps = _filters(packets.codec.width, packets.codec.height, job.train)
        return spdl.io.decode_packets(packets, filter_desc=steps), index

    def collate(items):
        frames = [frame for frame, _ in items]
        images = spdl.io.to_numpy(spdl.io.convert_frames(frames))
        return (normalised(images) if job.float else images), [index for _, index in items]

    def items():
        for batch in _source(job):
            yield from batch

    pipeline = (
        PipelineBuilder()
        .add_source(items())
        .pipe(decode, concurrency=job.workers)
        .aggregate(job.batch)
        .pipe(collate)
        .add_sink(2)
        .build(num_threads=job.workers + 1)
    )
    with pipeline.auto_stop():
        for images, index in pipeline.get_iterator():
            yield numpy.asarray(images), index


if __name__ == "__main__":
    run(__doc__, batches, ("spdl",))
