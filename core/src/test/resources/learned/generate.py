"""Makes this folder's fixtures: what CompressAI codes, for LearnedCodecTest and RansTest.

    pip install compressai==1.2.8; python generate.py

Networks are narrow, have weights drawn from a seed and are trained for some steps on crops of
photographs, so that their numbers spread as those of real ones do.

ARCHITECTURE-3.safetensors  the weights, as python -m headrace.compressai writes them
ARCHITECTURE.ptci         picture.png as dl2/single_encoder.py writes it
ARCHITECTURE.png          what CompressAI decodes that to, rounded
features.safetensors      an entropy bottleneck on vectors, as dl2's ClipCompressor has it
features.bin              the strings of its vectors: u32be length, bytes
rans.txt                  values, their distributions and the string that CompressAI's coder makes
../../../main/resources/io/headrace/codec/learned/gaussian.safetensors
                          CompressAI's usual tables of the Gaussian conditional
"""

import pathlib
import random
import struct
import sys

import torch
from compressai import ans
from compressai._CXX import pmf_to_quantized_cdf
from compressai.entropy_models import EntropyBottleneck
from compressai.zoo.image import model_architectures
from PIL import Image
from torchvision.transforms.functional import to_pil_image, to_tensor

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[4]
sys.path.insert(0, str(ROOT / "python"))
from headrace import compressai as exporter  # noqa: E402

MODELS = {
    "bmshj2018-factorized": (8, 12),
    "bmshj2018-hyperprior": (8, 12),
    "mbt2018-mean": (8, 12),
    "mbt2018": (6, 9),
    "cheng2020-anchor": (6,),
    "cheng2020-attn": (6,),
}
STEPS = 400
LAMBDA = 0.05


def photos():
    files = sorted((ROOT / "samples/photos").glob("*/*.jpg"))
    return [to_tensor(Image.open(file).convert("RGB")) for file in files[::10]]


def crop(pictures):
    batch = []
    for _ in range(4):
        picture = random.choice(pictures)
        y = random.randrange(picture.shape[1] - 64)
        x = random.randrange(picture.shape[2] - 64)
        batch.append(picture[:, y : y + 64, x : x + 64])
    return torch.stack(batch)


def trained(name, pictures):
    torch.manual_seed(20)
    random.seed(20)
    model = model_architectures[name](*MODELS[name])
    quantiles = {n for n, _ in model.named_parameters() if n.endswith(".quantiles")}
    own = dict(model.named_parameters())
    main = torch.optim.Adam([own[n] for n in own if n not in quantiles], 1e-3)
    aux = torch.optim.Adam([own[n] for n in quantiles], 1e-1)
    for _ in range(STEPS):
        batch = crop(pictures)
        out = model(batch)
        bits = sum(-like.log2().sum() for like in out["likelihoods"].values())
        pixels = batch.numel() / 3
        loss = LAMBDA * 255**2 * (out["x_hat"] - batch).square().mean() + bits / pixels
        main.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(own.values(), 1.0)
        main.step()
        aux.zero_grad()
        model.aux_loss().backward()
        aux.step()
    model.eval()
    model.update()
    return model


def ptci(number, quality, size, shape, strings):
    """As dl2's encode_c: metric "mse" has number 1."""
    parts = [struct.pack(">2B", number, 1 << 4 | quality - 1)]
    parts += [struct.pack(">2I", *size), struct.pack(">3I", *shape, len(strings))]
    for string in strings:
        parts.append(struct.pack(">I", len(string[0])) + string[0])
    return b"".join(parts)


def padded(x):
    h, w = x.shape[-2:]
    down, right = -h % 64, -w % 64
    left, top = right // 2, down // 2
    return torch.nn.functional.pad(x, (left, right - left, top, down - top)), left, top


