"""Writes a trained network as the ONNX file that OpenCV runs, its weights as half floats to save space."""

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

SMALL = 64  # tensors of fewer numbers stay as they are


def write_onnx(network: torch.nn.Module, sample: torch.Tensor, path: Path, dynamic_size: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    axes = {0: "n", 2: "h", 3: "w"} if dynamic_size else {0: "n"}
    torch.onnx.export(
        network.to(memory_format=torch.contiguous_format),
        (sample,),
        str(path),
        input_names=["layers"],
        output_names=["answer"],
        dynamic_axes={"layers": axes, "answer": axes},
        opset_version=17,
        dynamo=False,
    )
    _halve(path)


def _halve(path: Path) -> None:
    model = onnx.load(str(path))
    graph, casts = model.graph, []
    for tensor in list(graph.initializer):
        if tensor.data_type == TensorProto.FLOAT and np.prod(tensor.dims) > SMALL:
            half = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{tensor.name}_half")
            graph.initializer.remove(tensor)
            graph.initializer.append(half)
            casts.append(helper.make_node("Cast", [half.name], [tensor.name], to=TensorProto.FLOAT))
    nodes = casts + list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
