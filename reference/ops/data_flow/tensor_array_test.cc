#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using ::testing::ElementsAre;

const AttrMap kFloat = {{"T", DType::kFloat}};

std::vector<float> Floats(const RunResult& result, size_t i = 0) {
  EXPECT_TRUE(result.status.ok()) << result.status.ToString();
  if (!result.status.ok()) return {};
  const auto elements = result.outputs.at(i).data<float>();
  return {elements.begin(), elements.end()};
}

// A TensorArray and the ops on it in one chain of flows: each op is added after the one before.
class ArrayGraph : public TestGraph {
 public:
  explicit ArrayGraph(int size, AttrMap attrs = {}) {
    Const("size", size);
    attrs.try_emplace("dtype", DType::kFloat);
    Add("ta", "TensorArrayV3", {"size"}, attrs);
  }
  ArrayGraph& Write(const std::string& name, int index, Tensor value) {
    Const(name + "/index", index).Value(name + "/value", std::move(value));
    Add(name, "TensorArrayWriteV3", {handle_, name + "/index", name + "/value", flow_}, kFloat);
    flow_ = name;
    return *this;
  }
  ArrayGraph& Write(std::string name, int index, float value) {
    return Write(std::move(name), index, MakeScalar<float>(value));
  }
  ArrayGraph& Read(const std::string& name, int index) {
    Const(name + "/index", index);
    Add(name, "TensorArrayReadV3", {handle_, name + "/index", flow_, Last()}, {{"dtype", DType::kFloat}});
    last_ = "^" + name;
    return *this;
  }
  ArrayGraph& Gather(const std::string& name, std::vector<int32_t> indices, PartialShape shape = {}) {
    Value(name + "/i", MakeTensor<int32_t>({static_cast<int64_t>(indices.size())}, std::span<const int32_t>(indices)));
    Add(name, "TensorArrayGatherV3", {handle_, name + "/i", flow_},
        {{"dtype", DType::kFloat}, {"element_shape", shape}});
    return *this;
  }
  ArrayGraph& Scatter(const std::string& name, Tensor indices, Tensor values) {
    Value(name + "/i", std::move(indices)).Value(name + "/v", std::move(values));
    Add(name, "TensorArrayScatterV3", {handle_, name + "/i", name + "/v", flow_}, kFloat);
    flow_ = name;
    return *this;
  }
  ArrayGraph& Split(const std::string& name, Tensor values, Tensor lengths) {
    Value(name + "/v", std::move(values)).Value(name + "/l", std::move(lengths));
    Add(name, "TensorArraySplitV3", {handle_, name + "/v", name + "/l", flow_}, kFloat);
    flow_ = name;
    return *this;
  }
  ArrayGraph& Concat(std::string name) {
    Add(std::move(name), "TensorArrayConcatV3", {handle_, flow_}, {{"dtype", DType::kFloat}});
    return *this;
  }
  ArrayGraph& Size(std::string name) {
    Add(std::move(name), "TensorArraySizeV3", {handle_, flow_});
    return *this;
  }
  // The op added last runs after `node`.
  ArrayGraph& After(const std::string& node) {
    def.nodes.back().inputs.push_back("^" + node);
    return *this;
  }
  // From here on, ops are on the gradient array.
  ArrayGraph& Gradient(const std::string& name, std::string source) {
    return GradientOf("ta", name, std::move(source));
  }
  ArrayGraph& GradientOf(const std::string& array, const std::string& name, std::string source) {
    Add(name, "TensorArrayGradV3", {array, flow_}, {{"source", source}});
    handle_ = name;
    flow_ = name + ":1";
    return *this;
  }

 private:
  std::string Last() const { return last_.empty() ? "^" + handle_ : last_; }
  std::string handle_ = "ta", flow_ = "ta:1", last_;
};

Code Fails(const ArrayGraph& graph, std::string fetch) { return TestSession(graph).Run({std::move(fetch)}).code(); }

TEST(TensorArray, KeepsWhatIsWritten) {
  const ArrayGraph graph = ArrayGraph(2).Write("w0", 0, 5).Write("w1", 1, 6).Read("r1", 1).Read("r0", 0).Size("n");
  TestSession session(graph);
  EXPECT_EQ(session.Run({"r1"}).scalar<float>(), 6);
  EXPECT_EQ(session.Run({"r0"}).scalar<float>(), 5);
  EXPECT_EQ(session.Run({"n"}).scalar<int32_t>(), 2);
}

TEST(TensorArray, IsWrittenOnceAndReadOnce) {
  EXPECT_EQ(Fails(ArrayGraph(2).Write("a", 0, 1).Write("b", 0, 2), "b"), Code::kInvalidArgument);           // TA2
  EXPECT_EQ(Fails(ArrayGraph(2).Write("a", 0, 1).Read("x", 0).Read("y", 0), "y"), Code::kInvalidArgument);  // TA4
  const AttrMap keep = {{"clear_after_read", false}};
  EXPECT_EQ(Fails(ArrayGraph(2, keep).Write("a", 0, 1).Read("x", 0).Read("y", 0), "y"), Code::kOk);
  const Tensor values = MakeVector<float>({1, 2});
  EXPECT_EQ(Fails(ArrayGraph(2).Scatter("s", MakeVector<int32_t>({1, 1}), values), "s"), Code::kInvalidArgument);
}

