"""Makes the goldens of torchaudio's and Whisper's spectrograms and of torchaudio's resampling.

    python3 -m venv venv && venv/bin/pip install torch torchaudio numpy
    venv/bin/pip download --no-deps --no-binary :all: openai-whisper && tar xf openai_whisper-*
    venv/bin/python generate_torch.py openai_whisper-*/

Made with torch 2.15, torchaudio 2.11 and openai-whisper 20250625. The sound is that of generate.py.
Whisper's audio.py is run from its source, so that its other dependencies need not be there.
"""
import gzip
import sys
import types

import numpy as np
import torch
import torchaudio.functional as F
import torchaudio.transforms as T

ODD = 12345


def sound(n):
    x = np.empty(n, np.float32)
    state = ODD
    for i in range(n):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        noise = (state >> 16) % 4001 - 2000
        saw = (i * 577) % 16000 - 8000
        triangle = abs((i * 211) % 20000 - 10000) - 5000
        x[i] = np.float32((noise + saw + triangle) / 32768)
    return torch.from_numpy(x)


def save(name, values):
    data = np.ascontiguousarray(values.numpy(), "<f4").tobytes()
    with open(name, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as out:
        out.write(data)


x = sound(2000)
for source, target in ((8000, 16000), (16000, 8000), (44100, 16000), (48000, 16000)):
    save(f"sinc-{source}-{target}.bin.gz", F.resample(x, source, target))

save("torch-spectrogram.bin.gz", T.Spectrogram()(x))
save("torch-mel.bin.gz", T.MelSpectrogram(16000, n_mels=64)(x))
save(
    "torch-decibels.bin.gz",
    T.AmplitudeToDB(top_db=40)(
        T.MelSpectrogram(16000, n_fft=480, hop_length=160, n_mels=40, f_min=60, f_max=7600)(x)
    ),
)
save(
    "torch-slaney.bin.gz",
    T.AmplitudeToDB("magnitude")(
        T.MelSpectrogram(
            16000,
            n_fft=512,
            win_length=400,
            hop_length=160,
            center=False,
            power=1,
            n_mels=40,
            norm="slaney",
            mel_scale="slaney",
        )(x)
    ),
)

folder = sys.argv[1] + "/whisper"
source = open(folder + "/audio.py").read().replace("from .utils import exact_div", "")
audio = types.ModuleType("audio")
audio.__file__ = folder + "/audio.py"
audio.exact_div = lambda a, b: a // b
exec(compile(source, audio.__file__, "exec"), audio.__dict__)
for bands in (80, 128):
    save(f"whisper-{bands}.bin.gz", audio.log_mel_spectrogram(sound(4000), bands))
