"""The descent that trains every network here: AdamW under a rate that falls as a half cosine."""

import math
from collections.abc import Callable

import torch


def descend(
    network: torch.nn.Module,
    loss_at: Callable[[float], torch.Tensor],
    steps: int,
    rate: float = 2e-3,
    decay: float = 1e-2,
    watch: Callable[[], str] | None = None,
    watched: int = 5,
) -> None:
    """Take `steps` steps down `loss_at(share of the way)`, the loss of a fresh batch, and leave the network to be used.

    `watch` says now and then, `watched` times in all, how the network does on photos it is not trained on.
    """
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    shown = 0.0
    for step in range(steps):
        share = step / steps
        network.train()
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (0.5 * (1 + math.cos(math.pi * share)) + 0.004)
        loss = loss_at(share)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        shown = 0.98 * shown + 0.02 * float(loss.detach())
        if step % 100 == 0:
            print(f"step {step} share {share:.2f} loss {shown:.3f}", flush=True)
        if watch is not None and (step + 1) % max(steps // watched, 1) == 0:
            network.eval()
            print(watch(), flush=True)
    network.eval()


def answered(network: torch.nn.Module, *inputs: torch.Tensor) -> torch.Tensor:
    """The network's answer, computed in half precision where the processor is quick at it."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return network(*inputs).float()
