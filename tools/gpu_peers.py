#!/usr/bin/env python3
"""What `plumb gpu-bench` times, in PyTorch on the same card: prints {"name", "seconds"} for each, a line of JSON.

    tools/gpu_peers.py [--elements N] [--side N] [--small] [--only REGEX] [--seconds N] [--device cuda]

In full precision, as Plumb computes. Steps are captured in CUDA graphs; "how" says so of each line, and where that fails
why, with the time of kernels launched one by one. What fails is a line with "error", and the exit code is 1. Without
PyTorch, or where it sees no card, it says so and ends with 3.
"""
import argparse
import json
import re
import sys
import time

COLUMNS = 1024
LONG_ENOUGH = 0.1  # seconds
WARM_UP, TRIES = 4, 3
# (batch, batch where all is small) of each model, as `plumb gpu-bench` has them.
BATCHES = {"mlp": (1024, 4), "lenet": (512, 4), "resnet-50": (64, 2), "transformer": (64, 2), "alexnet": (128, 2),
           "vgg-a": (32, 2), "googlenet": (64, 2), "lstm": (64, 2)}
PLAIN = ", kernels one by one"


class Bench:
    """What it is called, a function that prepares a step, and the batch of it."""

    def __init__(self, name, prepare, batch=0):
        self.name, self.prepare, self.batch = name, prepare, batch


