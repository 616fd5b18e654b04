# SPDX-License-Identifier: Apache-2.0
"""Grain: worker processes that hand batches over in shared memory, decoding by OpenCV."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import cv2
import grain
import numpy
from absl import flags
from measure import EDGE, SHORTER, crop_box, normalised, run, shorter_side

cv2.setNumThreads(1)


class _Draw:
    """A NumPy generator under the names that crop_box asks for."""

    def __init__(self, generator):
        self.random = generator.random
        self.uniform = generator.uniform

    def randint(self, low, high):
        return low + int(self.random() * (high - low + 1))


def _decode(path):
    # IGNORE_ORIENTATION: the other loaders do not turn images by their EXIF tag
    flags_ = cv2.IMREAD_COLOR_RGB | cv2.IMREAD_IGNORE_ORIENTATION
    return cv2.imdecode(numpy.fromfile(path, numpy.uint8), flags_)


class Train(grain.transforms.RandomMap):
    def random_map(self, element, generator):
        path, index = element
        image = _decode(path)
        left, top, w, h = crop_box(image.shape[1], image.shape[0], _Draw(generator))
        image = image[top : top + h, left : left + w]
        area = w > EDGE or h > EDGE  # shrinking by averages, as FFCV does, so that nothing aliases
        image = cv2.resize(
            image, (EDGE, EDGE), interpolation=cv2.INTER_AREA if area else cv2.INTER_LINEAR
        )
        return (image[:, ::-1] if generator.random() < 0.5 else image), index


class Eval(grain.transforms.Map):
    def map(self, element):
        path, index = element
        image = _decode(path)
        size = shorter_side(image.shape[1], image.shape[0])
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        top, left = round((size[1] - EDGE) / 2), round((size[0] - EDGE) / 2)
        return image[top : top + EDGE, left : left + EDGE], index


def batches(job):
    def stack(elements):
        images = numpy.stack([image for image, _ in elements])
        return (normalised(images) if job.float else images), numpy.array([i for _, i in elements])

    data = grain.MapDataset.source([(path, i) for i, path in enumerate(job.files)]).seed(1)
    if job.train:
        data = data.shuffle()
    if not job.once:
        data = data.repeat()
    data = data.random_map(Train()) if job.train else data.map(Eval())
    data = data.to_iter_dataset(grain.ReadOptions(num_threads=1, prefetch_buffer_size=32))
    data = data.batch(job.batch, batch_fn=stack)
    data = data.mp_prefetch(
        grain.MultiprocessingOptions(num_workers=job.workers, per_worker_buffer_size=2)
    )
    for images, index in data:
        yield numpy.asarray(images), index.tolist()


if __name__ == "__main__":
    flags.FLAGS(sys.argv[:1])
    run(__doc__, batches, ("grain", "opencv-python-headless"))
