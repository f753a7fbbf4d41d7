// A GPU with little memory, and stacks that hold more than it has room for.
#include <string>
#include <vector>

#include "fastpath/gpu/emulator/emulator_testing.h"
#include "fastpath/session/fast_session.h"
#include "spec/graph/function_testing.h"

namespace plumb::fast::emulated_gpu {
namespace {

constexpr int32_t kElements = 1 << 14;
constexpr size_t kTensor = kElements * sizeof(float);

NodeDef Const(const std::string& name, Tensor value) {
  const DType dtype = value.dtype();
  return MakeNode(name, "Const", {}, {{"value", std::move(value)}, {"dtype", dtype}});
}

// Pushes `count` values, one after the other, then pops them all; pops say which value came first.
GraphDef PushesAndPops(int count, bool swaps) {
  const AttrMap type = {{"T", DType::kFloat}};
  GraphDef graph;
  graph.nodes = {Const("limit", MakeScalar(-1)), Const("dims", MakeVector<int32_t>({kElements})),
                 Const("axes", MakeVector<int32_t>({0})),
                 MakeNode("stack", "StackV2", {"limit"}, {{"elem_type", DType::kFloat}})};
  std::string before = "limit";
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    graph.nodes.push_back(Const("number" + number, MakeScalar(static_cast<float>(i))));
    graph.nodes.push_back(MakeNode("value" + number, "Fill", {"dims", "number" + number, "^" + before}, type));
    before = "push" + number;
    graph.nodes.push_back(
        MakeNode(before, "StackPushV2", {"stack", "value" + number}, {{"T", DType::kFloat}, {"swap_memory", swaps}}));
  }
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i), pop = "pop" + number;
    graph.nodes.push_back(MakeNode(pop, "StackPopV2", {"stack", "^" + before}, {{"elem_type", DType::kFloat}}));
    before = "max" + number;
    graph.nodes.push_back(MakeNode(before, "Max", {pop, "axes"}, type));
  }
  return graph;
}

Status Outcome(int count, bool swaps, std::vector<Tensor>* outputs) {
  const auto session = NewFastSession({.threads = 1, .emulated_gpus = 1, .allow_soft_placement = true});
  const Status status = session->Extend(PushesAndPops(count, swaps));
  if (!status.ok()) return status;
  const std::vector<std::string> fetches = {"max0", "max" + std::to_string(count - 1)};
  return session->Run({}, fetches, {}, outputs);
}

TEST(SwapMemory, StacksOfTwiceTheLengthThatRanOutAreHeldOnTheHost) {
  constexpr int kRoom = 24;
  BeginAnew({.devices = 1, .memory = kRoom * kTensor});
  std::vector<Tensor> outputs;
  EXPECT_TRUE(Outcome(kRoom / 3, false, &outputs).ok());
  EXPECT_EQ(Outcome(kRoom, false, &outputs).code(), Code::kResourceExhausted);
  const Status status = Outcome(2 * kRoom, true, &outputs);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(outputs[0].scalar<float>(), 2 * kRoom - 1);
  EXPECT_EQ(outputs[1].scalar<float>(), 0);
  BeginAnew({});
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
