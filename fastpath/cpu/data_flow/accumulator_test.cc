// What comes out of accumulators, of tensors and of rows (rules C1, C2, C5).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

using ::testing::ElementsAre;

class Steps {
 public:
  explicit Steps(const TestGraph& graph) : session_(NewFastSession({.threads = 2})) {
    EXPECT_TRUE(session_->Extend(graph.def()).ok());
  }
  void Run(const std::string& op) { Check(Outcome({}, {op})); }
  std::vector<Tensor> Fetch(const std::vector<std::string>& fetches) {
    Check(Outcome(fetches, {}));
    return outputs_;
  }

 private:
  Status Outcome(const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
    const RunOptions limit = {.timeout_ms = 60'000};
    return session_->Run(limit, {}, fetches, targets, &outputs_, nullptr);
  }
  static void Check(const Status& status) { EXPECT_TRUE(status.ok()) << status.ToString(); }

  std::unique_ptr<Session> session_;
  std::vector<Tensor> outputs_;
};

template <class T>
std::vector<T> ElementsOf(const Tensor& tensor) {
  const auto elements = tensor.data<T>();
  return {elements.begin(), elements.end()};
}

TEST(Accumulator, GivesTheMeanOfAllGradients) {
  TestGraph graph;
  graph.Add("a", "ResourceConditionalAccumulator", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}});
  graph.Const("g", MakeVector<float>({2, 4}));
  graph.Const("h", MakeVector<float>({4, 4}));
  graph.Const("step", MakeScalar<int64_t>(0));
  graph.Const("two", MakeScalar<int32_t>(2));
  graph.Add("add_g", "ResourceAccumulatorApplyGradient", {"a", "step", "g"}, {{"dtype", DType::kFloat}});
  graph.Add("add_h", "ResourceAccumulatorApplyGradient", {"a", "step", "h"}, {{"dtype", DType::kFloat}});
  graph.Add("take", "ResourceAccumulatorTakeGradient", {"a", "two"}, {{"dtype", DType::kFloat}});
  Steps steps(graph);
  for (const char* add : {"add_g", "add_h"}) steps.Run(add);
  EXPECT_THAT(ElementsOf<float>(steps.Fetch({"take"})[0]), ElementsAre(3, 4));
  steps.Run("add_g");  // of a step that is over: it is dropped
}

// Rows 0 and 2, then 2 and 4: row 2 alone has two gradients.
TEST(SparseAccumulator, GivesTheMeanOfTheGradientsThatHaveARow) {
  TestGraph graph;
  graph.Add("a", "SparseConditionalAccumulator", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({5, 2})}});
  graph.Const("shape", MakeVector<int64_t>({5, 2}));
  graph.Const("g_rows", MakeVector<int64_t>({0, 2}));
  graph.Const("g", MakeTensor<float>({2, 2}, {1, 2, 3, 4}));
  graph.Const("h_rows", MakeVector<int64_t>({2, 4}));
  graph.Const("h", MakeTensor<float>({2, 2}, {5, 6, 7, 8}));
  graph.Const("0", MakeScalar<int64_t>(0));
  graph.Const("1", MakeScalar<int64_t>(1));
  graph.Const("count", MakeScalar<int32_t>(1));
  const auto add = [&](const std::string& name, const std::string& step, const std::string& gradient) {
    graph.Add(name, "SparseAccumulatorApplyGradient", {"a", step, gradient + "_rows", gradient, "shape"},
              {{"dtype", DType::kFloat}, {"has_known_shape", true}});
  };
  add("add_g", "0", "g");
  add("add_h", "0", "h");
  add("add_h_later", "1", "h");
  graph.Add("there", "AccumulatorNumAccumulated", {"a"});
  graph.Add("take", "SparseAccumulatorTakeGradient", {"a", "count"}, {{"dtype", DType::kFloat}});
  Steps steps(graph);
  const auto expect_taken = [&](const std::vector<int64_t>& rows, const std::vector<float>& values) {
    const std::vector<Tensor> taken = steps.Fetch({"take:0", "take:1", "take:2"});
    EXPECT_EQ(ElementsOf<int64_t>(taken[0]), rows);
    EXPECT_EQ(ElementsOf<float>(taken[1]), values);
    EXPECT_THAT(ElementsOf<int64_t>(taken[2]), ElementsAre(5, 2));
  };
  for (const char* name : {"add_g", "add_h"}) steps.Run(name);
  expect_taken({0, 2, 4}, {1, 2, 4, 5, 7, 8});
  steps.Run("add_g");  // of a step that is over: it is dropped
  EXPECT_EQ(steps.Fetch({"there"})[0].scalar<int32_t>(), 0);
  steps.Run("add_h_later");
  expect_taken({2, 4}, {5, 6, 7, 8});
}

}  // namespace
}  // namespace plumb::fast
