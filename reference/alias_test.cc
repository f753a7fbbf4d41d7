// Which values alias a variable's buffer, seen through fetches: an alias shows what was written after it was made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/kernel/kernel_testing.h"
#include "reference/test_graph.h"
#include "spec/ops/catalogue.h"

namespace plumb::reference {
namespace {

using ::testing::Each;

const AttrMap kFloat = {{"T", DType::kFloat}};

// A variable of ones, and what an op makes of it before one is added to all of it.
struct Aliased : TestGraph {
  explicit Aliased(const Shape& shape) {
    Add("v", "VariableV2", {}, {{"shape", PartialShape(shape)}, {"dtype", DType::kFloat}});
    const std::vector<float> ones(static_cast<size_t>(shape.elements()), 1);
    Value("ones", MakeTensor<float>(shape, std::span<const float>(ones)));
    Add("set", "Assign", {"v", "ones"}, kFloat);
  }
  Aliased& Makes(std::string op, std::vector<std::string> inputs, AttrMap attrs) {
    if (FindOp(op)->FindAttr("T") != nullptr) attrs.try_emplace("T", DType::kFloat);
    Add("y", std::move(op), std::move(inputs), std::move(attrs));
    Add("add", "AssignAdd", {"v", "ones", "^y"}, kFloat);
    return *this;
  }
};

plumb::reference::Value Fetched(const Aliased& graph, const std::string& name) {
  TestSession session(graph);
  EXPECT_TRUE(session.Run({}, {}, {"set"}).status.ok());
  std::vector<plumb::reference::Value> values;
  const Status status =
      session.session.RunValues({}, std::vector<std::string>{name}, std::vector<std::string>{"add"}, &values, {});
  EXPECT_TRUE(status.ok()) << status.ToString();
  return status.ok() ? values.at(0) : plumb::reference::Value(Tensor(DType::kFloat, {0}));
}

struct Case {
  std::string op;
  std::vector<std::string> inputs = {"v"};
  AttrMap attrs = {};
  Shape shape = {2, 1};
};

Aliased GraphOf(const Case& c) {
  Aliased graph(c.shape);
  graph.Value("two_one", MakeVector<int32_t>({2, 1})).Value("one_two", MakeVector<int32_t>({1, 2}));
  graph.Value("ones_2", MakeVector<int32_t>({1, 1})).Value("twos", MakeVector<int32_t>({2, 2}));
  graph.Value("same_order", MakeVector<int32_t>({0, 1})).Value("turned", MakeVector<int32_t>({1, 0}));
  graph.Value("zeros", MakeVector<int32_t>({0, 0})).Value("row", MakeVector<int32_t>({1, 16}));
  graph.Value("narrow", MakeVector<int32_t>({1, 12})).Value("second", MakeVector<int32_t>({1, 0}));
  graph.Const("zero", 0).Const("one", 1).Const("zero_f", 0.F).Value("axis_1", MakeVector<int32_t>({1}));
  graph.Value("all", MakeVector<int32_t>({2}));
  return graph.Makes(c.op, c.inputs, c.attrs);
}

TEST(Aliases, OpsThatHandOnShowWhatWasWrittenSince) {  // R31, R32
  const AttrMap message = {{"message", ""}};
  const AttrMap piece = {{"Index", DType::kInt32}};
  for (const Case& c : std::vector<Case>{
           {"Identity"},
           {"StopGradient"},
           {"PreventGradient", {"v"}, message},
           {"CheckNumerics", {"v"}, message},
           {"PlaceholderWithDefault", {"v"}, {{"dtype", DType::kFloat}, {"shape", PartialShape{2, 1}}}},
           {"Reshape", {"v", "one_two"}, {{"Tshape", DType::kInt32}}},
           {"ExpandDims", {"v", "zero"}, {{"Tdim", DType::kInt32}}},
           {"Squeeze"},
           {"Bitcast", {"v"}, {{"type", DType::kFloat}}},
           {"Cast", {"v"}, {{"SrcT", DType::kFloat}, {"DstT", DType::kFloat}}},
           {"Pack", {"v"}, {{"N", 1}}},
           {"AddN", {"v"}, {{"N", 1}}},
           {"Split", {"zero", "v"}, {{"num_split", 1}}},
           {"SplitV", {"v", "all", "zero"}, {{"num_split", 1}, {"Tlen", DType::kInt32}}},
           {"Slice", {"v", "zeros", "two_one"}, piece},
           {"StridedSlice", {"v", "zeros", "two_one", "ones_2"}, piece},
           {"Transpose", {"v", "same_order"}, {{"Tperm", DType::kInt32}}},
           {"Tile", {"v", "ones_2"}, {{"Tmultiples", DType::kInt32}}},
           {"BroadcastTo", {"v", "two_one"}, {{"Tidx", DType::kInt32}}},
           {"Sum", {"v", "axis_1"}, {{"Tidx", DType::kInt32}}},
           {"Slice", {"v", "second", "row"}, piece, {4, 16}},
           {"Split", {"zero", "v"}, {{"num_split", 2}}, {4, 16}},
           {"Unpack", {"v"}, {{"num", 4}}, {4, 16}},
       }) {
    const auto value = Fetched(GraphOf(c), "y");
    EXPECT_THAT(Floats(value), Each(2)) << c.op << " of " << c.shape.ToString();
    EXPECT_TRUE(value.was_alias) << c.op << " of " << c.shape.ToString();
  }
}

TEST(Aliases, OpsThatComputeOrMoveShowWhatTheyRead) {  // R31
  const AttrMap piece = {{"Index", DType::kInt32}};
  for (const Case& c : std::vector<Case>{
           {"Snapshot"},
           {"Relu"},
           {"AddV2", {"v", "zero_f"}},
           {"ConcatV2", {"v", "v", "zero"}, {{"N", 2}, {"Tidx", DType::kInt32}}},
           {"GatherV2",
            {"v", "same_order", "zero"},
            {{"Tparams", DType::kFloat}, {"Tindices", DType::kInt32}, {"Taxis", DType::kInt32}}},
           {"Pack", {"v", "v"}, {{"N", 2}}},
           {"Slice", {"v", "second", "narrow"}, piece, {4, 12}},
           {"Split", {"one", "v"}, {{"num_split", 2}}, {2, 32}},
           {"Unpack", {"v"}, {{"num", 2}}, {2, 12}},
       }) {
    const auto value = Fetched(GraphOf(c), "y");
    EXPECT_THAT(Floats(value), Each(1)) << c.op << " of " << c.shape.ToString();
    EXPECT_FALSE(value.was_alias) << c.op << " of " << c.shape.ToString();
  }
}

}  // namespace
}  // namespace plumb::reference
