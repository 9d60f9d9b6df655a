"""The trained networks, run through OpenCV. One process loads each once; a network serves one thread at a time."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

_TURN = Lock()


@cache
def _network(name: str) -> cv2.dnn.Net:
    with as_file(files("vision") / "weights" / f"{name}.onnx") as path:
        return cv2.dnn.readNetFromONNX(str(path))


def answer(name: str, layers: NDArray[np.float32]) -> NDArray[np.float32]:
    """The output of network `name` ("finder", "reader" ...) for a batch of layers, shape (n, layers, height, width)."""
    with _TURN:
        network = _network(name)
        network.setInput(layers)
        return np.array(network.forward())


def log_softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """The log-probabilities that scores along the last axis stand for."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
