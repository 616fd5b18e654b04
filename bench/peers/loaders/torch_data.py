# SPDX-License-Identifier: Apache-2.0
"""PyTorch's DataLoader: torchvision.io decodes and v2 transforms; soundfile decodes for torchaudio."""

import torch
import torch_loader
from measure import BANDS, FFT, HOP, RATE, SECONDS, annotations, run


def views(job):
    """SimCLR: each picture twice, with other draws."""
    from torchvision.io import read_file

    steps = torch_loader.transform(job)

    def both(image):
        return steps(image), steps(image)

    return torch_loader.file_batches(job, lambda path: torch_loader.decode(read_file(path)), both)


def detection(job):
    """SSD's crops: pictures in one size, boxes that are left with their classes."""
    from torchvision import tv_tensors
    from torchvision.io import read_file

    known = annotations(job)

    def load(path):
        image = torch_loader.decode(read_file(path))
        boxes, classes = known[path]
        boxes = tv_tensors.BoundingBoxes(
            boxes, format="XYXY", canvas_size=image.shape[1:], dtype=torch.float32
        )
        return tv_tensors.Image(image), {"boxes": boxes, "labels": torch.tensor(classes)}

    steps = torch_loader.transform(job)

    def collate(samples):
        found = [sample[1] for sample, _ in samples]
        counts = torch.tensor([0] + [len(each["boxes"]) for each in found])
        return (
            torch.stack([sample[0] for sample, _ in samples]),
            torch.cat([each["boxes"].as_subclass(torch.Tensor) for each in found]),
            torch.cat([each["labels"] for each in found]),
            counts.cumsum(0),
        ), torch.tensor([key for _, key in samples])

    return torch_loader.file_batches(job, load, lambda sample: steps(*sample), collate)


def sound(job):
    """Each file read, cut or padded, and made a spectrogram; tables are made once, as users do."""
    import soundfile
    from torchaudio.transforms import AmplitudeToDB, MelSpectrogram, Resample

    resamplers, decibels = {}, AmplitudeToDB()
    mel = MelSpectrogram(RATE, n_fft=FFT, hop_length=HOP, n_mels=BANDS)

    def load(path):
        samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
        heard = torch.from_numpy(samples).mean(1)
        if rate != RATE:
            if rate not in resamplers:
                resamplers[rate] = Resample(rate, RATE)
            heard = resamplers[rate](heard)
        return heard

    def steps(heard):
        room = len(heard) - RATE * SECONDS
        if room > 0:
            start = int(torch.randint(room + 1, ())) if job.train else 0
            heard = heard[start : start + RATE * SECONDS]
        else:
            heard = torch.nn.functional.pad(heard, (0, -room))
        return decibels(mel(heard)).T.contiguous()

    return torch_loader.file_batches(job, load, steps)


def images(job):
    from torchvision.io import read_file

    return torch_loader.file_batches(
        job, lambda path: torch_loader.decode(read_file(path)), torch_loader.transform(job)
    )


WORK = {"sound": sound, "simclr": views, "detection": detection}


def batches(job):
    return WORK.get(job.work, images)(job)


if __name__ == "__main__":
    run(__doc__, batches, lambda job: ("torch", "torchaudio", "soundfile") if job.sound else ("torch", "torchvision"))
