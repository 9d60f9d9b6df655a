"""The two networks, in PyTorch: only training needs this; play runs their ONNX files through OpenCV."""

import torch
from torch import nn

from vision.levels import CHOICES, COLOURS, FEATURES, NEXT, OUTPUTS, SIZES, STEPS
from vision.reader import PARTS


def block(inputs: int, outputs: int, stride: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(width, width, 1), nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.body(x))


class Finder(nn.Module):
    """(n, 6, h, w) -> (n, 4, h/2, w/2): log-odds of a foot, offsets right and down in mm, log-odds of a hand."""

    def __init__(self) -> None:
        super().__init__()
        self.in1 = block(6, 16, 2)
        self.in2 = nn.Sequential(block(16, 32, 2), Residual(32))
        self.in3 = nn.Sequential(block(32, 48, 2), Residual(48))
        self.in4 = nn.Sequential(block(48, 64, 2), Residual(64))
        self.up3 = nn.Conv2d(64, 48, 1)
        self.up2 = nn.Conv2d(48, 32, 1)
        self.up1 = nn.Conv2d(32, 16, 1)
        self.mix3, self.mix2, self.mix1 = block(48, 48, 1), block(32, 32, 1), block(16, 16, 1)
        self.out = nn.Conv2d(16, 4, 1)
        nn.init.constant_(self.out.bias, -3.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = self.in1(x)
        b = self.in2(a)
        c = self.in3(b)
        d = self.in4(c)
        grow = nn.functional.interpolate
        c = self.mix3(c + grow(self.up3(d), scale_factor=2.0, mode="nearest"))
        b = self.mix2(b + grow(self.up2(c), scale_factor=2.0, mode="nearest"))
        a = self.mix1(a + grow(self.up1(b), scale_factor=2.0, mode="nearest"))
        return self.out(a)


class Reader(nn.Module):
    """(n, 8, 120, 60) -> (n, sum of PARTS): see `vision.reader` for their meaning.

    The last layers see the stack three ways: deep features over the whole window, finer ones along the stack's axis
    (a level of a stack is a band a few mm high), and the plain colours there.
    """

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(block(8, 24, 2), block(24, 32, 2), Residual(32))
        self.deep = nn.Sequential(
            block(32, 64, 2),
            Residual(64),
            block(64, 80, 2),
            Residual(80),
            nn.Conv2d(80, 24, 1, bias=False),
            nn.BatchNorm2d(24),
            nn.ReLU(),
        )
        self.fine = nn.Sequential(nn.Conv2d(32, 4, 1, bias=False), nn.BatchNorm2d(4), nn.ReLU())
        self.head = nn.Sequential(
            nn.Dropout(0.25),
            nn.Linear(24 * 8 * 4 + 4 * 30 * 9 + 3 * 24 * 6, 224),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(224, sum(PARTS.values())),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        near = self.near(x)
        fine = self.fine(near)[:, :, :, 3:12]
        colours = nn.functional.avg_pool2d(x[:, :3], 5)[:, :, :, 3:9]
        return self.head(torch.cat([self.deep(near).flatten(1), fine.flatten(1), colours.flatten(1)], dim=1))


class Levels(nn.Module):
    """(n, FEATURES, STEPS, SIZES) -> (n, OUTPUTS): see `vision.levels` for their meaning.

    Each candidate piece is described by itself; then neighbours up and down the stack, of every size, are compared.
    """

    def __init__(self) -> None:
        super().__init__()
        self.each = nn.Conv2d(FEATURES, 96, 1)
        self.which = nn.Parameter(torch.zeros(1, 96, STEPS, SIZES))
        self.described = nn.Sequential(nn.BatchNorm2d(96), nn.ReLU(), nn.Conv2d(96, 64, 1), nn.BatchNorm2d(64), nn.ReLU())
        self.compared = nn.Sequential(
            nn.Dropout2d(0.1),
            nn.Conv2d(64, 160, (3, SIZES), padding=(1, 0), bias=False),
            nn.BatchNorm2d(160),
            nn.ReLU(),
            nn.Conv2d(160, 160, (3, 1), padding=(1, 0), bias=False),
            nn.BatchNorm2d(160),
            nn.ReLU(),
        )
        self.choices = nn.Conv2d(160, (NEXT + COLOURS) * SIZES, 1)
        self.whole = nn.Sequential(nn.Linear(160 * STEPS, 64), nn.ReLU(), nn.Linear(64, OUTPUTS - CHOICES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        steps = self.compared(self.described(self.each(x) + self.which))
        choices = self.choices(steps).reshape(-1, SIZES, NEXT + COLOURS, STEPS).permute(0, 2, 3, 1)
        return torch.cat([choices.flatten(1), self.whole(steps.flatten(1))], dim=1)
