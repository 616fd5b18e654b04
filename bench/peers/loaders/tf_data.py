# SPDX-License-Identifier: Apache-2.0
"""tf.data: JPEG windows by decode_and_crop_jpeg, sounds by decode_wav or soundfile; parallel map."""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import tensorflow as tf
from measure import (
    BANDS,
    DETECTION_EDGE,
    EDGE,
    FFT,
    HOP,
    JITTER,
    MEAN,
    RATE,
    SECONDS,
    SHORTER,
    STD,
    annotations,
    mel_filters,
    run,
    sinc_filter,
)


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
        image = _cut(image, _window(tf.shape(image)))
    return tf.image.random_flip_left_right(tf.image.resize(image, (EDGE, EDGE)))


def _cut(image, box):
    return tf.image.crop_to_bounding_box(image, box[0], box[1], box[2], box[3])


def _eval(encoded, jpeg):
    image = _decoded(encoded, jpeg)
    extents = tf.cast(tf.shape(image)[:2], tf.float64)
    scale = SHORTER / tf.reduce_min(extents)
    size = tf.cast(tf.floor(extents * scale + 1e-6), tf.int32)
    image = tf.image.resize(image, size, antialias=True)  # it shrinks much: without, it aliases
    top, left = (size[0] - EDGE) // 2, (size[1] - EDGE) // 2
    return tf.image.crop_to_bounding_box(image, top, left, EDGE, EDGE)


def _decoded(encoded, jpeg):
    return (tf.io.decode_jpeg if jpeg else tf.io.decode_png)(encoded, channels=3)


def _jpeg(job):
    return not job.files[0].lower().endswith(".png")


def _values(image, job, edge=EDGE):
    """The finished picture, of colours from 0 to 255 in float32."""
    image = tf.ensure_shape(image, (edge, edge, 3))
    if job.float:
        scale = tf.constant([1 / (255 * s) for s in STD])
        shift = tf.constant([-m / s for m, s in zip(MEAN, STD)])
        return tf.transpose(image * scale + shift, (2, 0, 1))
    return tf.cast(tf.clip_by_value(tf.round(image), 0, 255), tf.uint8)


def images(job):
    jpeg = _jpeg(job)

    def sample(path, index):
        encoded = tf.io.read_file(path)
        return _values((_train if job.train else _eval)(encoded, jpeg), job), index

    return sample


def _maybe(probability, change, image):
    return tf.cond(tf.random.uniform([]) < probability, lambda: change(image), lambda: image)


def _jitter(image):
    """As SimCLR's own data_util.py: the four changes in an order that is drawn, on 0 to 1."""
    light, against, colour, turn = JITTER
    factor = lambda most: tf.random.uniform([], 1 - most, 1 + most)
    changes = (
        lambda x: x * factor(light),
        lambda x: tf.image.adjust_contrast(x, factor(against)),
        lambda x: tf.image.adjust_saturation(x, factor(colour)),
        lambda x: tf.image.adjust_hue(x, tf.random.uniform([], -turn, turn)),
    )
    order = tf.random.shuffle(tf.range(4))
    for at in range(4):
        chosen = [lambda change=change, x=image: change(x) for change in changes]
        image = tf.clip_by_value(tf.switch_case(order[at], chosen), 0, 1)
    return image


def _blur(image):
    """A window of 23 pixels in two passes, as SimCLR's own data_util.py, mirrored at the edges."""
    radius = 11
    sigma = tf.random.uniform([], 0.1, 2.0)
    at = tf.range(-radius, radius + 1, dtype=tf.float32)
    window = tf.exp(-tf.square(at) / (2 * tf.square(sigma)))
    window = tf.tile((window / tf.reduce_sum(window))[:, None, None, None], [1, 1, 3, 1])
    image = tf.pad(image, [[radius, radius], [radius, radius], [0, 0]], "REFLECT")[None]
    for filters in (window, tf.transpose(window, (1, 0, 2, 3))):
        image = tf.nn.depthwise_conv2d(image, filters, [1, 1, 1, 1], "VALID")
    return image[0]


def views(job):
    """SimCLR: each picture twice, with other draws; its bytes are read once."""
    jpeg = _jpeg(job)

    def view(encoded):
        image = _maybe(0.8, _jitter, _train(encoded, jpeg) / 255)
        grey = lambda x: tf.tile(tf.image.rgb_to_grayscale(x), [1, 1, 3])
        image = _maybe(0.5, _blur, _maybe(0.2, grey, tf.ensure_shape(image, (EDGE, EDGE, 3))))
        return _values(255 * image, job)

    def sample(path, index):
        encoded = tf.io.read_file(path)
        return (view(encoded), view(encoded)), index

    return sample