TEST(TensorArray, GrowsOnlyWhenDynamic) {
  EXPECT_EQ(Fails(ArrayGraph(1).Write("a", 1, 1), "a"), Code::kInvalidArgument);
  const ArrayGraph grown = ArrayGraph(1, {{"dynamic_size", true}}).Write("a", 3, 1).Size("n");
  EXPECT_EQ(TestSession(grown).Run({"n"}).scalar<int32_t>(), 4);
  for (const int32_t index : {-1, std::numeric_limits<int32_t>::max()}) {
    EXPECT_EQ(Fails(ArrayGraph(1, {{"dynamic_size", true}}).Write("a", index, 1), "a"), Code::kInvalidArgument);
  }
}

TEST(TensorArray, WhatWasNotWrittenIsZeroIfItsShapeIsKnown) {
  const AttrMap shaped = {{"element_shape", PartialShape({2})}};
  EXPECT_THAT(Floats(TestSession(ArrayGraph(1, shaped).Read("r", 0)).Run({"r"})), ElementsAre(0, 0));
  EXPECT_EQ(Fails(ArrayGraph(1).Read("r", 0), "r"), Code::kInvalidArgument);
  const AttrMap identical = {{"identical_element_shapes", true}};
  const ArrayGraph first = ArrayGraph(2, identical).Write("a", 0, MakeVector<float>({1, 2})).Read("r", 1);
  EXPECT_THAT(Floats(TestSession(first).Run({"r"})), ElementsAre(0, 0));  // TA3
}

TEST(TensorArray, GathersAndScattersRows) {
  const Tensor rows = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
  const ArrayGraph graph = ArrayGraph(2).Scatter("s", MakeVector<int32_t>({1, 0}), rows).Gather("g", {0, 1});
  const RunResult result = TestSession(graph).Run({"g"});
  EXPECT_THAT(Floats(result), ElementsAre(3, 4, 1, 2));
  EXPECT_EQ(result.outputs[0].shape(), Shape({2, 2}));
  EXPECT_EQ(Fails(ArrayGraph(2).Gather("g", {}), "g"), Code::kUnimplemented);  // TA5
  EXPECT_EQ(Fails(ArrayGraph(2).Gather("g", {}, PartialShape({3})), "g"), Code::kOk);
  const ArrayGraph uneven = ArrayGraph(2).Write("a", 0, 1).Write("b", 1, rows).Gather("g", {0, 1});
  EXPECT_EQ(Fails(uneven, "g"), Code::kInvalidArgument);
}

TEST(TensorArray, SplitsAndConcatenates) {
  const Tensor values = MakeVector<float>({1, 2, 3}), lengths = MakeVector<int64_t>({1, 2});
  const RunResult result = TestSession(ArrayGraph(2).Split("s", values, lengths).Concat("c")).Run({"c", "c:1"});
  EXPECT_THAT(Floats(result), ElementsAre(1, 2, 3));
  EXPECT_EQ(result.outputs[1].data<int64_t>()[1], 2);
  EXPECT_EQ(Fails(ArrayGraph(3).Split("s", values, lengths), "s"), Code::kInvalidArgument);
  EXPECT_EQ(Fails(ArrayGraph(2).Split("s", values, MakeVector<int64_t>({1, 1})), "s"), Code::kInvalidArgument);
  EXPECT_EQ(Fails(ArrayGraph(2).Split("s", values, MakeVector<int64_t>({-1, 4})), "s"), Code::kInvalidArgument);
  EXPECT_EQ(Fails(ArrayGraph(1).Write("a", 0, 1).Concat("c"), "c"), Code::kInvalidArgument);
}

TEST(TensorArray, ItsGradientAddsUp) {
  const auto forward = [] { return ArrayGraph(2).Write("a", 0, 1).Write("b", 1, MakeVector<float>({1, 2})); };
  const ArrayGraph added = forward().Gradient("g", "gradients").Write("c", 0, 3).Write("d", 0, 4).Read("r", 0);
  EXPECT_THAT(Floats(TestSession(added).Run({"r"})), ElementsAre(7));  // TA7
  const ArrayGraph unread = forward().Gradient("g", "gradients").Read("r", 1);
  EXPECT_THAT(Floats(TestSession(unread).Run({"r"})), ElementsAre(0, 0));
  const ArrayGraph misfit = forward().Gradient("g", "gradients").Write("c", 0, MakeVector<float>({1}));
  EXPECT_EQ(Fails(misfit, "c"), Code::kInvalidArgument);
}

