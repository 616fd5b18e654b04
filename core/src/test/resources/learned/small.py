"""Trains the models small-1 to small-3 that come with the engine.

    pip install compressai==1.2.8; python small.py CLOTHING/train FOLDER

CLOTHING is github.com/alexeygrigorev/clothing-dataset-small (CC0 1.0), 400 x 533 pixels, made
smaller by a quarter. The network is bmshj2018-hyperprior of 24 and 40 channels; the loss is
0.01 * 255^2 * MSE + bits a pixel, on crops of 128 pixels. The models that are there were trained
so by time, not by steps, in rounds of about 1,600 steps (batches of 4), 1,400 (of 2) and 1,200 (of 4)
with learning rates of 2e-3, 1.2e-3 and 8e-4 at their start: this makes models like them, not the
same bytes.

One network serves three rates: all that the coder sees is multiplied by a factor, and divided by it
again after. Scales of the hyperprior grow with it, so that nothing needs to be trained again.
"""

import math
import pathlib
import random
import sys

import torch
from compressai.models import ScaleHyperprior
from PIL import Image
from torchvision.transforms.functional import pil_to_tensor

sys.path.insert(0, str(pathlib.Path(__file__).parents[5] / "python"))
from headrace import compressai as exporter  # noqa: E402

WEIGHT, CROP = 0.01, 128
ROUNDS = ((1600, 4, 2e-3), (1400, 2, 1.2e-3), (1200, 4, 8e-4))
FACTORS = {1: 0.5, 2: 1.0, 3: 2.0}


def photos(folder):
    files = sorted(pathlib.Path(folder).glob("*/*.jpg"))
    random.Random(1).shuffle(files)
    for file in files[:500]:
        image = Image.open(file).convert("RGB")
        image = image.resize((image.width * 3 // 4, image.height * 3 // 4), Image.LANCZOS)
        if min(image.size) > CROP:
            yield pil_to_tensor(image)


def crops(pictures, count):
    batch = []
    for _ in range(count):
        picture = random.choice(pictures)
        y = random.randrange(picture.shape[1] - CROP)
        x = random.randrange(picture.shape[2] - CROP)
        crop = picture[:, y : y + CROP, x : x + CROP]
        batch.append(crop.flip(2) if random.random() < 0.5 else crop)
    return torch.stack(batch).float() / 255


def train(model, pictures):
    parameters = [p for n, p in model.named_parameters() if not n.endswith("quantiles")]
    for steps, count, rate in ROUNDS:
        optimizer = torch.optim.Adam(parameters, rate)
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = rate * max(0.03, (1 + math.cos(math.pi * step / steps)) / 2)
            batch = crops(pictures, count)
            made = model(batch)
            bits = sum(-like.log2().sum() for like in made["likelihoods"].values())
            error = (made["x_hat"] - batch).square().mean()
            optimizer.zero_grad()
            (WEIGHT * 255**2 * error + bits / (count * CROP * CROP)).backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()


def scaled(state, factor):
    model = ScaleHyperprior(24, 40)
    torch.nn.Module.load_state_dict(model, state, strict=False)
    with torch.no_grad():
        for layer in (model.g_a[6], model.h_s[4]):
            layer.weight *= factor
            layer.bias *= factor
        for layer in (model.g_s[0], model.h_a[0]):
            layer.weight /= factor
    model.eval()
    model.update(force=True, update_quantiles=True)
    return model.state_dict()


def write(state, folder):
    tables = ("_offset", "_quantized_cdf", "_cdf_length", "scale_table")
    state = {key: value for key, value in state.items() if not key.endswith(tables)}
    for quality, factor in FACTORS.items():
        file = pathlib.Path(folder) / f"small-{quality}.safetensors"
        exporter.export(scaled(state, factor), file, quality, without=("gaussian_conditional",))


def main(data, folder):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    random.seed(1)
    model = ScaleHyperprior(24, 40)
    train(model, list(photos(data)))
    write(model.state_dict(), folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