def _iou_crop(shape, boxes):
    """A window as SSD draws it: rows, columns, height, width. Boxes: left, top, right, bottom."""
    height, width = tf.cast(shape[0], tf.float32), tf.cast(shape[1], tf.float32)
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    overlaps = tf.constant([0, 0.1, 0.3, 0.5, 0.7, 0.9, 1])

    def tries(overlap):
        """All forty at once: the first that does."""
        share = tf.random.uniform([40, 2], 0.3, 1)
        w, h = tf.floor(width * share[:, 0]), tf.floor(height * share[:, 1])
        place = tf.random.uniform([40, 2])
        left, top = tf.floor((width - w) * place[:, 0]), tf.floor((height - h) * place[:, 1])
        window = tf.stack([left, top, left + w, top + h], 1)[:, None]
        inside = tf.reduce_all((window[..., :2] < middle) & (middle < window[..., 2:]), -1)
        size = tf.maximum(
            tf.minimum(window[..., 2:], boxes[:, 2:]) - tf.maximum(window[..., :2], boxes[:, :2]), 0
        )
        shared = size[..., 0] * size[..., 1]
        iou = shared / ((w * h)[:, None] + area - shared)
        good = tf.reduce_any(inside & (iou >= overlap), 1) & (w / h >= 0.5) & (w / h <= 2)
        return tf.reduce_any(good), window[tf.argmax(good)][0]

    whole = tf.stack([0.0, 0.0, width, height])

    def attempt(_, window):
        overlap = overlaps[tf.random.uniform([], 0, 7, tf.int32)]
        return tf.cond(overlap >= 1, lambda: (True, whole), lambda: tries(overlap))

    _, window = tf.while_loop(lambda done, _: ~done, attempt, (tf.constant(False), whole))
    return window, tf.reduce_all((window[:2] < middle) & (middle < window[2:]), 1)


def detection(job):
    """SSD's crops: pictures in one size, boxes that are left with their classes."""
    known = annotations(job)
    boxes = tf.ragged.constant([known[path][0] for path in job.files], ragged_rank=1, dtype=tf.float32)
    classes = tf.ragged.constant([known[path][1] for path in job.files], dtype=tf.int64)

    def sample(path, index):
        encoded, box = tf.io.read_file(path), boxes[index]
        window, kept = _iou_crop(tf.image.extract_jpeg_shape(encoded), box)
        box, label = tf.boolean_mask(box, kept), tf.boolean_mask(classes[index], kept)
        size = window[2:] - window[:2]
        at = tf.cast(tf.stack([window[1], window[0], size[1], size[0]]), tf.int32)
        image = tf.image.decode_and_crop_jpeg(encoded, at, channels=3)
        image = tf.image.resize(image, (DETECTION_EDGE, DETECTION_EDGE))
        origin, scale = tf.tile(window[:2], [2]), tf.tile(DETECTION_EDGE / size, [2])
        box = tf.clip_by_value((box - origin) * scale, 0, DETECTION_EDGE)
        if_mirrored = tf.stack(
            [DETECTION_EDGE - box[:, 2], box[:, 1], DETECTION_EDGE - box[:, 0], box[:, 3]], 1
        )
        turned = tf.random.uniform([]) < 0.5
        image = tf.cond(turned, lambda: tf.image.flip_left_right(image), lambda: image)
        box = tf.where(turned, if_mirrored, box)
        return (_values(image, job, DETECTION_EDGE), box, label, tf.shape(label)[0]), index

    return sample


def _resampler(rate):
    kernel, width, old, new = sinc_filter(rate, RATE)

    def resample(sound):
        count = tf.shape(sound)[0]
        padded = tf.pad(sound, [[width, width + old]])
        made = tf.nn.conv1d(padded[None, :, None], kernel, old, "VALID")
        return tf.reshape(made, [-1])[: -(-count * new // old)]

    return resample


def sound(job):
    """Sounds of one rate: 16-bit WAV by TensorFlow itself, all else by soundfile."""
    wav = job.files[0].lower().endswith(".wav")
    if wav:
        import wave

        with wave.open(job.files[0]) as first:
            rate = first.getframerate()
    else:
        import soundfile

        rate = soundfile.info(job.files[0]).samplerate
    resample = None if rate == RATE else _resampler(rate)
    filters = tf.constant(mel_filters())
    length = RATE * SECONDS

    def read(path):
        return soundfile.read(path.decode(), dtype="float32", always_2d=True)[0]

    def heard(path):
        if wav:
            return tf.audio.decode_wav(tf.io.read_file(path))[0]
        return tf.ensure_shape(tf.numpy_function(read, [path], tf.float32), [None, None])

    def sample(path, index):
        sound = tf.reduce_mean(heard(path), 1)
        if resample:
            sound = resample(sound)
        room = tf.shape(sound)[0] - length
        if job.train:
            start = tf.random.uniform([], 0, tf.maximum(room, 0) + 1, tf.int32)
            sound = sound[start:]
        sound = tf.pad(sound[:length], [[0, tf.maximum(-room, 0)]])
        sound = tf.pad(tf.ensure_shape(sound, [length]), [[FFT // 2, FFT // 2]], "REFLECT")
        power = tf.square(tf.abs(tf.signal.stft(sound, FFT, HOP, FFT)))
        mel = tf.matmul(power, filters)
        return tf.math.log(tf.maximum(mel, 1e-10)) * 4.342944819, index

    return sample


WORK = {"sound": sound, "simclr": views, "detection": detection}


def batches(job):
    sample = WORK.get(job.work, images)(job)
    count = len(job.files)
    data = tf.data.Dataset.from_tensor_slices((job.files, list(range(count))))
    if job.train:
        data = data.shuffle(count)
    if not job.once:
        data = data.repeat()
    data = data.map(sample, num_parallel_calls=job.workers, deterministic=False)
    data = data.padded_batch(job.batch) if job.work == "detection" else data.batch(job.batch)
    data = data.prefetch(2)
    options = tf.data.Options()
    options.threading.private_threadpool_size = job.workers
    options.threading.max_intra_op_parallelism = 1
    options.deterministic = False
    return data.with_options(options).as_numpy_iterator()


if __name__ == "__main__":
    run(__doc__, batches, ("tensorflow-cpu",))
