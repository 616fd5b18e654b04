#!/usr/bin/env python3
"""A LightningDataModule over Headrace: `python examples/train_lightning.py TRAIN VAL`.

Needs pytorch_lightning and torchvision. Lightning moves each batch with `Batch.to`, asks for the
rank before loaders are made, and keeps the loader's state in its checkpoints.
"""

import sys

import pytorch_lightning as lightning
import torch
import torchvision

from headrace.torch import Loader

TRAIN = "random_resized_crop=%d,flip,normalize=imagenet,float32,chw"
VAL = "resize_shorter=%d,center_crop=%d,normalize=imagenet,float32,chw"


class Pictures(lightning.LightningDataModule):
    def __init__(self, train, val, batch=32, size=224, seed=1):
        super().__init__()
        self.folders, self.batch, self.size, self.seed = (train, val), batch, size, seed

    def train_dataloader(self):
        return Loader(
            self.folders[0], batch_size=self.batch, seed=self.seed, drop_last=True,
            pipeline=TRAIN % self.size,
        )

    def val_dataloader(self):
        return Loader(
            self.folders[1], batch_size=self.batch, shuffle=False, classes=self.folders[0],
            pipeline=VAL % (self.size * 8 // 7, self.size),
        )


class Classifier(lightning.LightningModule):
    def __init__(self, classes):
        super().__init__()
        self.model = torchvision.models.resnet18(num_classes=classes)

    def training_step(self, batch, number):
        images, labels = batch
        loss = torch.nn.functional.cross_entropy(self.model(images), labels)
        self.log("loss", loss, batch_size=len(labels))
        return loss

    def validation_step(self, batch, number):
        images, labels = batch
        right = (self.model(images).argmax(1) == labels).float().mean()
        self.log("accuracy", right, prog_bar=True, batch_size=len(labels))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.05, momentum=0.9)


def main(train, val, epochs=1, size=224):
    data = Pictures(train, val, size=int(size))
    with data.train_dataloader() as loader:
        classes = len(loader.classes)
    trainer = lightning.Trainer(
        accelerator="auto", devices=1, max_epochs=int(epochs), logger=False,
        enable_checkpointing=False, num_sanity_val_steps=0, enable_progress_bar=False,
    )
    trainer.fit(Classifier(classes), data)
    print("steps %d, accuracy %.3f" % (trainer.global_step, trainer.callback_metrics["accuracy"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
