// Laws of graphs as bytes: what is read says what was written, and nothing is taken on trust.
#include "fastpath/compile/graph/serialize.h"

#include <gtest/gtest.h>

#include "fastpath/compile/graph/infer_shapes.h"
#include "fastpath/compile/placement/partition.h"
#include "fastpath/compile/placement/place.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/testing/test_graph.h"
#include "spec/graph/proto_io.h"
#include "spec/ops/op_def.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

StepGraph Example() {
  TestGraph graph;
  graph.Add("x", "Placeholder", {}, {{"dtype", kFloat}, {"shape", PartialShape({2, -1})}});
  graph.Const("w", MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6}), {"^x"});
  graph.Op("product", "MatMul", kFloat, {"w", "x"});
  graph.Add("far", "Neg", {"product"}, {{"T", kFloat}}, "/cpu:1");
  StepGraph step = PruneFor(graph, {"w"}, {"far", "product"});
  const DeviceSet devices = CpuDevices(2);
  Place(step, devices, false);
  Partition(step, devices);
  InferStepShapes(step);
  return step;
}

TEST(InferStepShapes, FollowsTheRows) {
  const StepGraph step = Example();
  EXPECT_EQ(NodeOf(step, "x").output_shapes.at(0), PartialShape({2, -1}));
  EXPECT_EQ(NodeOf(step, "far").output_shapes.at(0).rank(), 2);
}

TEST(Serialize, GivesAnEqualGraphBack) {
  const StepGraph step = Example();
  const StepGraph read = Deserialize(Serialize(step));
  EXPECT_EQ(Serialize(read), Serialize(step));
  EXPECT_EQ(read.device_names, step.device_names);
  ASSERT_EQ(NamesOf(read), NamesOf(step));
  for (int i = 0; i < step.size(); ++i) {
    const StepNode &a = step.nodes[i], &b = read.nodes[i];
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.inputs, b.inputs) << a.name;
    EXPECT_EQ(a.controls, b.controls) << a.name;
    EXPECT_EQ(a.output_shapes, b.output_shapes) << a.name;
    EXPECT_EQ(a.op == nullptr, b.op == nullptr) << a.name;
    if (a.op != nullptr) {
      EXPECT_EQ(a.op->op, b.op->op);
      EXPECT_EQ(a.op->attrs, b.op->attrs) << a.name;
    }
  }
}

// A node that no row knows stands for others, by name.
TEST(Serialize, KeepsNodesThatPassesMade) {
  StepGraph step = Example();
  auto fused = std::make_shared<MadeNode>("_MatMulNeg");
  StepNode node;
  node.name = "fused";
  node.op = fused.get();
  node.output_types = {kFloat};
  node.stands_for = {"product", "far"};
  step.Add(node);
  step.made.push_back(fused);
  const StepGraph read = Deserialize(Serialize(step));
  EXPECT_EQ(NodeOf(read, "fused").op->op->name, "_MatMulNeg");
  EXPECT_EQ(NodeOf(read, "fused").stands_for, node.stands_for);
  step.nodes.back().stands_for.clear();
  EXPECT_THROW(Deserialize(Serialize(step)), Error);
}

TEST(Serialize, RefusesWhatItDoesNotKnow) {
  const GraphDef good = ParseGraphDef(Serialize(Example()));
  const auto code_of = [](const GraphDef& def) {
    try {
      Deserialize(SerializeGraphDef(def));
    } catch (const Error& error) {
      return error.status().code();
    }
    return Code::kOk;
  };
  EXPECT_EQ(code_of(good), Code::kOk);
  GraphDef bad = good;
  bad.nodes[0].attrs["_step_version"] = int64_t{kStepGraphVersion + 1};
  EXPECT_EQ(code_of(bad), Code::kFailedPrecondition);
  const auto breaks = [&](const char* attr, AttrValue value) {
    bad = good;
    bad.nodes[1].attrs[attr] = std::move(value);
    EXPECT_EQ(code_of(bad), Code::kInvalidArgument) << attr;
  };
  breaks("_step_invention", true);
  breaks("_step_kind", int64_t{99});
  breaks("_step_device", int64_t{7});
  breaks("_step_name", int64_t{7});
  bad = good;
  bad.nodes[2].inputs = {"n99:0"};
  EXPECT_EQ(code_of(bad), Code::kInvalidArgument);
  bad = good;
  bad.nodes.erase(bad.nodes.begin());
  EXPECT_EQ(code_of(bad), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
