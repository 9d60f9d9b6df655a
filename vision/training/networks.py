"""The networks, in PyTorch: only training needs this; play runs their ONNX files through OpenCV."""

import torch
from torch import nn

from vision.levels import (
    ACROSS,
    CHANNELS,
    CHOICES,
    COLOURS,
    FACE_FEATURES,
    FACES,
    LEVEL_LAYERS,
    NEXT,
    OUTPUTS,
    ROWS,
    SIZES,
    STEPS,
)
from vision.reader import PARTS
from vision.stands import PATCH_LAYERS, PATCH_PX, STANDS


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


class Faces(nn.Module):
    """(n, CHANNELS, rows, across) -> (n, FACE_FEATURES): what one face of one candidate looks like."""

    def __init__(self) -> None:
        super().__init__()
        self.edges = nn.Sequential(block(CHANNELS, 16, 1), block(16, 24, 2))
        cells = ((len(ROWS) + 1) // 2) * ((len(ACROSS) + 1) // 2)
        self.whole = nn.Sequential(nn.Linear(24 * cells, FACE_FEATURES), nn.ReLU())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.whole(self.edges(x).flatten(1))


class Levels(nn.Module):
    """(n, LEVEL_LAYERS, SIZES, STEPS) -> (n, OUTPUTS): see `vision.levels` for their meaning.

    The faces of each candidate are put together; then neighbours up and down the stack, of every size, are compared.
    """

    def __init__(self) -> None:
        super().__init__()
        self.each = nn.Conv2d(LEVEL_LAYERS, 64, 1)
        self.which = nn.Parameter(torch.zeros(1, 64, SIZES, STEPS))
        self.described = nn.Sequential(nn.BatchNorm2d(64), nn.ReLU())
        self.compared = nn.Sequential(
            nn.Dropout2d(0.2),
            nn.Conv2d(64, 128, (SIZES, 3), padding=(0, 1), bias=False),
            nn.BatchNorm2d(128),
            nn.ReLU(),
            nn.Conv2d(128, 128, (1, 3), padding=(0, 1), bias=False),
            nn.BatchNorm2d(128),
            nn.ReLU(),
        )
        self.choices = nn.Conv2d(128, (NEXT + COLOURS) * SIZES, 1)
        self.whole = nn.Sequential(nn.Linear(128 * STEPS, 64), nn.ReLU(), nn.Linear(64, OUTPUTS - CHOICES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        steps = self.compared(self.described(self.each(x) + self.which))
        return torch.cat([self.choices(steps).flatten(1), self.whole(steps.flatten(1))], dim=1)


class Stacks(nn.Module):
    """Both together, as they are trained: (n * candidates * FACES, ...) faces and (n, CONTEXT) -> (n, OUTPUTS)."""

    def __init__(self) -> None:
        super().__init__()
        self.faces, self.levels = Faces(), Levels()

    def forward(self, faces: torch.Tensor, context: torch.Tensor) -> torch.Tensor:
        n = len(context)
        seen = self.faces(faces).reshape(n, SIZES, STEPS, FACES * FACE_FEATURES).permute(0, 3, 1, 2)
        return self.levels(torch.cat([seen, context[:, :, None, None].expand(-1, -1, SIZES, STEPS)], dim=1))


class Stands(nn.Module):
    """(n, PATCH_LAYERS, PATCH_PX, PATCH_PX) -> (n, STANDS): scores of whose stand it is.

    It sees how steep each step of brightness is, too, on a logarithmic scale: a white stand's edge on white paper is
    fainter than the paper's own lines.
    """

    def __init__(self) -> None:
        super().__init__()
        slopes = torch.zeros(2, PATCH_LAYERS, 3, 3)
        slopes[0, :3] = torch.tensor([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]]) / 12
        slopes[1] = slopes[0].transpose(1, 2)
        self.register_buffer("slopes", slopes)
        self.register_buffer("both", torch.ones(1, 2, 1, 1))
        self.body = nn.Sequential(
            block(PATCH_LAYERS + 1, 16, 2),
            block(16, 24, 1),
            block(24, 32, 2),
            block(32, 32, 1),
            block(32, 48, 2),
            block(48, 48, 1),
            nn.Conv2d(48, 16, 1, bias=False),
            nn.BatchNorm2d(16),
            nn.ReLU(),
        )
        cells = (PATCH_PX // 8) ** 2
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(16 * cells, 64), nn.ReLU(), nn.Linear(64, len(STANDS)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        slope = nn.functional.conv2d(x, self.slopes, padding=1)
        steepness = torch.log(nn.functional.conv2d(slope * slope, self.both) + 1e-4)
        return self.head(self.body(torch.cat([x, 0.25 * steepness + 1.5], 1)).flatten(1))
