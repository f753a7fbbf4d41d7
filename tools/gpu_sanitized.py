"""What NVIDIA's compute-sanitizer looks at: benches that are small, and an op or more of each family of kernels."""
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gpu_parts

# By folder of fastpath/gpu, what `plumb conformance ops --filter` takes; the first of each is the quick check's.
FAMILIES = {
    "activation": ["Softmax/T=float32", "Relu/T=float32"],
    "array": ["Transpose/T=float32", "ConcatV2/T=float32", "GatherV2/*float32*", "ScatterNd/*float32*",
              "Pad/T=float32*", "StridedSlice/T=float32*", "Where/T=float32",
              "DynamicPartition/T=float32", "Unique/T=float32*"],
    "check": ["CheckNumerics/T=float32"],
    "convolution": ["Conv2D/T=float32", "MaxPool/T=float32", "DepthwiseConv2dNative/T=float32", "AvgPool/T=float32",
                    "Dilation2D/T=float32", "MaxPoolGrad/T=float32"],
    "data_flow": ["StackPushV2/*float32*", "TensorArrayWriteV3/*float32*"],
    "image": ["ResizeBilinear/T=float32", "CropAndResize/T=float32", "NonMaxSuppressionV3/T=float32"],
    "linalg": ["Cholesky/T=float32", "Qr/T=float32", "Svd/T=float32", "MatrixSolve/T=float32"],
    "loss": ["SparseSoftmaxCrossEntropyWithLogits/*float32*", "CTCLossV2"],
    "math": ["Add/T=float32", "AddN/T=float32", "SelectV2/T=float32", "Cast/*float32*"],
    "matrix": ["MatMul/T=float32", "BatchMatMulV2/T=float32"],
    "normalization": ["FusedBatchNormV3/*float32*", "LRN/T=float32", "BiasAddGrad/T=float32"],
    "optimizer": ["ApplyAdam/T=float32", "SparseApplyAdagrad/T=float32*"],
    "quantization": ["FakeQuantWithMinMaxVars"],
    "random": ["RandomUniform/*float32*", "TruncatedNormal/*float32*", "Multinomial/T=float32*"],
    "reduction": ["Sum/T=float32", "ArgMax/T=float32", "Cumsum/T=float32", "UnsortedSegmentSum/T=float32*",
                  "SparseSegmentSum/T=float32*", "TopKV2/T=float32", "SegmentSum/T=float32"],
    "rnn": ["BlockLSTM/T=float32", "GRUBlockCell/T=float32"],
    "sparse": ["SparseTensorDenseMatMul/T=float32*", "SparseReorder/T=float32"],
    "spectral": ["FFT/*complex64", "RFFT"],
    "state": ["ScatterAdd/T=float32", "ResourceGather/*float32*", "AssignAdd/T=float32"],
}
PLACES = ["/usr/local/cuda/bin/compute-sanitizer", "/opt/cuda/bin/compute-sanitizer"]
MARK, MOST = "=========", 15  # before each of its lines, of which so many are told
CLEAN = "ERROR SUMMARY: 0 errors"


def sanitizer():
    """Where it is, or None."""
    return shutil.which("compute-sanitizer") or next((place for place in PLACES if Path(place).exists()), None)


def commands(tool_path, program, backend, quick):
    """(name, command) of each part: benches first, in which nothing is forked."""
    tools = {tool: [tool_path, "--tool", tool, "--error-exitcode", "1", "--target-processes", "all"]
             for tool in (["memcheck"] if quick else ["memcheck", "racecheck"])}
    for tool, looks in tools.items():
        for group in ["kernels", "lenet"] if quick else ["kernels", "products", "lenet", "lstm", "transformer"]:
            yield f"{tool} of {group}", [*looks, program, "gpu-bench", "--backend", backend, "--small", "--only",
                                         f"^{group}: "]
    for tool, looks in tools.items():
        for filters in FAMILIES.values():
            for chosen in filters[:1] if quick else filters:
                yield f"{tool} of {chosen}", [*looks, program, "conformance", "ops", "--backend", backend,
                                              "--rounds", "1", "--timeout", "100", "--filter", chosen]


def looked_at(result, output):
    """With what the sanitizer said first, the cause of the rest; one that saw no process with a card has failed."""
    said = [line for line in output.splitlines() if line.startswith(MARK)]
    if result["outcome"] != "passed":
        result["tail"] = said[:MOST] + result["tail"][-5:]
    elif CLEAN not in output:
        result["outcome"], result["tail"] = "failed", ["no kernel was looked at", *output.splitlines()[-5:]]
    return result


def run_all(parts, clock, seconds, env, folder):
    """What became of each; several at once, in their order, none begun when the time is over."""
    end = clock.left() - seconds

    def one(part):
        name, command = part
        left = clock.left() - end
        if left < 2:
            return gpu_parts.not_run(name)
        result, output = gpu_parts.run(name, command, left, env, folder / f"{gpu_parts.slug(name)}.txt")
        return looked_at(result, output)
    with ThreadPoolExecutor(max(1, min(12, (os.cpu_count() or 2) // 2))) as pool:
        return list(pool.map(one, parts))
