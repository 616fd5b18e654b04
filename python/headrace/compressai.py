"""Exports a checkpoint of CompressAI as a file of weights that the engine reads.

    python -m headrace.compressai CHECKPOINT OUT.safetensors [--quality Q] [--metric mse]

CHECKPOINT is what `torch.save` made of a model's `state_dict()`, or of a dictionary that has it
under `state_dict`: bmshj2018-factorized, bmshj2018-hyperprior, mbt2018-mean, mbt2018,
cheng2020-anchor, cheng2020-attn or lossyless, which is told by the tensors. Needs PyTorch; and CompressAI if
the checkpoint lacks the integer tables, that is if `update()` was not called before it was saved.

Put the file into the folder that HEADRACE_MODELS names, or else ~/.cache/headrace/models, as
NAME-Q.safetensors: the encoding is then called learned:NAME:Q.
"""

import argparse
import json
import os
import pickle
import struct
import sys

__all__ = ["architecture", "export", "tensors"]

_PARTS = ("g_a.", "g_s.", "h_a.", "h_s.", "context_prediction.", "entropy_parameters.")
_LEFT_OUT = (".pedestal", ".bound", ".mask")
_TABLES = ("_quantized_cdf", "_cdf_length", "_offset")
_CODERS = {
    "entropy_bottleneck": (*_TABLES, "quantiles"),
    "gaussian_conditional": (*_TABLES, "scale_table"),
}


def architecture(state):
    """The name of the architecture that has the tensors of a `state_dict()`.

    Raises ValueError if it is none that the engine knows.
    """
    if "scaling" in state and "biasing" in state:
        return "lossyless"
    if "g_a.0.conv1.weight" in state:
        return "cheng2020-attn" if "g_a.3.conv_a.0.conv.0.weight" in state else "cheng2020-anchor"
    if "g_a.1.beta" not in state or "entropy_bottleneck.quantiles" not in state:
        raise ValueError("not a checkpoint of an architecture that is known")
    if "context_prediction.weight" in state:
        return "mbt2018"
    if "h_s.4.weight" not in state:
        return "bmshj2018-factorized"
    twice = state["h_s.4.weight"].shape[0] == 2 * state["g_a.6.weight"].shape[0]
    return "mbt2018-mean" if twice else "bmshj2018-hyperprior"


def _with_tables(state, name):
    """The same tensors with integer tables, which CompressAI makes if they are missing."""
    if all(
        state.get(f"{coder}.{table}") is not None and state[f"{coder}.{table}"].numel()
        for coder in _CODERS
        for table in _TABLES
        if coder in {key.split(".")[0] for key in state}
    ):
        return state
    try:
        from compressai.entropy_models import EntropyBottleneck
        from compressai.zoo.image import model_architectures
    except ImportError as error:
        raise ValueError(
            "the checkpoint has no integer tables: install compressai, or call update() before"
            " saving it"
        ) from error
    if name == "lossyless":
        prefix = "entropy_bottleneck."
        coder = EntropyBottleneck(state[prefix + "quantiles"].shape[0])
        own = {key[len(prefix) :]: value for key, value in state.items() if key.startswith(prefix)}
        coder.load_state_dict({k: v for k, v in own.items() if k not in _TABLES}, strict=False)
        lacking = [key for key, _ in coder.named_parameters() if key not in own]
        if lacking:
            raise ValueError(f"the checkpoint has no {prefix}{lacking[0]}")
        coder.update(force=True)
        return state | {prefix + table: getattr(coder, table) for table in _TABLES}
    model = model_architectures[name].from_state_dict(state)
    model.update(force=True)
    return model.state_dict()


def tensors(state, name):
    """The tensors of a `state_dict()` that coding needs: name to tensor, float32 or int32.

    Rows of integer tables are packed: only the numbers that count, one row after the other.
    """
    state = _with_tables(state, name)
    kept = {}
    for key, value in state.items():
        if key in ("scaling", "biasing") or key.startswith(_PARTS) and not any(word in key for word in _LEFT_OUT):
            kept[key] = value.detach().float()
    for coder, parts in _CODERS.items():
        if f"{coder}._cdf_length" not in state:
            continue
        for part in parts:
            value = state[f"{coder}.{part}"].detach()
            kept[f"{coder}.{part}"] = value.int() if part in _TABLES else value.float()
        rows = state[f"{coder}._quantized_cdf"]
        lengths = state[f"{coder}._cdf_length"].flatten().tolist()
        flat = [number for row, n in zip(rows.tolist(), lengths) for number in row[:n]]
        kept[f"{coder}._quantized_cdf"] = rows.new_tensor(flat).int()
    return kept


def _write(out, kept, metadata):
    header = {"__metadata__": metadata}
    at = 0
    for key, value in kept.items():
        size = 4 * value.numel()
        dtype = "F32" if value.is_floating_point() else "I32"
        header[key] = {"dtype": dtype, "shape": list(value.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(out, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for value in kept.values():
            file.write(value.contiguous().cpu().numpy().tobytes())


def export(state, out, quality=1, metric="mse", without=()):
    """Writes a `state_dict()` to a file.

    out: path of the file.
    quality: 1 to 16, as CompressAI counts; metric: "mse" or "ms-ssim". Both are kept in samples.
    without: names of entropy models whose tables are left out, because the engine has them.
    Returns the name of the architecture. Raises ValueError if it is not known.
    """
    if not 1 <= quality <= 16 or metric not in ("mse", "ms-ssim"):
        raise ValueError(f"quality {quality}, metric {metric}: expected 1 to 16, mse or ms-ssim")
    name = architecture(state)
    kept = tensors(state, name)
    kept = {key: value for key, value in kept.items() if key.split(".")[0] not in without}
    _write(out, kept, {"architecture": name, "quality": str(quality), "metric": metric})
    return name


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m headrace.compressai", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("checkpoint", metavar="CHECKPOINT")
    parser.add_argument("out", metavar="OUT.safetensors")
    parser.add_argument("--quality", type=int, default=1, help="1 to 16 (1)")
    parser.add_argument("--metric", choices=("mse", "ms-ssim"), default="mse")
    options = parser.parse_args(arguments)
    import torch

    if os.path.exists(options.out):
        print(f"{options.out} exists, and samples may need it: name another file", file=sys.stderr)
        return 1
    try:
        state = torch.load(options.checkpoint, map_location="cpu", weights_only=True)
        name = export(state.get("state_dict", state), options.out, options.quality, options.metric)
    except (OSError, ValueError, KeyError, RuntimeError, pickle.UnpicklingError) as error:
        print(f"{options.checkpoint}: {error}", file=sys.stderr)
        return 1
    print(f"{options.out}: {name}, quality {options.quality}, {options.metric}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
