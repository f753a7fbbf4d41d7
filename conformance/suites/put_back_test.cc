// What a consumer held when its queue was closed goes back, in an order that the next one shows (rules Q22, Q23, Q40).
#include <gtest/gtest.h>

#include <thread>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"

namespace plumb::conformance {
namespace {

const std::vector<DType> kFloats = {DType::kFloat};

GraphDef QueueOf(const std::string& op, AttrMap attrs, int rows) {
  Tensor values(DType::kFloat, Shape({rows}));
  float next = 0;
  for (float& value : values.mutable_data<float>()) value = next++;
  attrs["component_types"] = kFloats;
  attrs["shapes"] = std::vector<PartialShape>{PartialShape(Shape())};
  const AttrMap type = {{"component_types", kFloats}};
  GraphDef graph;
  graph.nodes = {
      MakeNode("q", op, {}, attrs),
      MakeNode("rows", "Const", {}, {{"value", values}, {"dtype", DType::kFloat}}),
      MakeNode("many", "Const", {}, {{"value", MakeScalar<int32_t>(rows + 2)}, {"dtype", DType::kInt32}}),
      MakeNode("put", "QueueEnqueueManyV2", {"q", "rows"}, {{"Tcomponents", kFloats}}),
      MakeNode("take", "QueueDequeueUpToV2", {"q", "many"}, type),
      MakeNode("size", "QueueSizeV2", {"q"}, {}),
      MakeNode("close", "QueueCloseV2", {"q"}, {}),
  };
  return graph;
}

// Somebody wants more than there is and holds all of it; then the queue is closed.
Tensor Given(std::string_view backend, const GraphDef& graph) {
  const auto session = OpenSession(backend);
  EXPECT_EQ(session->Extend(graph).ToString(), "OK");
  const auto run = [&](const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
    std::vector<Tensor> outputs;
    EXPECT_EQ(session->Run({.timeout_ms = 60'000}, {}, fetches, targets, &outputs, nullptr).ToString(), "OK");
    return outputs.empty() ? Tensor() : outputs[0];
  };
  run({}, {"put"});
  Tensor taken;
  std::thread consumer([&] { taken = run({"take"}, {}); });
  while (run({"size"}, {}).scalar<int32_t>() > 0) std::this_thread::yield();
  run({}, {"close"});
  consumer.join();
  return taken;
}

TEST(PutBack, GivesTheSameOnBothSides) {
  for (const int rows : {1, 2, 3, 6}) {
    const GraphDef in_order = QueueOf("FIFOQueueV2", {}, rows);
    EXPECT_TRUE(Given("cpu", in_order).BitwiseEquals(Given("reference", in_order))) << rows << " rows";
    for (int64_t seed = 1; seed <= 6; ++seed) {
      const GraphDef shuffled = QueueOf("RandomShuffleQueueV2", {{"seed", seed}, {"seed2", int64_t{2}}}, rows);
      EXPECT_TRUE(Given("cpu", shuffled).BitwiseEquals(Given("reference", shuffled))) << rows << " rows, seed " << seed;
    }
  }
}

}  // namespace
}  // namespace plumb::conformance
