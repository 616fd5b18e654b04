#!/usr/bin/env python3
"""Headrace under the Hugging Face Trainer: `python examples/train_transformers.py TRAIN`.

The Trainer takes batches as dicts. Needs transformers and accelerate; the model is a small ViT
without pretrained weights.
"""

import sys
import tempfile

import transformers

from headrace.torch import Loader


class Dicts:
    """The loader's batches under the names that a model of transformers takes."""

    def __init__(self, loader):
        self.loader, self.batch_size = loader, loader.hello["batch"]

    def __iter__(self):
        for images, labels in self.loader:
            yield {"pixel_values": images, "labels": labels}

    def __len__(self):
        return len(self.loader)

    def set_epoch(self, epoch):
        self.loader.set_epoch(epoch)


class Trainer(transformers.Trainer):
    def __init__(self, loader, **options):
        super().__init__(**options)
        self.headrace = loader

    def get_train_dataloader(self):
        return Dicts(self.headrace)


def main(train, epochs=1):
    steps = "random_resized_crop=32,flip,normalize=imagenet,float32,chw"
    with Loader(train, batch_size=16, seed=1, drop_last=True, pipeline=steps) as loader:
        shape = transformers.ViTConfig(
            image_size=32, patch_size=8, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
            intermediate_size=64, num_labels=len(loader.classes),
        )
        with tempfile.TemporaryDirectory() as folder:
            arguments = transformers.TrainingArguments(
                folder, num_train_epochs=int(epochs), report_to=[], save_strategy="no",
                disable_tqdm=True, per_device_train_batch_size=16,
            )
            trainer = Trainer(
                loader, model=transformers.ViTForImageClassification(shape), args=arguments
            )
            result = trainer.train()
    print("steps %d, loss %.3f" % (result.global_step, result.training_loss))


if __name__ == "__main__":
    main(*sys.argv[1:])