TEST(TensorArray, AClosedOneHandsOutNoGradient) {  // TA6: neither a new one nor one that there is
  const auto closed = [] {
    ArrayGraph graph = ArrayGraph(1).Write("a", 0, 1).Gradient("g", "gradients");
    graph.Add("close", "TensorArrayCloseV3", {"ta", "^g"});
    return graph;
  };
  EXPECT_EQ(Fails(closed().GradientOf("ta", "again", "gradients").After("close"), "again:1"), Code::kInvalidArgument);
  EXPECT_EQ(Fails(closed().GradientOf("ta", "other", "others").After("close"), "other:1"), Code::kInvalidArgument);
}

TEST(TensorArray, WritingNothingOfAnotherTypeIsRefused) {  // TA2
  const AttrMap ints = {{"dtype", DType::kInt64}};
  const Tensor nothing(DType::kFloat, {0});
  EXPECT_EQ(Fails(ArrayGraph(0, ints).Scatter("s", Tensor(DType::kInt32, {0}), nothing), "s"), Code::kInvalidArgument);
  EXPECT_EQ(Fails(ArrayGraph(0, ints).Split("s", nothing, Tensor(DType::kInt64, {0})), "s"), Code::kInvalidArgument);
  EXPECT_EQ(Fails(ArrayGraph(0).Scatter("s", Tensor(DType::kInt32, {0}), nothing), "s"), Code::kOk);
  EXPECT_EQ(Fails(ArrayGraph(0).Split("s", nothing, Tensor(DType::kInt64, {0})), "s"), Code::kOk);
}

// What was added up has no gradient. A first write adds nothing up, though the index has a shape already.
TEST(TensorArray, AGradientHasAGradientUntilWritesAreAddedUp) {  // TA7
  const auto once = ArrayGraph(1).Write("a", 0, 1).Gradient("g", "gradients").Write("c", 0, 3);
  EXPECT_THAT(Floats(TestSession(ArrayGraph(once).GradientOf("g", "gg", "again").Read("r", 0)).Run({"r"})),
              ElementsAre(0));
  EXPECT_EQ(Fails(ArrayGraph(once).Write("d", 0, 4).GradientOf("g", "gg", "again"), "gg"), Code::kInvalidArgument);
}

// Concat of a gradient takes what Split made, though the forward array has grown since, and though reading beyond its
// end makes the gradient longer.
TEST(TensorArray, ConcatOfAGradientTakesWhatWasSplit) {  // TA7
  const AttrMap grows = {{"dynamic_size", true}, {"element_shape", PartialShape({1})}};
  const Tensor values = MakeVector<float>({1, 2}), lengths = MakeVector<int64_t>({1, 1});
  const auto split = ArrayGraph(2, grows).Split("s", values, lengths).Write("w", 2, MakeVector<float>({3}));
  EXPECT_THAT(Floats(TestSession(ArrayGraph(split).Gradient("g", "gradients").Concat("c")).Run({"c"})),
              ElementsAre(0, 0));
  const auto written = ArrayGraph(1, grows).Write("w", 0, MakeVector<float>({3})).Gradient("g", "gradients");
  TestSession beyond(ArrayGraph(written).Read("r", 4).Concat("c").After("r"));
  EXPECT_THAT(Floats(beyond.Run({"c"})), ElementsAre(0));
  const auto back = ArrayGraph(split)
                        .Gradient("g", "gradients")
                        .Split("t", MakeVector<float>({4, 5, 6}), MakeVector<int64_t>({1, 1, 1}));
  EXPECT_THAT(Floats(TestSession(ArrayGraph(back).Concat("c")).Run({"c"})), ElementsAre(4, 5));
}

// What was split into pieces of unequal lengths gets back a gradient of each length, one behind the other; a piece that
// nobody used has zeros.
TEST(TensorArray, TheGradientOfUnequalPiecesIsTheirConcatenation) {  // TA7
  const Tensor values = MakeTensor<float>({6, 1}, {1, 2, 3, 4, 5, 6}), lengths = MakeVector<int64_t>({1, 3, 2});
  const auto split = ArrayGraph(3).Split("s", values, lengths).Gradient("g", "gradients");
  const auto written = ArrayGraph(split)
                           .Write("c", 1, MakeTensor<float>({3, 1}, {20, 30, 40}))
                           .Write("d", 0, MakeTensor<float>({1, 1}, {10}))
                           .Write("e", 0, MakeTensor<float>({1, 1}, {1}));
  const RunResult result = TestSession(ArrayGraph(written).Concat("dx")).Run({"dx", "dx:1"});
  EXPECT_THAT(Floats(result), ElementsAre(11, 20, 30, 40, 0, 0));
  EXPECT_EQ(result.outputs[0].shape(), Shape({6, 1}));
  EXPECT_THAT(result.outputs[1].data<int64_t>(), ElementsAre(1, 3, 2));
  EXPECT_EQ(Fails(ArrayGraph(split).Write("c", 0, MakeTensor<float>({3, 1}, {1, 2, 3})), "c"), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
