#include "spec/graph/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/ops/op_def.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class Builder : public ::testing::Test {
 protected:
  Endpoint Float(float value) { return b_.Constant(MakeScalar<float>(value)); }
  Endpoint Int(int32_t value) { return b_.Constant(MakeScalar<int32_t>(value)); }
  Endpoint Ints(std::initializer_list<int32_t> values) { return b_.Constant(MakeVector<int32_t>(values)); }
  Endpoint Input(PartialShape shape, DType type = DType::kFloat) {
    return b_.Call("Placeholder", {}, {{"dtype", type}, {"shape", std::move(shape)}});
  }
  const Node& node(Endpoint value) { return b_.graph().node(value.node); }
  std::vector<int64_t> Known(Endpoint value) {
    const Tensor* tensor = b_.constant(value);
    return tensor == nullptr ? std::vector<int64_t>{-999} : ToInt64s(*tensor);
  }

  GraphBuilder b_;
};

TEST_F(Builder, AttributesFollowFromTheInputs) {
  EXPECT_EQ(GetAttr<DType>(node(b_.Call("AddV2", {Int(1), Int(2)})).attrs, "T"), DType::kInt32);
  const Node& pack = node(b_.Call("Pack", {Float(1), Float(2), Float(3)}));
  EXPECT_EQ(GetAttr<int64_t>(pack.attrs, "N"), 3);
  const Node& stitch = node(b_.Call("DynamicStitch", {Ints({0}), Ints({1}), Input({1, 2}), Input({1, 2})}));
  EXPECT_EQ(GetAttr<int64_t>(stitch.attrs, "N"), 2);
  EXPECT_EQ(GetAttr<DType>(stitch.attrs, "T"), DType::kFloat);
  const Node& check = node({b_.Add("Assert", {b_.Constant(MakeScalar<bool>(true)), Int(1), Float(2)}), 0});
  EXPECT_THAT(GetAttr<std::vector<DType>>(check.attrs, "T"), ElementsAre(DType::kInt32, DType::kFloat));
}

TEST_F(Builder, InputsThatDoNotFitAreRefused) {
  EXPECT_THROW(b_.Call("AddV2", {Int(1)}), Error);
  EXPECT_THROW(b_.Call("AddV2", {Int(1), Float(1)}), Error);
  EXPECT_THROW(b_.Call("Neg", {Endpoint{}}), Error);
  EXPECT_THROW(b_.Call("Nonsense", {}), Error);
  const int before = b_.graph().size();
  EXPECT_THROW(b_.Call("MatMul", {Input({2, 3}), Input({2, 3})}), Error);
  EXPECT_EQ(b_.graph().size(), before + 2);
}

TEST_F(Builder, NamesAreUniqueWithoutRegardToCase) {
  const auto name = [&](const std::string& wanted) { return b_.UniqueName(wanted); };
  EXPECT_EQ(name("a"), "a");
  EXPECT_EQ(name("a"), "a_1");
  EXPECT_EQ(name("a_1"), "a_1_1");
  EXPECT_EQ(name("A"), "A_2");
  EXPECT_EQ(name("a"), "a_3");
}

TEST_F(Builder, NamesBeginWithNoUnderscore) {
  EXPECT_EQ(node(b_.Call("_HostCast", {Float(1)}, {{"DstT", DType::kHalf}})).name, "HostCast");
}

TEST_F(Builder, ScopesPrefixNames) {
  {
    GraphBuilder::NameScope scope(b_, "layer");
    EXPECT_EQ(node(Float(1)).name, "layer/Const");
  }
  GraphBuilder::NameScope scope(b_, "layer");
  EXPECT_EQ(node(Float(1)).name, "layer_1/Const");
  EXPECT_EQ(b_.scope(), "layer_1");
}

TEST_F(Builder, ControlScopesOrderWhatTheyEnclose) {
  const Endpoint first = Float(1);
  const Endpoint second = Float(2);
  GraphBuilder::ControlScope outer(b_, {first.node});
  GraphBuilder::ControlScope inner(b_, {second.node, first.node});
  EXPECT_THAT(node(Float(3)).control_inputs, ElementsAre(first.node, second.node));
  GraphBuilder::NoControlScope none(b_);
  EXPECT_TRUE(node(Float(3)).control_inputs.empty());
}

TEST_F(Builder, ANodeWaitsForAnotherOnce) {
  const NodeId first = Float(1).node, second = Float(2).node, third = Float(3).node;
  b_.SetControlInputs(third, {second, first, second});
  EXPECT_THAT(b_.graph().node(third).control_inputs, testing::UnorderedElementsAre(first, second));
  b_.AddControlInput(third, first);
  EXPECT_EQ(b_.graph().node(third).control_inputs.size(), 2u);
}

