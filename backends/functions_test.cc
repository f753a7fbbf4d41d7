// Laws of functions that every backend keeps (clauses FN1–FN9).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"

namespace plumb {
namespace {

using testing::HasSubstr;

class Functions : public testing::TestWithParam<std::string_view> {
 protected:
  // The first element of each fetch, as a float; the status says what went wrong.
  std::vector<float> Run(const GraphDef& graph, std::vector<std::string> fetches, std::vector<std::string> targets = {},
                         std::vector<Feed> feeds = {}) {
    if (last_ != SerializedFor(graph)) {
      session_ = OpenSession(GetParam(), {.threads = 2});
      last_ = SerializedFor(graph);
      status_ = session_->Extend(graph);
      if (!status_.ok()) return {};
    }
    std::vector<Tensor> outputs;
    status_ = session_->Run(feeds, fetches, targets, &outputs);
    std::vector<float> values;
    for (const Tensor& output : outputs) values.push_back(output.data<float>()[0]);
    return status_.ok() ? values : std::vector<float>();
  }
  // Graphs of tests differ in their nodes.
  static std::string SerializedFor(const GraphDef& graph) {
    std::string text = graph.library;
    for (const NodeDef& node : graph.nodes) text += Str(node.name, " ", node.op, ";");
    return text;
  }

  Status status_;

