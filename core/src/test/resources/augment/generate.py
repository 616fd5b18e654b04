"""Makes cases.txt and pixels.gz: what torchvision's functional forms make of one image.

Run: python generate.py, with torch and torchvision (made with torchvision 0.29.2).

A line of cases.txt is "step SPEC" (a step of a pipeline) or "change NAME MAGNITUDE nearest|bilinear"
(a change of a policy) or "corners X0 Y0 … X3 Y3". pixels.gz holds the image, then the result of each
line in turn: uint8 [3, 36, 44] each.
"""

import gzip
import math

import torch
from torchvision.transforms import InterpolationMode as M
from torchvision.transforms.v2 import functional as F

H, W = 36, 44
g = torch.Generator().manual_seed(7)
y, x = torch.meshgrid(torch.arange(H), torch.arange(W), indexing="ij")
image = torch.stack(
    [
        128 + 90 * torch.sin(x / 5.0) + 20 * torch.cos(y / 3.0),
        60 + 3.5 * y + 20 * torch.sin((x + y) / 4.0),
        200 - 4 * x + 2 * y,
    ]
)
image = image + 12 * torch.randn((3, H, W), generator=g)
image[:, 5:9, 5:12] = 255
image[:, 20:24, 30:36] = 0
image[:, 28:32, 3:9] = 77
image = image.clamp(0, 255).to(torch.uint8)

cases = []


def step(spec, result):
    cases.append(("step " + spec, result))


for f in (0, 0.6, 1.3, 2.5):
    step(f"brightness={f}", F.adjust_brightness(image, f))
    step(f"contrast={f}", F.adjust_contrast(image, f))
    step(f"saturation={f}", F.adjust_saturation(image, f))
    step(f"sharpness={f}", F.adjust_sharpness(image, f))
for f in (-0.5, -0.17, 0.05, 0.3, 0.5):
    step(f"hue={f}", F.adjust_hue(image, f))
step("grayscale", F.rgb_to_grayscale(image, 3))
step("invert", F.invert(image))
step("equalize", F.equalize(image))
step("autocontrast", F.autocontrast(image))
for t in (0, 100, 128, 255):
    step(f"solarize={t}", F.solarize(image, t))
for b in (0, 1, 4, 8):
    step(f"posterize={b}", F.posterize(image, b))
for k, s in ((3, 0.4), (5, 1.2), (23, 2.0), (1, 1.0)):
    step(f"gaussian_blur={k}:sigma={s}", F.gaussian_blur(image, [k, k], [s, s]))
step("flip=1", F.horizontal_flip(image))
step("vertical_flip=1", F.vertical_flip(image))
for a in (30, -75, 90, 180, 12.5):
    step(f"rotate={a}..{a}", F.rotate(image, a))
    step(f"rotate={a}..{a}:interpolation=bilinear", F.rotate(image, a, M.BILINEAR))
step("rotate=33..33:fill=128", F.rotate(image, 33, fill=[128.0]))
step("rotate=33..33:interpolation=bilinear:fill=128", F.rotate(image, 33, M.BILINEAR, fill=[128.0]))
for name, mode in (("nearest", M.NEAREST), ("bilinear", M.BILINEAR)):
    step(
        f"affine=20..20:scale=0.8:shear=5..5/-3..-3:interpolation={name}",
        F.affine(image, 20, [0, 0], 0.8, [5, -3], mode),
    )

corners = [[3, 2], [40, 5], [38, 33], [1, 30]]
start = [[0, 0], [W - 1, 0], [W - 1, H - 1], [0, H - 1]]
words = " ".join(str(v) for p in corners for v in p)
cases.append(("corners " + words, F.perspective(image, start, corners, M.BILINEAR)))


def change(name, magnitude, result):
    for word, mode in (("nearest", M.NEAREST), ("bilinear", M.BILINEAR)):
        cases.append((f"change {name} {magnitude} {word}", result(mode)))


for m in (0.3, -0.99):
    degrees = math.degrees(math.atan(m))
    change("SHEAR_X", m, lambda i: F.affine(image, 0.0, [0, 0], 1.0, [degrees, 0.0], i, None, [0, 0]))
    change("SHEAR_Y", m, lambda i: F.affine(image, 0.0, [0, 0], 1.0, [0.0, degrees], i, None, [0, 0]))
for m in (7.8, -3.2):
    change("TRANSLATE_X", m, lambda i: F.affine(image, 0.0, [int(m), 0], 1.0, [0.0, 0.0], i))
    change("TRANSLATE_Y", m, lambda i: F.affine(image, 0.0, [0, int(m)], 1.0, [0.0, 0.0], i))
change("ROTATE", -131.0, lambda i: F.rotate(image, -131.0, i))
cases.append(("change COLOR 0.9 nearest", F.adjust_saturation(image, 1.9)))
cases.append(("change CONTRAST -0.9 nearest", F.adjust_contrast(image, 0.1)))
cases.append(("change SHARPNESS -0.99 nearest", F.adjust_sharpness(image, 0.01)))
cases.append(("change SOLARIZE 0.4 nearest", F.solarize(image, 255 * 0.4)))
cases.append(("change POSTERIZE 3 nearest", F.posterize(image, 3)))

with open("cases.txt", "w") as f:
    f.writelines(line + "\n" for line, _ in cases)
raw = b"".join(t.contiguous().numpy().tobytes() for t in [image] + [r for _, r in cases])
with open("pixels.gz", "wb") as f:
    f.write(gzip.compress(raw, 9, mtime=0))
print(len(cases), "cases")