TEST_F(Builder, InnerDevicesOverrideOuterOnes) {
  GraphBuilder::DeviceScope job(b_, "/job:worker/device:CPU:0");
  EXPECT_EQ(node(Float(1)).device, "/job:worker/device:CPU:0");
  GraphBuilder::DeviceScope gpu(b_, "/device:GPU:1");
  EXPECT_EQ(node(Float(1)).device, "/job:worker/device:GPU:1");
}

TEST_F(Builder, ShapeArithmeticIsKnownAtOnce) {
  const Endpoint shape = b_.Call("Shape", {Input({2, 3, 4})});
  EXPECT_THAT(Known(shape), ElementsAre(2, 3, 4));
  EXPECT_THAT(Known(b_.Call("Size", {Input({2, 3})})), ElementsAre(6));
  EXPECT_THAT(Known(b_.Call("Rank", {Input({-1, 3})})), ElementsAre(2));
  EXPECT_THAT(Known(b_.Call("Slice", {shape, Ints({1}), Ints({-1})})), ElementsAre(3, 4));
  EXPECT_THAT(Known(b_.Call("ConcatV2", {shape, Ints({9}), Int(0)})), ElementsAre(2, 3, 4, 9));
  EXPECT_THAT(Known(b_.Call("Pack", {Int(7), Int(8)})), ElementsAre(7, 8));
  EXPECT_THAT(Known(b_.Call("FloorDiv", {Ints({-7, 7}), Int(2)})), ElementsAre(-4, 3));
  EXPECT_THAT(Known(b_.Call("FloorMod", {Ints({-7, 7}), Int(2)})), ElementsAre(1, 1));
  EXPECT_THAT(Known(b_.Call("GatherV2", {shape, Ints({2, 0}), Int(0)})), ElementsAre(4, 2));
  const AttrMap last = {{"shrink_axis_mask", 1}};
  EXPECT_THAT(Known(b_.Call("StridedSlice", {shape, Ints({-1}), Ints({0}), Ints({1})}, last)), ElementsAre(4));
}

TEST_F(Builder, WhatDependsOnTheRunIsNotKnown) {
  EXPECT_EQ(b_.constant(b_.Call("Shape", {Input({-1, 3})})), nullptr);
  EXPECT_EQ(b_.constant(b_.Call("FloorDiv", {Int(1), Int(0)})), nullptr);
  EXPECT_EQ(b_.constant(b_.Call("Mul", {Int(1 << 20), Int(1 << 20)})), nullptr);
  EXPECT_EQ(b_.constant(Input({}, DType::kInt32)), nullptr);
}

TEST_F(Builder, BackEdgesAreAttachedLater) {
  const Endpoint enter = b_.Call("Enter", {Float(0)}, {{"frame_name", "f"}});
  const Endpoint merge = b_.Call("Merge", {enter, enter});
  const Endpoint next = b_.Call("NextIteration", {merge});
  b_.SetInput(merge.node, 1, next);
  EXPECT_EQ(node(merge).inputs[1], next);
  EXPECT_THROW(b_.SetInput(merge.node, 2, next), Error);
  EXPECT_THROW(b_.SetInput(merge.node, 1, Int(1)), Error);
  EXPECT_EQ(node(merge).inputs[1], next);
  EXPECT_NO_THROW(Graph::Load(b_.ToGraphDef()));
}

// A context that renames what it imports through Identity, and notes what is built in it.
class NotingContext : public ControlFlowContext {
 public:
  explicit NotingContext(NodeId pivot) : ControlFlowContext(nullptr), pivot_(pivot) {}
  Endpoint Import(GraphBuilder& builder, Endpoint value) override {
    if (builder.context_of(value.node) == this) return value;
    GraphBuilder::ContextScope outside(builder, nullptr);
    const Endpoint inside = builder.Call("Identity", {value});
    imported.push_back(inside);
    return inside;
  }
  NodeId Pivot() const override { return pivot_; }
  void Added(GraphBuilder& builder, NodeId node) override {
    added.push_back(node);
    builder.AddControlInput(node, pivot_);
  }
  std::vector<Endpoint> imported;
  std::vector<NodeId> added;

 private:
  NodeId pivot_;
};

TEST_F(Builder, AContextImportsInputsAndHearsOfNodes) {
  const Endpoint outside = Float(1);
  NotingContext context(outside.node);
  GraphBuilder::ContextScope scope(b_, &context);
  const Endpoint first = b_.Call("Neg", {outside});
  const Endpoint second = b_.Call("Neg", {first});
  EXPECT_THAT(context.added, ElementsAre(first.node, second.node));
  EXPECT_THAT(node(first).inputs, ElementsAre(context.imported[0]));
  EXPECT_THAT(node(second).inputs, ElementsAre(first));
  EXPECT_THAT(node(second).control_inputs, ElementsAre(outside.node));
}

}  // namespace
}  // namespace plumb
