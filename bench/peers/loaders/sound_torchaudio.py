# SPDX-License-Identifier: Apache-2.0
"""PyTorch's DataLoader: soundfile decodes, torchaudio resamples and makes log-mel spectrograms."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import soundfile
import torch
from measure import BANDS, FFT, HOP, RATE, SECONDS, run
from torchaudio.transforms import AmplitudeToDB, MelSpectrogram, Resample


class Sounds(torch.utils.data.Dataset):
    """Each file read, cut or padded, and made a spectrogram; tables are made once, as users do."""

    def __init__(self, job):
        self.paths, self.train = job.files, job.train
        self.resamplers = {}
        self.mel = MelSpectrogram(RATE, n_fft=FFT, hop_length=HOP, n_mels=BANDS)
        self.decibels = AmplitudeToDB()

    def __len__(self):
        return len(self.paths)

    def _resampled(self, sound, rate):
        if rate == RATE:
            return sound
        if rate not in self.resamplers:
            self.resamplers[rate] = Resample(rate, RATE)
        return self.resamplers[rate](sound)

    def __getitem__(self, index):
        samples, rate = soundfile.read(self.paths[index], dtype="float32", always_2d=True)
        sound = self._resampled(torch.from_numpy(samples).mean(1), rate)
        room = len(sound) - RATE * SECONDS
        if room > 0:
            start = int(torch.randint(room + 1, ())) if self.train else 0
            sound = sound[start : start + RATE * SECONDS]
        else:
            sound = torch.nn.functional.pad(sound, (0, -room))
        return self.decibels(self.mel(sound)).T.contiguous(), index


def _one_thread(_):
    torch.set_num_threads(1)


def batches(job):
    loader = torch.utils.data.DataLoader(
        Sounds(job),
        batch_size=job.batch,
        shuffle=job.train,
        num_workers=job.workers,
        persistent_workers=True,
        prefetch_factor=4,
        multiprocessing_context="fork",
        worker_init_fn=_one_thread,
    )
    while True:
        for sounds, keys in loader:
            yield sounds.numpy(), keys.tolist()
        if job.once:
            return


if __name__ == "__main__":
    run(__doc__, batches, ("torch", "torchaudio", "soundfile"))