 private:
  std::unique_ptr<Session> session_;
  std::string last_;
};
INSTANTIATE_TEST_SUITE_P(All, Functions, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return std::string(info.param); });

constexpr DType kFloat = DType::kFloat;

NodeDef Float(const std::string& name, float value) { return MakeConst(name, MakeScalar(value)); }
NodeDef Binary(const std::string& name, const std::string& op, const std::string& a, const std::string& b) {
  return MakeNode(name, op, {a, b}, FloatType());
}
// x * x + y
FunctionDef SquarePlus() {
  return MakeFunction("SquarePlus(x: float32, y: float32) -> (z: float32)", "",
                      {Binary("square", "Mul", "x", "x"), Binary("sum", "Add", "square:z:0", "y")}, {{"z", "sum:z:0"}});
}
NodeDef Call(const std::string& name, const FunctionRef& function, std::vector<std::string> inputs, size_t outputs = 1,
             const std::string& op = "PartitionedCall") {
  std::vector<DType> in;
  for (const std::string& input : inputs) {
    if (input[0] != '^') in.push_back(kFloat);
  }
  return MakeNode(name, op, std::move(inputs),
                  {{"Tin", in}, {"Tout", std::vector<DType>(outputs, kFloat)}, {"f", function}});
}
NodeDef If(const std::string& name, std::vector<std::string> inputs, const FunctionRef& then_branch,
           const FunctionRef& else_branch, DType condition = DType::kBool, const std::string& op = "If") {
  return MakeNode(name, op, inputs,
                  {{"Tcond", condition},
                   {"Tin", std::vector<DType>(inputs.size() - 1, kFloat)},
                   {"Tout", std::vector{kFloat}},
                   {"then_branch", then_branch},
                   {"else_branch", else_branch}});
}
NodeDef While(const std::string& name, const std::vector<std::string>& inputs, const FunctionRef& condition,
              const FunctionRef& body) {
  return MakeNode(name, "While", inputs,
                  {{"T", std::vector<DType>(inputs.size(), kFloat)}, {"cond", condition}, {"body", body}});
}
FunctionDef Unary(const char* signature, const std::string& op) {
  return MakeFunction(signature, "", {MakeNode("op", op, {"x"}, FloatType())}, {{"y", "op:y:0"}});
}

// FN4, FN5: by name, by reference, in each other.
TEST_P(Functions, AreCalled) {
  const FunctionDef outer =
      MakeFunction("Outer(x: float32) -> (z: float32)", "",
                   {MakeNode("inner", "SquarePlus", {"x", "x"}), Call("again", Ref("SquarePlus"), {"inner:z:0", "x"})},
                   {{"z", "again:output:0"}});
  const GraphDef graph =
      MakeGraph({Float("two", 2), Float("three", 3), MakeNode("named", "SquarePlus", {"two", "three"}),
                 Call("referred", Ref("SquarePlus"), {"three", "two"}), MakeNode("outer", "Outer", {"two"})},
                {SquarePlus(), outer});
  EXPECT_EQ(Run(graph, {"named", "referred:0", "outer"}), (std::vector<float>{7, 11, 38})) << status_.ToString();
}

// FN5: results may be arguments, and constants.
TEST_P(Functions, GiveArgumentsAndConstants) {
  const FunctionDef function = MakeFunction("Pass(x: float32) -> (same: float32, five: float32)", "",
                                            {Float("five", 5)}, {{"same", "x"}, {"five", "five:output:0"}});
  const GraphDef graph = MakeGraph({Float("two", 2), MakeNode("call", "Pass", {"two"})}, {function});
  EXPECT_EQ(Run(graph, {"call:1", "call:0"}), (std::vector<float>{5, 2})) << status_.ToString();
}

// FN7.
TEST_P(Functions, ChooseBetweenBranches) {
  const std::vector<FunctionDef> library = {Unary("Minus(x: float32) -> (y: float32)", "Neg"),
                                            Unary("Times(x: float32) -> (y: float32)", "Square")};
  for (const bool taken : {false, true}) {
    const GraphDef graph = MakeGraph({Float("three", 3), MakeConst(taken ? "yes" : "no", MakeScalar(taken)),
                                      If("if", {taken ? "yes" : "no", "three"}, Ref("Times"), Ref("Minus"))},
                                     library);
    EXPECT_EQ(Run(graph, {"if"}), std::vector<float>{taken ? 9.0f : -3.0f}) << status_.ToString();
  }
}

// FN7: numbers, strings and arrays say yes and no as well.
TEST_P(Functions, TakeConditionsOfManyTypes) {
  const std::vector<FunctionDef> library = {Unary("Minus(x: float32) -> (y: float32)", "Neg"),
                                            Unary("Times(x: float32) -> (y: float32)", "Square")};
  const std::vector<std::pair<Tensor, bool>> conditions = {
      {MakeScalar<int32_t>(0), false},      {MakeScalar(0.5f), true},       {MakeScalar(std::string()), false},
      {MakeScalar(std::string("x")), true}, {MakeVector<float>({}), false}, {MakeVector<float>({0}), true}};
  for (size_t i = 0; i < conditions.size(); ++i) {
    const auto& [condition, taken] = conditions[i];
    const std::string name = Str("c", i);
    const GraphDef graph =
        MakeGraph({Float("three", 3), MakeConst(name, condition),
                   If("if", {name, "three"}, Ref("Times"), Ref("Minus"), condition.dtype(), "StatelessIf")},
                  library);
    EXPECT_EQ(Run(graph, {"if"}), std::vector<float>{taken ? 9.0f : -3.0f}) << i << ": " << status_.ToString();
  }
  const GraphDef complex = MakeGraph({Float("three", 3), MakeConst("z", MakeScalar(std::complex<float>(1, 0))),
                                      If("if", {"z", "three"}, Ref("Times"), Ref("Minus"), DType::kComplex64)},
                                     library);
  Run(complex, {"if"});
  EXPECT_EQ(status_.code(), Code::kInvalidArgument);
}

// FN7: an index that no branch has means the last.
TEST_P(Functions, ChooseByIndex) {
  const std::vector<FunctionDef> library = {Unary("Minus(x: float32) -> (y: float32)", "Neg"),
                                            Unary("Times(x: float32) -> (y: float32)", "Square"),
                                            Unary("Root(x: float32) -> (y: float32)", "Sqrt")};
  const GraphDef graph =
      MakeGraph({Float("four", 4), MakeNode("index", "Placeholder", {}, {{"dtype", DType::kInt32}}),
                 MakeNode("case", "Case", {"index", "four"},
                          {{"Tin", std::vector{kFloat}},
                           {"Tout", std::vector{kFloat}},
                           {"branches", std::vector<FunctionRef>{Ref("Minus"), Ref("Times"), Ref("Root")}}})},
                library);
  const std::vector<std::pair<int32_t, float>> answers = {{0, -4}, {1, 16}, {2, 2}, {3, 2}, {-1, 2}};
  for (const auto& [index, answer] : answers) {
    EXPECT_EQ(Run(graph, {"case"}, {}, {{"index", MakeScalar(index)}}), std::vector<float>{answer})
        << status_.ToString();
  }
}

FunctionDef Below(const char* signature, float limit) {
  return MakeFunction(signature, "", {Float("limit", limit), Binary("less", "Less", "x", "limit:output:0")},
                      {{"b", "less:z:0"}});
}

// FN7: also in each other, and without a single turn.
TEST_P(Functions, Loop) {
  const FunctionDef body =
      MakeFunction("Next(x: float32, sum: float32) -> (x1: float32, sum1: float32)", "",
                   {Float("one", 1), Binary("more", "Add", "x", "one:output:0"), Binary("total", "Add", "sum", "x")},
                   {{"x1", "more:z:0"}, {"sum1", "total:z:0"}});
  const FunctionDef nested = MakeFunction(
      "Outer(x: float32, sum: float32) -> (x1: float32, sum1: float32)", "",
      {Float("one", 1), Float("zero", 0), While("inner", {"zero:output:0", "sum"}, Ref("Below4"), Ref("Next")),
       Binary("more", "Add", "x", "one:output:0")},
      {{"x1", "more:z:0"}, {"sum1", "inner:output:1"}});
  const GraphDef graph =
      MakeGraph({Float("zero", 0), Float("nine", 9), While("loop", {"zero", "zero"}, Ref("Below4"), Ref("Next")),
                 While("none", {"nine", "zero"}, Ref("Below4"), Ref("Next")),
                 While("outer", {"zero", "zero"}, Ref("Below4"), Ref("Outer"))},
                {body, nested, Below("Below4(x: float32, sum: float32) -> (b: bool)", 4)});
  EXPECT_EQ(Run(graph, {"loop:0", "loop:1"}), (std::vector<float>{4, 6})) << status_.ToString();
  EXPECT_EQ(Run(graph, {"none:0", "none:1"}), (std::vector<float>{9, 0})) << status_.ToString();
  EXPECT_EQ(Run(graph, {"outer:0", "outer:1"}), (std::vector<float>{4, 24})) << status_.ToString();
}

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
TEST_P(Functions, MayCallThemselves) {
  const GraphDef graph = MakeGraph(
      {MakeNode("n", "Placeholder", {}, {{"dtype", kFloat}}), MakeNode("call", "Factorial", {"n"})}, Factorial());
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Run(graph, {"call"}, {}, {{"n", MakeScalar(6.0f)}}), std::vector<float>{720}) << status_.ToString();
  }
  EXPECT_EQ(Run(graph, {"call"}, {}, {{"n", MakeScalar(1.0f)}}), std::vector<float>{1}) << status_.ToString();
}

