#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"
#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

const Value kMatrix = MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});

KernelCall Strided(Tensor begin, Tensor end, Tensor strides, const AttrMap& masks = {}) {
  AttrMap attrs = {
      {"begin_mask", 0}, {"end_mask", 0}, {"ellipsis_mask", 0}, {"new_axis_mask", 0}, {"shrink_axis_mask", 0}};
  for (auto& [name, mask] : masks) attrs[name] = mask;
  return {"StridedSlice", {kMatrix, begin, end, strides}, attrs};
}

TEST(Array, StridedSliceFollowsPythonIndexing) {
  EXPECT_THAT(Floats(Strided(Ints({-1}), Ints({-9}), Ints({-1}))()), ElementsAre(4, 5, 6, 1, 2, 3)) << "x[-1:-9:-1]";
  const Value column =
      Strided(Ints({0, 1}), Ints({0, 0}), Ints({1, 1}), {{"ellipsis_mask", 1}, {"shrink_axis_mask", 2}})();
  EXPECT_EQ(column.tensor.shape(), Shape({2})) << "x[..., 1]";
  EXPECT_THAT(Floats(column), ElementsAre(2, 5));
  EXPECT_EQ(Strided(Ints({0, 0}), Ints({0, 9}), Ints({1, 2}), {{"new_axis_mask", 1}})().tensor.shape(),
            Shape({1, 1, 3}))
      << "x[newaxis, 0:9:2] the second entry slices the rows";
  EXPECT_EQ(Strided(Ints({2}), Ints({3}), Ints({1}))().tensor.shape(), Shape({0, 3}));
}

TEST(Array, StridedSliceRefusesNonsense) {
  EXPECT_EQ(Strided(Ints({0}), Ints({1}), Ints({0})).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Strided(Ints({2}), Ints({3}), Ints({1}), {{"shrink_axis_mask", 1}}).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Strided(Ints({0, 0, 0}), Ints({1, 1, 1}), Ints({1, 1, 1})).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Strided(Ints({0, 0}), Ints({1, 1}), Ints({1, 1}), {{"ellipsis_mask", 3}}).Fails(), Code::kInvalidArgument);
  for (const auto& [mask, value] : {std::pair("ellipsis_mask", int64_t{5}), {"begin_mask", int64_t{1} << 31}}) {
    EXPECT_EQ(Strided(Ints({0}), Ints({1}), Ints({1}), {{mask, value}}).Fails(), Code::kInvalidArgument) << mask;
  }
  EXPECT_EQ(Strided(Ints({INT32_MIN}), Ints({INT32_MAX}), Ints({INT32_MIN}))().tensor.shape(), Shape({0, 3}));
}

TEST(Array, StridedSliceGradPutsBackWhatTheSliceTook) {
  const AttrMap attrs = {
      {"begin_mask", 0}, {"end_mask", 0}, {"ellipsis_mask", 0}, {"new_axis_mask", 0}, {"shrink_axis_mask", 0}};
  const auto grad = [&](Tensor dy) {
    return KernelCall{"StridedSliceGrad", {Ints({5}), Ints({4}), Ints({0}), Ints({-2}), dy}, attrs, {DType::kFloat}};
  };
  EXPECT_THAT(Floats(grad(Vector({1, 2}))()), ElementsAre(0, 0, 2, 0, 1));
  EXPECT_EQ(grad(Vector({1, 2, 3})).Fails(), Code::kInvalidArgument);
}

KernelCall Updated(Value value, Tensor end) {
  KernelCall call = Strided(Ints({0, 0}), std::move(end), Ints({1, 2}));
  call.op = "TensorStridedSliceUpdate";
  call.inputs.push_back(std::move(value));
  return call;
}

TEST(Array, ASliceIsReplacedByWhatBroadcastsToIt) {  // R28
  const Tensor end = Ints({2, 3});
  EXPECT_THAT(Floats(Updated(Vector({8, 9}), end)()), ElementsAre(8, 2, 9, 8, 5, 9));
  EXPECT_THAT(Floats(Updated(MakeTensor<float>({1, 2, 1}, {8, 9}), end)()), ElementsAre(8, 2, 8, 9, 5, 9));
  EXPECT_EQ(Updated(Vector({7, 8, 9}), end).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(Updated(Vector({7, 8, 9}), Ints({0, 3})).Fails(), Code::kOk) << "nothing is taken";
}

TEST(Array, MasksOfAnAssignmentAreReadBeforeTheVariable) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape{2}}, {"dtype", DType::kFloat}});
  graph.Value("at", Ints({0})).Value("end", Ints({2})).Value("step", Ints({1})).Value("value", Vector({1, 2}));
  const auto assign = [&](std::string name, int64_t mask) {
    graph.Add(std::move(name), "StridedSliceAssign", {"v", "at", "end", "step", "value"},
              {{"T", DType::kFloat}, {"Index", DType::kInt32}, {"ellipsis_mask", mask}});
  };
  assign("assign", 0);
  assign("beyond", INT64_MIN);
  TestSession session(graph);
  EXPECT_EQ(session.Run({}, {}, {"assign"}).code(), Code::kFailedPrecondition) << "it has no value";
  EXPECT_EQ(session.Run({}, {}, {"beyond"}).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