class Peer:
    """PyTorch, on a device and with given sizes."""

    def __init__(self, torch, given):
        self.torch, self.device, self.small = torch, given.device, given.small
        self.elements = given.elements or (512 if given.small else 1 << 26)
        self.side = given.side or (16 if given.small else 8192)
        self.is_card = given.device == "cuda"

    def wait(self):
        if self.is_card:
            self.torch.cuda.synchronize()

    def seconds_of(self, step):
        """Of one step, when so many follow each other that they take a while: the least of three such times."""
        def measured(times):
            self.wait()
            start = time.perf_counter()
            for _ in range(times):
                step()
            self.wait()
            return time.perf_counter() - start
        measured(WARM_UP)
        times, best = 1, measured(1)
        while best < LONG_ENOUGH:
            times *= 2
            best = measured(times)
        return min([best, *(measured(times) for _ in range(1, TRIES))]) / times

    def captured(self, step):
        """The step as one launch, and how it is done."""
        if not self.is_card:
            return step, "no card"
        torch = self.torch
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(WARM_UP):
                step()
        torch.cuda.current_stream().wait_stream(aside)
        self.wait()
        graph = torch.cuda.CUDAGraph()
        try:
            with torch.cuda.graph(graph):
                step()
            graph.replay()
            self.wait()
        except Exception as error:  # noqa: BLE001: whatever it is, kernels one by one are still to be tried
            return step, f"kernels one by one, as no graph could be captured: {first_line(error)}"
        return graph.replay, "a CUDA graph"

    def kernels(self):
        """Each kernel that is bound by memory."""
        torch, device = self.torch, self.device
        columns = min(self.elements, COLUMNS)
        shape = (self.elements // columns, columns)

        def operand():
            return torch.rand(shape, device=device) * 0.5 + 0.5

        def kernel(compute):
            def prepare():
                x, y = operand(), operand()
                return lambda: compute(x, y)
            return prepare

        def updated(optimizer, **options):
            def prepare():
                weights = torch.nn.Parameter(operand())
                weights.grad = operand()
                return optimizer([weights], lr=1e-6, fused=self.is_card, **options).step
            return prepare
        yield "relu", kernel(lambda x, y: torch.relu(x))
        yield "exp", kernel(lambda x, y: torch.exp(x))
        yield "add", kernel(lambda x, y: x + y)
        yield "multiply", kernel(lambda x, y: x * y)
        yield "cast to float16", kernel(lambda x, y: x.half())
        yield "gradient descent", updated(torch.optim.SGD)
        yield "momentum", updated(torch.optim.SGD, momentum=0.9)
        yield "adam", updated(torch.optim.Adam)
        yield "sum of all", kernel(lambda x, y: x.sum())
        yield "sums of rows", kernel(lambda x, y: x.sum(1))
        yield "sums of columns", kernel(lambda x, y: x.sum(0))
        yield "softmax", kernel(lambda x, y: torch.softmax(x, 1))
        yield "transpose", kernel(lambda x, y: x.t().contiguous())
        yield "uniform random (Philox)", kernel(lambda x, y: torch.rand(shape, device=device))
        yield "normal random (Philox)", kernel(lambda x, y: torch.randn(shape, device=device))

    def products(self):
        torch = self.torch
        for name in ["float32", "float16", "bfloat16"]:
            def product(dtype=getattr(torch, name)):
                x, y = (torch.rand((self.side, self.side), device=self.device).to(dtype) for _ in range(2))
                return lambda: x @ y
            yield f"product of {name}", product

    def null_step(self, is_captured):
        x = self.torch.ones(1, device=self.device)
        step, how = self.captured(lambda: self.torch.relu(x)) if is_captured else (lambda: self.torch.relu(x), "")

        def waited():
            step()
            self.wait()
        return waited, how

    def training(self, name, is_captured, is_fed=False):
        """A step of a model whose numbers lie on the card, unless it is fed; its ids are fed."""
        import gpu_peer_models
        torch = self.torch
        made = gpu_peer_models.make(name, BATCHES[name][self.small], self.small)
        model = made.model.to(self.device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, fused=self.is_card)
        host = [value.pin_memory() if self.is_card else value for value in [*made.numbers, *made.ids]]
        held = [value.to(self.device) for value in host]
        fed = list(zip(held, host))[0 if is_fed else len(made.numbers):]

        def step():
            optimizer.zero_grad(set_to_none=True)
            made.loss(model, *held).backward()
            if made.clip:
                torch.nn.utils.clip_grad_norm_(model.parameters(), made.clip)
            optimizer.step()
        run, how = self.captured(step) if is_captured else (step, "")

        def whole():
            for place, value in fed:
                place.copy_(value, non_blocking=True)
            run()
        return whole, how

    def benches(self):
        yield Bench("null step", lambda: self.null_step(True))
        yield Bench("null step" + PLAIN, lambda: self.null_step(False))
        for suffix, is_captured in [("", True), (PLAIN, False)]:
            for name in BATCHES:
                yield Bench(f"training step of {name}{suffix}",
                            lambda name=name, captured=is_captured: self.training(name, captured),
                            BATCHES[name][self.small])
            if is_captured:
                for name, prepare in [*self.products(), *self.kernels()]:
                    yield Bench(name, lambda prepare=prepare: (prepare(), ""))
                yield Bench("lenet fed, one step at a time", lambda: self.training("lenet", True, is_fed=True),
                            BATCHES["lenet"][self.small])


def first_line(error):
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def timed(peer, bench):
    """What becomes of a bench. What it held of the card's memory is given back."""
    try:
        step, how = bench.prepare()
        answer = {"seconds": peer.seconds_of(step)}
        if how:
            answer["how"] = how
    except Exception as error:  # noqa: BLE001: the other benches go on
        print(f"{bench.name}: {first_line(error)}", file=sys.stderr, flush=True)
        answer = {"error": first_line(error)}
    step = None
    if peer.is_card:
        try:
            peer.torch.cuda.empty_cache()
        except RuntimeError:
            pass  # the card has failed: each bench that follows says so
    return {"name": bench.name, **answer, **({"batch": bench.batch} if bench.batch else {})}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=0)
    parser.add_argument("--side", type=int, default=0)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", default=".", metavar="REGEX", help="benches whose name matches")
    parser.add_argument("--seconds", type=float, default=0, help="begin no bench later than this; 0: no limit")
    parser.add_argument("--device", default="cuda")
    return parser


def main():
    given = options().parse_args()
    start = time.monotonic()
    try:
        import torch
    except ImportError:
        print("there is no PyTorch", file=sys.stderr)
        return 3
    if given.device == "cuda" and not torch.cuda.is_available():
        print("PyTorch sees no card", file=sys.stderr)
        return 3
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    peer = Peer(torch, given)
    is_well = True
    for bench in peer.benches():
        if not re.search(given.only, bench.name):
            continue
        if given.seconds and time.monotonic() - start > given.seconds:
            answer = {"name": bench.name, "error": "not run: out of time"}
        else:
            answer = timed(peer, bench)
        is_well = is_well and "error" not in answer
        print(json.dumps(answer), flush=True)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
