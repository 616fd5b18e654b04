# SPDX-License-Identifier: Apache-2.0
"""tf.data: decode_and_crop_jpeg of the crop's window alone, resize, parallel map."""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import tensorflow as tf
from measure import EDGE, MEAN, SHORTER, STD, run


def _shape(encoded, jpeg):
    return tf.image.extract_jpeg_shape(encoded) if jpeg else tf.shape(tf.io.decode_png(encoded, 3))


def _window(shape):
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        shape,
        tf.zeros([1, 0, 4], tf.float32),
        min_object_covered=0.0,
        aspect_ratio_range=(3 / 4, 4 / 3),
        area_range=(0.08, 1.0),
        max_attempts=10,
        use_image_if_no_bounding_boxes=True,
    )
    return tf.stack([begin[0], begin[1], size[0], size[1]])


def _train(encoded, jpeg):
    if jpeg:
        box = _window(tf.image.extract_jpeg_shape(encoded))
        image = tf.image.decode_and_crop_jpeg(encoded, box, channels=3)
    else:
        image = tf.io.decode_png(encoded, channels=3)
        box = _window(tf.shape(image))
        image = tf.image.crop_to_bounding_box(image, box[0], box[1], box[2], box[3])
    image = tf.image.resize(image, (EDGE, EDGE))
    return tf.image.random_flip_left_right(image)


def _eval(encoded, jpeg):
    decode = tf.io.decode_jpeg if jpeg else tf.io.decode_png
    image = decode(encoded, channels=3)
    extents = tf.cast(tf.shape(image)[:2], tf.float64)
    scale = SHORTER / tf.reduce_min(extents)
    size = tf.cast(tf.floor(extents * scale + 1e-6), tf.int32)
    image = tf.image.resize(image, size, antialias=True)  # it shrinks much: without, it aliases
    top, left = (size[0] - EDGE) // 2, (size[1] - EDGE) // 2
    return tf.image.crop_to_bounding_box(image, top, left, EDGE, EDGE)


def batches(job):
    jpeg = not job.files[0].lower().endswith(".png")
    scale = tf.constant([1 / (255 * s) for s in STD])
    shift = tf.constant([-m / s for m, s in zip(MEAN, STD)])

    def sample(path, index):
        encoded = tf.io.read_file(path)
        image = (_train if job.train else _eval)(encoded, jpeg)
        image = tf.ensure_shape(image, (EDGE, EDGE, 3))
        if job.float:
            return tf.transpose(image * scale + shift, (2, 0, 1)), index
        return tf.cast(tf.clip_by_value(tf.round(image), 0, 255), tf.uint8), index

    count = len(job.files)
    data = tf.data.Dataset.from_tensor_slices((job.files, list(range(count))))
    if job.train:
        data = data.shuffle(count)
    if not job.once:
        data = data.repeat()
    data = data.map(sample, num_parallel_calls=job.workers, deterministic=False)
    data = data.batch(job.batch).prefetch(2)
    options = tf.data.Options()
    options.threading.private_threadpool_size = job.workers
    options.threading.max_intra_op_parallelism = 1
    options.deterministic = False
    return data.with_options(options).as_numpy_iterator()


if __name__ == "__main__":
    run(__doc__, batches, ("tensorflow-cpu",))