def networks():
    pictures = photos()
    picture = (pictures[3][:, 40:112, 60:180] * 255).round() / 255
    to_pil_image(picture).save(HERE / "picture.png")
    size = picture.shape[1:]
    tables = None
    for number, name in enumerate(MODELS):
        model = trained(name, pictures)
        with torch.no_grad():
            x, left, top = padded(picture[None])
            coded = model.compress(x)
            decoded = model.decompress(coded["strings"], coded["shape"])["x_hat"]
        decoded = decoded[0, :, top : top + size[0], left : left + size[1]]
        decoded = (decoded * 255).round().byte()
        Image.fromarray(decoded.permute(1, 2, 0).numpy()).save(HERE / f"{name}.png")
        data = ptci(number, 3, size, coded["shape"], coded["strings"])
        (HERE / f"{name}.ptci").write_bytes(data)
        state = model.state_dict()
        exporter.export(
            state, HERE / f"{name}-3.safetensors", 3, "mse", without=("gaussian_conditional",)
        )
        error = (decoded / 255 - picture).square().mean().log10() * -10
        print(name, len(data), "bytes", f"{error:.1f} dB")
        gaussian = {k: v for k, v in exporter.tensors(state, name).items() if "gaussian" in k}
        if gaussian and tables is None:
            tables = gaussian
        assert all(gaussian[k].equal(tables[k]) for k in gaussian)
    main = ROOT / "core/src/main/resources/io/headrace/codec/learned"
    exporter._write(main / "gaussian.safetensors", tables, {})


def features():
    torch.manual_seed(21)
    coder = EntropyBottleneck(32, init_scale=10, filters=[3, 3, 3, 3])
    spread = torch.linspace(0.2, 4, 32)
    aux = torch.optim.Adam(coder.parameters(), 1e-2)
    for _ in range(300):
        _, likely = coder((torch.randn(64, 32) * spread)[:, :, None, None])
        aux.zero_grad()
        (-likely.log2().mean() + coder.loss()).backward()
        aux.step()
    coder.eval()
    coder.update()
    scaling, biasing = torch.randn(32) * 0.3, torch.randn(32) * 0.1
    z = torch.randn(5, 32) * spread
    scaled = (z + biasing) * scaling.exp()
    strings = coder.compress(scaled[:, :, None, None])
    back = coder.decompress(strings, [1, 1])[:, :, 0, 0] / scaling.exp() - biasing
    state = {f"entropy_bottleneck.{k}": v for k, v in coder.state_dict().items()}
    state |= {"scaling": scaling, "biasing": biasing}
    kept = exporter.tensors(state, exporter.architecture(state)) | {"z": z, "back": back}
    exporter._write(HERE / "features.safetensors", {k: v.detach() for k, v in kept.items()}, {})
    strings = b"".join(struct.pack(">I", len(s)) + s for s in strings)
    (HERE / "features.bin").write_bytes(strings)


def rans():
    random.seed(22)
    lines = []
    for count in (7, 2000):
        pmfs = [[random.random() ** 8 for _ in range(n)] for n in (2, 3, 40, 300)]
        pmfs = [[torch.tensor(p).item() for p in pmf] for pmf in pmfs]
        cdfs = [pmf_to_quantized_cdf(pmf, 16) for pmf in pmfs]
        offsets = [random.randrange(-20, 5) for _ in cdfs]
        indexes = [random.randrange(len(cdfs)) for _ in range(count)]
        values = [
            offsets[i] + int(random.choice((1, 1, 1, 40)) * random.gauss(len(cdfs[i]) / 3, 20))
            for i in indexes
        ]
        if count > 7:
            values[5:9] = [2**26, -(2**26), 70000, -70000]
        lengths = [len(cdf) for cdf in cdfs]
        coder = ans.BufferedRansEncoder()  # the other one has no room for many escapes
        coder.encode_with_indexes(values, indexes, cdfs, lengths, offsets)
        lines += [" ".join(float(p).hex() for p in pmf) for pmf in pmfs]
        lines += [" ".join(map(str, cdf)) for cdf in cdfs]
        lines += [" ".join(map(str, x)) for x in (offsets, indexes, values)] + [coder.flush().hex(), ""]
    (HERE / "rans.txt").write_text("\n".join(lines))


if __name__ == "__main__":
    torch.set_num_threads(1)
    rans()
    features()
    networks()
