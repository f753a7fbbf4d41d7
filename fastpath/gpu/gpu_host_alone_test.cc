// What the host alone computes in the plan of an emulated GPU leaves while the GPU is busy.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <future>
#include <iterator>
#include <thread>

#include "fastpath/gpu/gpu_section_testing.h"
#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::section_testing {
namespace {

using emulated_gpu::Check;
using emulated_gpu::CudaDriver;
using emulated_gpu::CudaStream;

// The stream of kernels of the GPU does nothing until it may go on.
class HeldStream {
 public:
  HeldStream() : stream_(CudaDriver()->KernelStream(0)) {
    const auto wait = [](void* until) { static_cast<std::promise<void>*>(until)->get_future().wait(); };
    Check(cudaSetDevice(0), "to choose a GPU");
    Check(cudaLaunchHostFunc(static_cast<CudaStream&>(*stream_).handle, wait, &go_on_), "to hold a stream");
  }
  ~HeldStream() {
    if (!is_free_) GoOn();
    EXPECT_TRUE(CudaDriver()->Synchronize(*stream_).ok());
  }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;

  void GoOn() {
    is_free_ = true;
    go_on_.set_value();
  }

 private:
  const std::shared_ptr<Driver::Stream> stream_;
  std::promise<void> go_on_;
  bool is_free_ = false;
};

// A step takes a number from a queue, doubles it in the GPU's plan and writes it into a file; beside that the GPU
// computes.
GraphDef Doubles(const std::string& file) {
  const AttrMap queue = {{"component_types", std::vector<DType>{DType::kInt32}}},
                of_floats = {{"dtype", DType::kFloat}};
  const auto parts = [](const char* name) { return AttrMap{{name, std::vector<DType>{DType::kInt32}}}; };
  GraphDef graph;
  graph.nodes = {Fed("first"),
                 MakeNode("w", "VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({4})}}),
                 MakeNode("w_set", "AssignVariableOp", {"w", "first"}, of_floats),
                 MakeNode("w_now", "ReadVariableOp", {"w"}, of_floats),
                 Op("Tanh", "y", {"w_now"}),
                 MakeNode("given", "FIFOQueueV2", {}, queue),
                 MakeConst("number", MakeScalar(21)),
                 MakeNode("give", "QueueEnqueueV2", {"given", "number"}, parts("Tcomponents")),
                 MakeNode("taken", "QueueDequeueV2", {"given"}, parts("component_types")),
                 MakeNode("twice", "Add", {"taken", "taken"}, {{"T", DType::kInt32}}),
                 MakeNode("text", "AsString", {"twice"}, {{"T", DType::kInt32}}),
                 MakeConst("file", MakeScalar(file)),
                 MakeNode("written", "WriteFile", {"file", "text"}, {})};
  for (NodeDef& node : graph.nodes) {
    if (node.name == "twice" || node.name == "y") node.device = "/device:GPU:0";
  }
  return graph;
}

// Whether it comes true in time.
bool ComesTrue(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::string ContentsOf(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// The number comes when the GPU has got its work. Who runs another step may be kept by the end of the first one, so
// that a thread of its own gives the number.
TEST(HostAlone, LeavesWhileTheGpuIsBusy) {
  const std::string file = testing::TempDir() + "host_alone_" + std::to_string(getpid());
  const auto session = Open(Doubles(file), false);
  std::vector<Tensor> none, nothing;
  const std::vector<Feed> first = {{"first", Numbers({4}, 1)}};
  const std::vector<std::string> sets = {"w_set"}, doubles = {"written", "y"}, gives = {"give"};
  ASSERT_TRUE(session->Run(first, {}, sets, &none).ok());
  Status step, given;
  {
    HeldStream held;
    const int64_t launched = EmulatorLaunches().kernels;
    std::thread steps([&] { step = session->Run({}, {}, doubles, &none); });
    EXPECT_TRUE(ComesTrue([&] { return EmulatorLaunches().kernels > launched; }));
    std::thread giver([&] { given = session->Run({}, {}, gives, &nothing); });
    EXPECT_TRUE(ComesTrue([&] { return ContentsOf(file) == "42"; }));
    held.GoOn();
    steps.join();
    giver.join();
  }
  EXPECT_TRUE(step.ok()) << step.ToString();
  EXPECT_TRUE(given.ok()) << given.ToString();
  std::remove(file.c_str());
}

}  // namespace
}  // namespace plumb::fast::section_testing
