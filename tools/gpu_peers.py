#!/usr/bin/env python3
"""What `plumb gpu-bench` times, in PyTorch on the same card: prints {name: seconds} as JSON.

    tools/gpu_peers.py --elements N --side N --batch N [--device cuda]

In full precision, as Plumb computes. Without PyTorch, or where it sees no card, it says so and ends with 3.
"""
import argparse
import json
import sys
import time

COLUMNS = 1024
LONG_ENOUGH = 0.1  # seconds


def seconds_of(torch, device, step):
    """Of one step, when so many follow each other that they take a while."""
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    step(), step(), wait()
    times = 1
    while True:
        start = time.perf_counter()
        for _ in range(times):
            step()
        wait()
        seconds = time.perf_counter() - start
        if seconds > LONG_ENOUGH:
            return seconds / times
        times *= 2


def kernels(torch, device, elements):
    """(name, step) of each kernel that is bound by memory."""
    columns = min(elements, COLUMNS)
    shape = (elements // columns, columns)
    x, y, m, v = (torch.rand(shape, device=device) * 0.5 + 0.5 for _ in range(4))
    weights = torch.nn.Parameter(x.clone())
    weights.grad = y
    optimizers = {
        "gradient descent": torch.optim.SGD([weights], lr=1e-6),
        "momentum": torch.optim.SGD([weights], lr=1e-6, momentum=0.9),
        "adam": torch.optim.Adam([weights], lr=1e-6, fused=device == "cuda"),
    }
    yield "relu", lambda: torch.relu(x)
    yield "exp", lambda: torch.exp(x)
    yield "add", lambda: x + y
    yield "multiply", lambda: x * y
    yield "cast to float16", lambda: x.half()
    for name, optimizer in optimizers.items():
        yield name, optimizer.step
    yield "sum of all", lambda: x.sum()
    yield "sums of rows", lambda: x.sum(1)
    yield "sums of columns", lambda: x.sum(0)
    yield "softmax", lambda: torch.softmax(x, 1)
    yield "transpose", lambda: x.t().contiguous()
    yield "uniform random (Philox)", lambda: torch.rand(shape, device=device)
    yield "normal random (Philox)", lambda: torch.randn(shape, device=device)


def products(torch, device, side):
    for name, dtype in [("float32", torch.float32), ("float16", torch.float16), ("bfloat16", torch.bfloat16)]:
        x, y = (torch.rand((side, side), device=device).to(dtype) for _ in range(2))
        yield f"product of {name}", lambda x=x, y=y: x @ y


def perceptron(torch, device, side, batch):
    """A training step; the batch comes from the host, as it does in Plumb's."""
    width = side // 4
    model = torch.nn.Sequential(torch.nn.Linear(784, width), torch.nn.ReLU(), torch.nn.Linear(width, width),
                                torch.nn.ReLU(), torch.nn.Linear(width, 10)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    images, labels = torch.rand(batch, 784), torch.randint(10, (batch,))

    def step():
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images.to(device)), labels.to(device)).backward()
        optimizer.step()
    yield "training step of a perceptron", step


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--elements", type=int, required=True)
    options.add_argument("--side", type=int, required=True)
    options.add_argument("--batch", type=int, required=True)
    options.add_argument("--device", default="cuda")
    given = options.parse_args()
    try:
        import torch
    except ImportError:
        print("there is no PyTorch", file=sys.stderr)
        return 3
    if given.device == "cuda" and not torch.cuda.is_available():
        print("PyTorch sees no card", file=sys.stderr)
        return 3
    torch.backends.cuda.matmul.allow_tf32 = False
    seconds = {}
    for benches in [kernels(torch, given.device, given.elements), products(torch, given.device, given.side),
                    perceptron(torch, given.device, given.side, given.batch)]:
        for name, step in benches:
            seconds[name] = seconds_of(torch, given.device, step)
    print(json.dumps(seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
