// Laws of graphs as bytes: what is read says what was written, and nothing is taken on trust.
#include "fastpath/compile/graph/serialize.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fastpath/compile/functions/inline_functions.h"
#include "fastpath/compile/graph/infer_shapes.h"
#include "fastpath/compile/placement/partition.h"
#include "fastpath/compile/placement/place.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/testing/test_graph.h"
#include "spec/core/status_testing.h"
#include "spec/graph/function_library.h"
#include "spec/graph/function_testing.h"
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
  graph.Const("sizes", MakeVector<int32_t>({-1, 3}), {"^x"});
  graph.Add("bent", "Reshape", {"product", "sizes"}, {{"T", kFloat}, {"Tshape", DType::kInt32}});
  graph.Add("far", "Neg", {"product"}, {{"T", kFloat}}, "/cpu:1");
  StepGraph step = PruneFor(graph, {"w"}, {"far", "product", "bent"});
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
  EXPECT_EQ(NodeOf(step, "bent").output_shapes.at(0), PartialShape({-1, 3})) << "by the constant sizes";
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

// Stands for a call that is compiled when it runs.
struct HeldCall : Kernel {
  HeldCall(const Node& call, int depth) : call(call), depth(depth) {}
  void Run(KernelContext&) override {}
  const Node call;
  const int depth;
};
const CallKernelFactory kHold = [](const Node& call, int depth) { return std::make_shared<HeldCall>(call, depth); };

// A choice, and behind it a function that calls itself; a loop that counts; a call that names a device, and one on a
// batch.
StepGraph WithCalls() {
  const AttrMap types = {{"Tin", std::vector{kFloat}}, {"Tout", std::vector{kFloat}}};
  AttrMap call = types, choice = types;
  call["f"] = Ref("Again");
  choice["Tcond"] = DType::kBool;
  choice["then_branch"] = Ref("Again");
  choice["else_branch"] = Ref("Same");
  const FunctionDef again = MakeFunction("Again(x: float32) -> (y: float32)", "",
                                         {MakeNode("next", "PartitionedCall", {"x"}, call)}, {{"y", "next:output:0"}});
  const FunctionDef same = MakeFunction("Same(x: float32) -> (y: float32)", "",
                                        {MakeNode("same", "Identity", {"x"}, FloatType())}, {{"y", "same:output:0"}});
  const FunctionDef turn = MakeFunction("Turn(i: int32, x: float32) -> (y: float32)", "",
                                        {MakeNode("same", "Identity", {"x"}, FloatType())}, {{"y", "same:output:0"}});
  AttrMap remote = types;
  remote["f"] = Ref("Same");
  AttrMap batched = remote;
  batched.merge(AttrMap{{"Tcaptured", std::vector<DType>()},
                        {"num_batch_threads", int64_t{1}},
                        {"max_batch_size", int64_t{4}},
                        {"batch_timeout_micros", int64_t{0}},
                        {"allowed_batch_sizes", std::vector<int64_t>{2, 4}}});
  const AttrMap loop = {{"T", std::vector{kFloat}}, {"body", Ref("Turn")}};
  auto graph = std::make_shared<const Graph>(Graph::Load(MakeGraph(
      {MakeConst("n", MakeScalar(3)), MakeConst("target", MakeScalar<std::string>("/cpu:0")),
       MakeNode("remote", "RemoteCall", {"target", "x"}, remote), MakeNode("batched", "BatchFunction", {"x"}, batched),
       MakeNode("loop", "For", {"n", "n", "n", "x"}, loop),
       MakeNode("which", "Placeholder", {}, {{"dtype", DType::kBool}}),
       MakeNode("x", "Placeholder", {}, {{"dtype", kFloat}}), MakeNode("choice", "If", {"which", "x"}, choice)},
      {again, same, turn})));
  const std::vector<std::string> feeds = {"which", "x"}, fetches = {"choice", "loop", "remote", "batched"};
  const Request request = ResolveRequest(*graph, feeds, fetches, {});
  StepGraph step = Prune(graph, request);
  InlineFunctions(step, 3, kHold, {"/job:localhost/replica:0/task:0/device:CPU:0"});
  return step;
}