TEST_P(Functions, StopWhenTheyCallThemselvesForEver) {
  const FunctionDef endless = MakeFunction("Endless(x: float32) -> (y: float32)", "",
                                           {MakeNode("again", "Endless", {"x"})}, {{"y", "again:y:0"}});
  const GraphDef graph = MakeGraph({Float("two", 2), MakeNode("call", "Endless", {"two"})}, {endless});
  Run(graph, {"call"});
  EXPECT_EQ(status_.code(), Code::kResourceExhausted) << status_.ToString();
  EXPECT_THAT(status_.message(), HasSubstr("deep"));
}

// FN5: dead inputs kill the whole call, also what needs no input.
TEST_P(Functions, AreDeadWhereAnInputIs) {
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
TEST_P(Functions, HaveTheirEffects) {
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
TEST_P(Functions, LoopOverEffectsInOrder) {
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

// FN6, S6: two calls of one function are two streams, and go on from step to step.
TEST_P(Functions, HaveRandomStreamsOfTheirOwn) {
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
TEST_P(Functions, MixWithLoopsOfControlFlowOps) {
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
TEST_P(Functions, AreDifferentiated) {
  const NodeDef gradient =
      MakeNode("gradient", "SymbolicGradient", {"three", "two", "ten"},
               {{"Tin", std::vector(3, kFloat)}, {"Tout", std::vector(2, kFloat)}, {"f", Ref("SquarePlus")}});
  const GraphDef graph = MakeGraph({Float("two", 2), Float("three", 3), Float("ten", 10), gradient}, {SquarePlus()});
  EXPECT_EQ(Run(graph, {"gradient:0", "gradient:1"}), (std::vector<float>{60, 10})) << status_.ToString();
}

// FN8: through calls and branches, and by a function that the library names.
TEST_P(Functions, AreDifferentiatedThroughCalls) {
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
TEST_P(Functions, AreAddedToAGraph) {
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
TEST_P(Functions, AreRefusedBeforeTheyRun) {
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
