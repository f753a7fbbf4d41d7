// A convolution on a GPU that has no room for the workspace that cuDNN would like best.
#include "fastpath/gpu/emulator/emulator_testing.h"
#include "fastpath/gpu/emulator/libraries/cudnn.h"
#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/lib/dnn/dnn_testing.h"
#include "spec/graph/function_testing.h"

namespace plumb::fast::emulated_gpu {
namespace {

using Ints = std::vector<int64_t>;

constexpr int64_t kSide = 32, kChannels = 4, kWindow = 5;
// Of all windows, gathered as floats.
constexpr size_t kPatches = kSide * kSide * kWindow * kWindow * kChannels * sizeof(float);

Graph Convolution() {
  const AttrMap type = {{"dtype", DType::kFloat}};
  GraphDef graph;
  graph.nodes = {MakeNode("x", "Placeholder", {}, type), MakeNode("w", "Placeholder", {}, type),
                 MakeNode("y", "Conv2D", {"x", "w"},
                          {{"T", DType::kFloat}, {"strides", Ints{1, 1, 1, 1}}, {"padding", std::string("SAME")}})};
  return Graph::Load(graph);
}

Tensor Filled(const Shape& shape, float number) {
  Tensor tensor(DType::kFloat, shape);
  for (float& value : tensor.mutable_data<float>()) value = number;
  return tensor;
}

// One step of the node on the device.
Tensor RunStep(GpuDevice& device, Kernel& kernel, int64_t step, std::vector<Tensor> inputs) {
  ThreadPool pool(1);
  ResourceManager resources, step_resources;
  device.BeginStep(step, [](const Status&) {});
  std::vector<Entry> entries;
  for (Tensor& input : inputs) entries.push_back({Upload(device, std::move(input)), nullptr});
  Entry output;
  StepContext context{pool, resources, step_resources, step};
  const std::string name = "y";
  KernelContext call(context, entries.data(), static_cast<int>(entries.size()), &output, 1, &name);
  kernel.Run(call);
  EXPECT_TRUE(device.EndStep(step).ok());
  return device.memory()->CopyToHost(output.tensor);
}

// Runs the convolution twice on a device with `memory`.
void RunTwice(size_t memory) {
  BeginAnew({.devices = 1, .memory = memory});
  const Graph graph = Convolution();
  GpuDevice device(NewCudaDriver(), 0, [](const Node&) { return std::shared_ptr<Kernel>(); });
  const std::shared_ptr<Kernel> kernel = device.MakeKernel(graph.nodes().back());
  for (int64_t step = 1; step <= 2; ++step) {
    const Tensor y = RunStep(device, *kernel, step,
                             {Filled({1, kSide, kSide, kChannels}, 1), Filled({kWindow, kWindow, kChannels, 1}, 2)});
    EXPECT_EQ(y.data<float>()[kSide * kSide / 2 + kSide / 2], 2 * kWindow * kWindow * kChannels);
  }
}

TEST(CudnnMemory, WhereItIsShortAnEngineIsChosenThatWantsLess) {
  const WithCudnn with({});
  const WithoutTries without;
  CudnnCalls first = EmulatedCudnnCalls();
  RunTwice(kPatches);  // and images, filter and results besides
  CudnnCalls after = EmulatedCudnnCalls();
  const auto ran = [&](cudnnConvolutionFwdAlgo_t algorithm) {
    return after.forward[algorithm] - first.forward[algorithm];
  };
  EXPECT_EQ(ran(CUDNN_CONVOLUTION_FWD_ALGO_GEMM), 0);
  EXPECT_EQ(ran(CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM), 2);
  EXPECT_EQ(after.choices, first.choices + 1);
}

// The algorithm that wants the patches is left out; the others are tried, and the fastest one runs.
TEST(CudnnMemory, WhereItIsShortWhatWantsTooMuchIsNotTried) {
  const WithCudnn with({});
  CudnnCalls first = EmulatedCudnnCalls();
  RunTwice(kPatches);
  CudnnCalls after = EmulatedCudnnCalls();
  EXPECT_EQ(after.forward[CUDNN_CONVOLUTION_FWD_ALGO_GEMM], first.forward[CUDNN_CONVOLUTION_FWD_ALGO_GEMM]);
  EXPECT_GT(after.engines[74], first.engines[74] + 2);
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