PassKernelMaker Maker() {
  return [](const KernelRecipe& recipe, const std::shared_ptr<const Graph>& source) {
    return MakePassKernel(recipe, *source, kHold);
  };
}

// Every kernel in the list of pass_kernels.h is made again from its recipe, with the functions that it calls.
TEST(Serialize, MakesTheKernelsOfPassesAgain) {
  const StepGraph step = WithCalls();
  const StepGraph read = Deserialize(Serialize(step), Maker());
  EXPECT_EQ(Serialize(read), Serialize(step));
  std::vector<std::string_view> found;
  for (int i = 0; i < step.size(); ++i) {
    const StepNode &a = step.nodes[i], &b = read.nodes[i];
    ASSERT_EQ(a.kernel == nullptr, b.kernel == nullptr) << a.name;
    if (a.kernel == nullptr) continue;
    found.push_back(b.recipe.kernel);
    EXPECT_EQ(b.recipe.attrs, a.recipe.attrs);
    EXPECT_EQ(b.stands_for, a.stands_for);
    const auto *held = dynamic_cast<HeldCall*>(a.kernel.get()), *again = dynamic_cast<HeldCall*>(b.kernel.get());
    ASSERT_EQ(held == nullptr, again == nullptr);
    if (held == nullptr) continue;
    EXPECT_EQ(again->call.name, held->call.name);
    EXPECT_EQ(again->call.op, held->call.op);
    EXPECT_EQ(again->call.attrs, held->call.attrs);
    EXPECT_EQ(again->call.input_types, held->call.input_types);
    EXPECT_EQ(again->depth, held->depth);
    EXPECT_NE(read.source->functions()->Find("Again"), nullptr);
  }
  std::vector<std::string_view> all = PassKernelNames();
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(found, all);
}

TEST(Serialize, RefusesKernelsThatAreNotInTheList) {
  StepGraph step = WithCalls();
  EXPECT_EQ(StatusOf([&] { Deserialize(Serialize(step)); }).code(), Code::kInvalidArgument) << "nobody makes them";
  const auto changed = [&](const std::function<void(KernelRecipe&)>& change) {
    StepGraph other = step;
    for (StepNode& node : other.nodes) {
      if (node.kernel != nullptr) change(node.recipe);
    }
    return StatusOf([&] { Deserialize(Serialize(other), Maker()); });
  };
  EXPECT_TRUE(changed([](KernelRecipe&) {}).ok());
  const Status unknown = changed([](KernelRecipe& recipe) { recipe.kernel = "Telescope"; });
  EXPECT_EQ(unknown.code(), Code::kInvalidArgument);
  EXPECT_NE(unknown.message().find("'Telescope'"), std::string::npos) << unknown.message();
  EXPECT_EQ(changed([](KernelRecipe& recipe) { recipe.attrs.clear(); }).code(), Code::kInvalidArgument);
  const Status here_only = changed([](KernelRecipe& recipe) { recipe.kernel.clear(); });
  EXPECT_EQ(here_only.code(), Code::kInvalidArgument);
  EXPECT_NE(here_only.message().find("this process only"), std::string::npos) << here_only.message();
}

TEST(Serialize, RefusesWhatItDoesNotKnow) {
  const GraphDef good = ParseGraphDef(Serialize(Example()));
  const auto code_of = [](const GraphDef& def) {
    return StatusOf([&] { Deserialize(SerializeGraphDef(def)); }).code();
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
  bad.nodes[2].name = bad.nodes[1].name;
  EXPECT_EQ(code_of(bad), Code::kInvalidArgument) << "numbers that are not in order";
  bad = good;
  bad.nodes.erase(bad.nodes.begin());
  EXPECT_EQ(code_of(bad), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
