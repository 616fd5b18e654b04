"""Makes the serialised tensors of this folder with TensorFlow.

Usage: python3 generate.py   (in this folder; needs tensorflow-cpu 2.21 and NumPy)

Pixel i of each is i modulo 251.
"""
import numpy as np
import tensorflow as tf

for shape in ((1, 1, 1), (2, 3, 3), (5, 4, 1), (3, 2, 4), (4, 7), (80, 70, 3)):
    pixels = (np.arange(np.prod(shape)) % 251).astype(np.uint8).reshape(shape)
    with open("x".join(map(str, shape)) + ".tensor", "wb") as file:
        file.write(tf.io.serialize_tensor(pixels).numpy())
with open("float32.tensor", "wb") as file:
    file.write(tf.io.serialize_tensor(np.zeros((2, 2, 3), np.float32)).numpy())
with open("scalar-values.tensor", "wb") as file:
    proto = tf.make_tensor_proto(np.ones((2, 2, 1), np.uint8))
    proto.tensor_content = b""
    proto.int_val.append(1)
    file.write(proto.SerializeToString())
