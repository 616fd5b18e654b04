# SPDX-License-Identifier: Apache-2.0
"""Epochs of a loader as a `tf.data.Dataset`."""

import tensorflow as tf

from headrace._wire import BadRequest


def dataset(loader):
    """Each iteration over it is the loader's next epoch."""
    if loader._transform is not None:
        raise BadRequest("transform= and to_tf_dataset() do not go together: use its map()")
    fields = loader.hello.get("fields", [])
    signature = (tf.TensorSpec([None, *loader.shape], loader.dtype), tf.TensorSpec([None], tf.int64))
    if fields:
        signature += ({field["name"]: _spec(field) for field in fields},)

    def batches():
        for batch in loader:
            images = _typed(batch.images, loader.dtype)
            if fields:
                values = {f["name"]: _values(batch.fields[f["name"]], f) for f in fields}
                yield images, _typed(batch.labels, "int64"), values
            else:
                yield images, _typed(batch.labels, "int64")

    return tf.data.Dataset.from_generator(batches, output_signature=signature).prefetch(2)


def _spec(field):
    if field["kind"] == "text":
        return tf.TensorSpec([None], tf.string)
    if field["kind"] == "ragged":
        shape = [None, None, *field["shape"]]
        return tf.RaggedTensorSpec(shape, field["dtype"], ragged_rank=1, row_splits_dtype=tf.int64)
    return tf.TensorSpec([None, *field["shape"]], field["dtype"])


def _values(found, field):
    if field["kind"] == "text":
        return found.tolist()
    if field["kind"] == "ragged":
        return tf.RaggedTensor.from_row_splits(_typed(found.values, field["dtype"]), found.offsets)
    return _typed(found, field["dtype"])


def _typed(array, dtype):
    """An array; NumPy has bfloat16 as bits."""
    return array.view(tf.bfloat16.as_numpy_dtype) if dtype == "bfloat16" else array
