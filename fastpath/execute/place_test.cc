// Law: a kernel knows which node it is of, and in which iterations of which frames it runs (X13).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <vector>

#include "fastpath/testing/test_steps.h"

namespace plumb::fast {
namespace {

constexpr DType kInt = DType::kInt32;

// A loop that counts from zero to `limit`; each iteration runs what `body` adds, and waits for its end. Returns the
// exit.
template <class Body>
std::string AddLoop(TestGraph& graph, const std::string& name, const std::string& zero, int limit, const Body& body) {
  const std::string at = name + "/";
  graph.Enter(at + "enter", kInt, {zero}, name);
  graph.Merge(at + "merge", kInt, {at + "enter", at + "next"}, 2);
  graph.Int(at + "limit", limit, {"^" + at + "merge"});
  graph.Op(at + "less", "Less", kInt, {at + "merge", at + "limit"});
  graph.Add(at + "cond", "LoopCond", {at + "less"});
  graph.Op(at + "switch", "Switch", kInt, {at + "merge", at + "cond"});
  graph.Op(at + "here", "Identity", kInt, {at + "switch:1"});
  const std::string last = body(at + "here");
  graph.Int(at + "one", 1, {"^" + last});
  graph.Op(at + "sum", "AddV2", kInt, {at + "here", at + "one"});
  graph.Op(at + "next", "NextIteration", kInt, {at + "sum"});
  return graph.Op(at + "exit", "Exit", kInt, {at + "switch"});
}

TEST(Place, NamesNodeFrameAndIteration) {
  TestGraph graph;
  graph.Int("zero", 0);
  const std::string exit = AddLoop(graph, "outer", "zero", 2, [&](const std::string& here) {
    graph.Int("fresh", 0, {"^" + here});
    return AddLoop(graph, "inner", "fresh", 3,
                   [&](const std::string& inner) { return graph.Op("probe", "Neg", kInt, {inner}); });
  });
  graph.Op("root", "Neg", kInt, {exit});
  for (const bool is_async : {false, true}) {
    std::mutex mutex;
    std::vector<std::string> seen;
    const auto look = [&](KernelContext& context) {
      std::lock_guard lock(mutex);
      seen.push_back(Str(context.node(), " at ", PathOf(context.place())));
      context.SetOutput(0, context.input(0));
    };
    const auto kernels = [&](const Node& node) -> std::shared_ptr<Kernel> {
      if (!node.IsOp("Neg")) return MakeCpuKernel(node);
      if (!is_async) return std::make_shared<FunctionKernel>(look);
      return std::make_shared<LateKernel>([&](AsyncContext& context, const AsyncKernel::Done& done) {
        look(context);
        done(OkStatus());
      });
    };
    TestSteps steps(graph, {}, "root", 2, kernels);
    for (int step = 0; step < 2; ++step) {
      seen.clear();
      std::vector<Tensor> outputs;
      const Status status = steps.Run(&outputs);
      ASSERT_TRUE(status.ok()) << status.ToString();
      EXPECT_THAT(seen,
                  testing::UnorderedElementsAre("probe at outer:0/inner:0", "probe at outer:0/inner:1",
                                                "probe at outer:0/inner:2", "probe at outer:1/inner:0",
                                                "probe at outer:1/inner:1", "probe at outer:1/inner:2", "root at "));
    }
  }
}

}  // namespace
}  // namespace plumb::fast
