"""Writes a trained network as the ONNX file that OpenCV runs."""

from pathlib import Path

import torch


def write_onnx(network: torch.nn.Module, sample: torch.Tensor, path: Path, dynamic_size: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    axes = {0: "n", 2: "h", 3: "w"} if dynamic_size else {0: "n"}
    torch.onnx.export(
        network,
        (sample,),
        str(path),
        input_names=["layers"],
        output_names=["answer"],
        dynamic_axes={"layers": axes, "answer": axes if dynamic_size else {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
