// Laws of recursion, effects, gradients and errors of functions that every backend keeps (clauses FN2–FN9).
#include "backends/backends_testing.h"
#include "backends/functions_testing.h"
#include "spec/graph/function_calls.h"

namespace plumb {
namespace {

using testing::HasSubstr;

class FunctionEffects : public Functions {};
INSTANTIATE_TEST_SUITE_P(All, FunctionEffects, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

// n! by a function that calls itself in a branch.
std::vector<FunctionDef> Factorial() {
  return {MakeFunction("Factorial(n: float32) -> (y: float32)", "",
                       {Float("one", 1), Binary("more", "Greater", "n", "one:output:0"),
                        If("if", {"more:z:0", "n"}, Ref("Product"), Ref("One"))},
                       {{"y", "if:output:0"}}),
          MakeFunction("Product(n: float32) -> (y: float32)", "",
                       {Float("one", 1), Binary("less", "Sub", "n", "one:output:0"),
                        MakeNode("rest", "Factorial", {"less:z:0"}), Binary("product", "Mul", "n", "rest:y:0")},
                       {{"y", "product:z:0"}}),
          MakeFunction("One(n: float32) -> (y: float32)", "", {Float("one", 1)}, {{"y", "one:output:0"}})};
}

// FN9.
TEST_P(FunctionEffects, MayCallThemselves) {
  const GraphDef graph = MakeGraph(
      {MakeNode("n", "Placeholder", {}, {{"dtype", kFloat}}), MakeNode("call", "Factorial", {"n"})}, Factorial());
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Run(graph, {"call"}, {}, {{"n", MakeScalar(6.0f)}}), std::vector<float>{720}) << status_.ToString();
  }
  EXPECT_EQ(Run(graph, {"call"}, {}, {{"n", MakeScalar(1.0f)}}), std::vector<float>{1}) << status_.ToString();
}

// A branch is a call too: 256 deep are 128 turns.
TEST_P(FunctionEffects, MayCallThemselvesAsDeepAsTheLimitSays) {
  const GraphDef graph = MakeGraph(
      {MakeNode("n", "Placeholder", {}, {{"dtype", kFloat}}), MakeNode("call", "Factorial", {"n"})}, Factorial());
  int deepest = 0, beyond = 4 * kMaxCallDepth;
  while (beyond - deepest > 1) {
    const int turns = (deepest + beyond) / 2;
    Run(graph, {"call"}, {}, {{"n", MakeScalar(static_cast<float>(turns))}});
    (status_.ok() ? deepest : beyond) = turns;
  }
  EXPECT_EQ(deepest, kMaxCallDepth / 2) << status_.ToString();
}

TEST_P(FunctionEffects, StopWhenTheyCallThemselvesForEver) {
  const FunctionDef endless = MakeFunction("Endless(x: float32) -> (y: float32)", "",
                                           {MakeNode("again", "Endless", {"x"})}, {{"y", "again:y:0"}});
  const GraphDef graph = MakeGraph({Float("two", 2), MakeNode("call", "Endless", {"two"})}, {endless});
  Run(graph, {"call"});
  EXPECT_EQ(status_.code(), Code::kResourceExhausted) << status_.ToString();
  EXPECT_THAT(status_.message(), HasSubstr("deep"));
}

// FN5: dead inputs kill the whole call, also what needs no input.
TEST_P(FunctionEffects, AreDeadWhereAnInputIs) {
  const FunctionDef function = MakeFunction("Five(x: float32, y: float32) -> (five: float32)", "", {Float("five", 5)},
                                            {{"five", "five:output:0"}});
  const GraphDef graph = MakeGraph(
      {Float("two", 2), MakeConst("no", MakeScalar(false)), MakeNode("switch", "Switch", {"two", "no"}, FloatType()),
       MakeNode("call", "Five", {"two", "switch:1"}),
       MakeNode("merge", "Merge", {"call", "switch:0"}, {{"T", kFloat}, {"N", 2}}),
       MakeConst("after", MakeScalar(1.0f), {"^call"})},
      {function});
  EXPECT_EQ(Run(graph, {"merge"}), std::vector<float>{2}) << status_.ToString();
  Run(graph, {"call"});
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
  Run(graph, {"after"});
  EXPECT_EQ(status_.code(), Code::kInvalidArgument) << "control edges say so too";
}

NodeDef VarNode(const std::string& name) {
  return MakeNode(name, "VarHandleOp", {}, {{"dtype", kFloat}, {"shape", PartialShape(Shape())}, {"shared_name", "v"}});
}
const AttrMap kVariable = {{"dtype", kFloat}};

// FN5: effects happen, whoever waits for a call waits for them, and results come after them.
TEST_P(FunctionEffects, HaveTheirEffects) {
  const FunctionDef adds = MakeFunction("Adds(v: resource, x: float32) -> (y: float32) stateful", "",
                                        {MakeNode("add", "AssignAddVariableOp", {"v", "x"}, kVariable)}, {{"y", "x"}});
  const std::vector<DType> in = {DType::kResource, kFloat};
  const GraphDef graph =
      MakeGraph({VarNode("v"), Float("one", 1), MakeNode("init", "AssignVariableOp", {"v", "one"}, kVariable),
                 MakeNode("call", "StatefulPartitionedCall", {"v", "one"},
                          {{"Tin", in}, {"Tout", std::vector{kFloat}}, {"f", Ref("Adds")}}),
                 MakeNode("by_data", "Identity", {"call"}, FloatType()),
                 MakeNode("seen", "ReadVariableOp", {"v", "^by_data"}, kVariable),
                 MakeNode("later", "ReadVariableOp", {"v", "^call"}, kVariable)},
                {adds});
  Run(graph, {}, {"init"});
  ASSERT_TRUE(status_.ok()) << status_.ToString();
  EXPECT_EQ(Run(graph, {"seen"}), std::vector<float>{2}) << status_.ToString();
  EXPECT_EQ(Run(graph, {"later"}), std::vector<float>{3}) << status_.ToString();
  Run(graph, {}, {"call"});
  EXPECT_EQ(Run(graph, {"later"}), std::vector<float>{5}) << status_.ToString();
}

// FN7: the turns of a loop have their effects one after the other.
TEST_P(FunctionEffects, LoopOverEffectsInOrder) {
  const FunctionDef condition = MakeFunction("Small(v: resource) -> (b: bool) stateful", "",
                                             {Float("limit", 100), MakeNode("read", "ReadVariableOp", {"v"}, kVariable),
                                              Binary("less", "Less", "read:value:0", "limit:output:0")},
                                             {{"b", "less:z:0"}});
  const FunctionDef body = MakeFunction("Double(v: resource) -> (w: resource) stateful", "",
                                        {MakeNode("read", "ReadVariableOp", {"v"}, kVariable),
                                         MakeNode("add", "AssignAddVariableOp", {"v", "read:value:0"}, kVariable)},
                                        {{"w", "v"}});
  const GraphDef graph =
      MakeGraph({VarNode("v"), Float("one", 1), MakeNode("init", "AssignVariableOp", {"v", "one"}, kVariable),
                 MakeNode("loop", "While", {"v"},
                          {{"T", std::vector{DType::kResource}}, {"cond", Ref("Small")}, {"body", Ref("Double")}}),
                 MakeNode("read", "ReadVariableOp", {"v", "^loop"}, kVariable)},
                {condition, body});
  Run(graph, {}, {"init"});
  ASSERT_TRUE(status_.ok()) << status_.ToString();
  EXPECT_EQ(Run(graph, {"read"}), std::vector<float>{128}) << status_.ToString();
}

// FN5: a loop of control-flow ops in a body has all its effects, in the turns and in the condition, before the call
// ends.
TEST_P(FunctionEffects, HaveThoseOfFrames) {
  const AttrMap enter = {{"T", kFloat}, {"frame_name", "loop"}};
  AttrMap constant = enter, handle = enter;
  constant["is_constant"] = handle["is_constant"] = true;
  handle["T"] = DType::kResource;
  const FunctionDef counts =
      MakeFunction("Counts(v: resource, limit: float32, x: float32) -> (y: float32) stateful", "",
                   {MakeNode("enter", "Enter", {"x"}, enter), MakeNode("limit_in", "Enter", {"limit"}, constant),
                    MakeNode("v_in", "Enter", {"v"}, handle),
                    MakeNode("merge", "Merge", {"enter:output:0", "next:output:0"}, {{"T", kFloat}, {"N", 2}}),
                    Binary("less", "Less", "merge:output:0", "limit_in:output:0"),
                    MakeNode("pred", "LoopCond", {"less:z:0"}), MakeConst("hundred", MakeScalar(100.0f), {"^merge"}),
                    MakeNode("asked", "AssignAddVariableOp", {"v_in:output:0", "hundred:output:0"}, kVariable),
                    MakeNode("switch", "Switch", {"merge:output:0", "pred:output:0"}, FloatType()),
                    MakeNode("now", "Identity", {"switch:output_true:0"}, FloatType()),
                    MakeConst("one", MakeScalar(1.0f), {"^now"}), Binary("more", "Add", "now:output:0", "one:output:0"),
                    MakeNode("add", "AssignAddVariableOp", {"v_in:output:0", "one:output:0"}, kVariable),
                    MakeNode("next", "NextIteration", {"more:z:0"}, FloatType()),
                    MakeNode("exit", "Exit", {"switch:output_false:0"}, FloatType())},
                   {{"y", "exit:output:0"}});
  const GraphDef graph = MakeGraph({VarNode("v"), Float("zero", 0), Float("three", 3),
                                    MakeNode("init", "AssignVariableOp", {"v", "zero"}, kVariable),
                                    MakeNode("call", "Counts", {"v", "three", "zero"}),
                                    MakeNode("read", "ReadVariableOp", {"v", "^call"}, kVariable),
                                    MakeNode("by_data", "Identity", {"call"}, FloatType()),
                                    MakeNode("seen", "ReadVariableOp", {"v", "^by_data"}, kVariable)},
                                   {counts});
  Run(graph, {}, {"init"});
  ASSERT_TRUE(status_.ok()) << status_.ToString();
  EXPECT_EQ(Run(graph, {"read"}), std::vector<float>{403}) << status_.ToString();
  EXPECT_EQ(Run(graph, {"seen"}), std::vector<float>{806}) << status_.ToString();
}

// FN5: a call without results, in a loop of control-flow ops; a turn waits for it by a control edge.
TEST_P(FunctionEffects, HaveThoseOfCallsWithoutResultsInLoops) {
  const FunctionDef adds =
      MakeFunction("Adds(v: resource, x: float32) -> () stateful", "",
                   {MakeNode("add", "AssignAddVariableOp", {"v", "x"}, kVariable)}, {}, {{"done", "add"}});
  const AttrMap enter = {{"T", kFloat}, {"frame_name", "loop"}};
  AttrMap constant = enter, handle = enter;
  constant["is_constant"] = handle["is_constant"] = true;
  handle["T"] = DType::kResource;
  const GraphDef graph = MakeGraph(
      {VarNode("v"), Float("zero", 0), Float("three", 3),
       MakeNode("init", "AssignVariableOp", {"v", "zero"}, kVariable), MakeNode("enter", "Enter", {"zero"}, enter),
       MakeNode("limit", "Enter", {"three"}, constant), MakeNode("v_in", "Enter", {"v"}, handle),
       MakeNode("merge", "Merge", {"enter", "next"}, {{"T", kFloat}, {"N", 2}}),
       Binary("less", "Less", "merge", "limit"), MakeNode("pred", "LoopCond", {"less"}),
       MakeNode("switch", "Switch", {"merge", "pred"}, FloatType()),
       MakeNode("now", "Identity", {"switch:1"}, FloatType()), MakeConst("one", MakeScalar(1.0f), {"^now"}),
       Binary("more", "Add", "now", "one"), MakeNode("call", "Adds", {"v_in", "more"}),
       MakeNode("next", "NextIteration", {"more", "^call"}, FloatType()),
       MakeNode("exit", "Exit", {"switch"}, FloatType()),
       MakeNode("read", "ReadVariableOp", {"v", "^exit"}, kVariable)},
      {adds});
  Run(graph, {}, {"init"});
  ASSERT_TRUE(status_.ok()) << status_.ToString();
  EXPECT_EQ(Run(graph, {"read"}), std::vector<float>{6}) << status_.ToString();
}

// FN6, S6: two calls of one function are two streams, and go on from step to step.
TEST_P(FunctionEffects, HaveRandomStreamsOfTheirOwn) {
  const FunctionDef draws =
      MakeFunction("Draw() -> (y: float32) stateful", "",
                   {MakeConst("shape", MakeVector<int32_t>({1})),
                    MakeNode("draw", "RandomUniform", {"shape:output:0"},
                             {{"T", DType::kInt32}, {"dtype", kFloat}, {"seed", 5}, {"seed2", 7}})},
                   {{"y", "draw:output:0"}});
  const GraphDef graph = MakeGraph({MakeNode("a", "Draw"), MakeNode("b", "Draw")}, {draws});
  const std::vector<float> first = Run(graph, {"a", "b"});
  ASSERT_EQ(first.size(), 2u) << status_.ToString();
  EXPECT_EQ(first[0], first[1]) << "equal seeds, separate streams";
  const std::vector<float> second = Run(graph, {"a"});
  EXPECT_NE(second, std::vector<float>{first[0]});
  EXPECT_EQ(Run(graph, {"b"}), second) << "what a drew did not move b";
}

// FN5: a loop inside a function, and a call inside a loop.
TEST_P(FunctionEffects, MixWithLoopsOfControlFlowOps) {
  const FunctionDef triple =
      MakeFunction("Triple(x: float32) -> (y: float32)", "",
                   {Float("three", 3), Binary("product", "Mul", "x", "three:output:0")}, {{"y", "product:z:0"}});
  const AttrMap enter = {{"T", kFloat}, {"frame_name", "loop"}};
  const auto loop_nodes = [&](const std::string& input, const std::string& limit, bool inside) {
    const auto out = [&](const std::string& node, const std::string& arg, int port) {
      return inside ? Str(node, ":", arg, ":0") : port == 0 ? node : Str(node, ":", port);
    };
    AttrMap constant = enter;
    constant["is_constant"] = true;
    const AttrMap merge = {{"T", kFloat}, {"N", 2}};
    return std::vector<NodeDef>{
        MakeNode("enter", "Enter", {input}, enter),
        MakeNode("limit_in", "Enter", {limit}, constant),
        MakeNode("merge", "Merge", {out("enter", "output", 0), out("next", "output", 0)}, merge),
        Binary("less", "Less", out("merge", "output", 0), out("limit_in", "output", 0)),
        MakeNode("pred", "LoopCond", {out("less", "z", 0)}),
        MakeNode("switch", "Switch", {out("merge", "output", 0), out("pred", "output", 0)}, FloatType()),
        MakeNode("call", "Triple", {out("switch", "output_true", 1)}),
        MakeNode("next", "NextIteration", {out("call", "y", 0)}, FloatType()),
        MakeNode("exit", "Exit", {out("switch", "output_false", 0)}, FloatType())};
  };
  std::vector<NodeDef> nodes = loop_nodes("one", "limit", false);
  nodes.push_back(Float("one", 1));
  nodes.push_back(Float("limit", 20));
  EXPECT_EQ(Run(MakeGraph(nodes, {triple}), {"exit"}), std::vector<float>{27}) << status_.ToString();
  const FunctionDef loops = MakeFunction("Loops(x: float32, limit: float32) -> (y: float32)", "",
                                         loop_nodes("x", "limit", true), {{"y", "exit:output:0"}});
  const GraphDef graph = MakeGraph({Float("one", 1), Float("big", 50), Float("small", 5),
                                    MakeNode("a", "Loops", {"one", "big"}), MakeNode("b", "Loops", {"one", "small"})},
                                   {triple, loops});
  EXPECT_EQ(Run(graph, {"a", "b"}), (std::vector<float>{81, 9})) << status_.ToString();
}

// FN8: of x * x + y: 2x and 1, times what comes in.
TEST_P(FunctionEffects, AreDifferentiated) {
  const NodeDef gradient =
      MakeNode("gradient", "SymbolicGradient", {"three", "two", "ten"},
               {{"Tin", std::vector(3, kFloat)}, {"Tout", std::vector(2, kFloat)}, {"f", Ref("SquarePlus")}});
  const GraphDef graph = MakeGraph({Float("two", 2), Float("three", 3), Float("ten", 10), gradient}, {SquarePlus()});
  EXPECT_EQ(Run(graph, {"gradient:0", "gradient:1"}), (std::vector<float>{60, 10})) << status_.ToString();
}

// FN8: through calls and branches, and by a function that the library names.
TEST_P(FunctionEffects, AreDifferentiatedThroughCalls) {
  const FunctionDef outer =
      MakeFunction("Outer(x: float32) -> (y: float32)", "",
                   {MakeConst("yes", MakeScalar(true)), MakeNode("inner", "SquarePlus", {"x", "x"}),
                    If("if", {"yes:output:0", "inner:z:0"}, Ref("Times"), Ref("Minus"), DType::kBool, "StatelessIf")},
                   {{"y", "if:output:0"}});
  const auto gradient_of = [](const std::string& name) {
    return MakeNode("gradient", "SymbolicGradient", {"three", "one"},
                    {{"Tin", std::vector(2, kFloat)}, {"Tout", std::vector(1, kFloat)}, {"f", Ref(name)}});
  };
  const std::vector<FunctionDef> library = {SquarePlus(), outer, Unary("Minus(x: float32) -> (y: float32)", "Neg"),
                                            Unary("Times(x: float32) -> (y: float32)", "Square"),
                                            MakeFunction("Seven(x: float32, dy: float32) -> (dx: float32)", "",
                                                         {Float("seven", 7)}, {{"dx", "seven:output:0"}})};
  const std::vector<NodeDef> inputs = {Float("three", 3), Float("one", 1)};
  std::vector<NodeDef> nodes = inputs;
  nodes.push_back(gradient_of("Outer"));  // (x² + x)²: 2 (x² + x) (2x + 1)
  EXPECT_EQ(Run(MakeGraph(nodes, library), {"gradient"}), std::vector<float>{168}) << status_.ToString();
  nodes.back() = gradient_of("Times");
  EXPECT_EQ(Run(MakeGraph(nodes, library, {{"Times", "Seven"}}), {"gradient"}), std::vector<float>{7});
}

// V3, FN2.
TEST_P(FunctionEffects, AreAddedToAGraph) {
  const auto session = OpenSession(GetParam(), {});
  ASSERT_TRUE(session->Extend(MakeGraph({Float("two", 2)}, {SquarePlus()})).ok());
  const GraphDef more = MakeGraph({MakeNode("call", "Times", {"two"}), MakeNode("old", "SquarePlus", {"two", "two"})},
                                  {SquarePlus(), Unary("Times(x: float32) -> (y: float32)", "Square")});
  ASSERT_TRUE(session->Extend(more).ok());
  std::vector<Tensor> outputs;
  const std::vector<std::string> fetches = {"call", "old"};
  ASSERT_TRUE(session->Run({}, fetches, {}, &outputs).ok());
  EXPECT_EQ(outputs[0].scalar<float>(), 4);
  EXPECT_EQ(outputs[1].scalar<float>(), 6);
  FunctionDef other = SquarePlus();
  other.nodes[0].op = "Add";
  EXPECT_EQ(session->Extend(MakeGraph({Float("three", 3)}, {other})).code(), Code::kInvalidArgument);
}

// FN4: what is wrong with a function shows before anything of the step runs.
TEST_P(FunctionEffects, AreRefusedBeforeTheyRun) {
  FunctionDef broken = Unary("Broken(x: float32) -> (y: float32)", "Square");
  broken.results["y"] = "lost:y:0";
  const GraphDef graph = MakeGraph(
      {Float("two", 2), MakeConst("yes", MakeScalar(true)), If("if", {"yes", "two"}, Ref("Times"), Ref("Broken")),
       If("unknown", {"yes", "two"}, Ref("Times"), Ref("Lost"))},
      {broken, Unary("Times(x: float32) -> (y: float32)", "Square")});
  Run(graph, {"if"});
  EXPECT_EQ(status_.code(), Code::kInvalidArgument) << status_.ToString();
  Run(graph, {"unknown"});
  EXPECT_EQ(status_.code(), Code::kNotFound) << status_.ToString();
}

}  // namespace
}  // namespace plumb
