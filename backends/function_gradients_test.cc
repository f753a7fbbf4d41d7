// Laws of gradients of loops and conditionals in functions that every backend keeps (clause FN8).
#include "backends/backends_testing.h"
#include "backends/functions_testing.h"

namespace plumb {
namespace {

using testing::HasSubstr;

class LoopGradients : public Functions {
 protected:
  // The gradients of `function` at `at`, where `dys` come in for its results.
  std::vector<float> Gradients(const FunctionRef& function, const std::vector<FunctionDef>& library,
                               const std::vector<float>& at, const std::vector<float>& dys) {
    const std::string gradient = Str("gradient", round_++);  // graphs of tests differ in their nodes
    std::vector<NodeDef> nodes;
    std::vector<std::string> inputs, fetches;
    for (const float value : at) {
      fetches.push_back(Str(gradient, ":", fetches.size()));
      inputs.push_back(Str("at", fetches.size()));
      nodes.push_back(Float(inputs.back(), value));
    }
    for (const float value : dys) {
      inputs.push_back(Str("dy", inputs.size()));
      nodes.push_back(Float(inputs.back(), value));
    }
    nodes.push_back(MakeNode(
        gradient, "SymbolicGradient", inputs,
        {{"Tin", std::vector(inputs.size(), kFloat)}, {"Tout", std::vector(at.size(), kFloat)}, {"f", function}}));
    return Run(MakeGraph(nodes, library), fetches);
  }

 private:
  int round_ = 0;
};
INSTANTIATE_TEST_SUITE_P(All, LoopGradients, testing::ValuesIn(BackendNames().begin(), BackendNames().end()),
                         [](const auto& info) { return TestNameOf(info.param); });

FunctionDef Below(const char* signature, float limit) {
  return MakeFunction(signature, "", {Float("limit", limit), Binary("less", "Less", "i", "limit:output:0")},
                      {{"b", "less:z:0"}});
}
// (i, x, w) → (i + 1, x·w, w)
FunctionDef Scaled() {
  return MakeFunction("Scaled(i: float32, x: float32, w: float32) -> (i1: float32, x1: float32, w1: float32)", "",
                      {Float("one", 1), Binary("more", "Add", "i", "one:output:0"), Binary("scaled", "Mul", "x", "w")},
                      {{"i1", "more:z:0"}, {"x1", "scaled:z:0"}, {"w1", "w"}});
}
FunctionDef ThreeTurns() { return Below("Below3(i: float32, x: float32, w: float32) -> (b: bool)", 3); }
// x·w³, by a loop.
FunctionDef Cubed() {
  return MakeFunction("Cubed(x: float32, w: float32) -> (y: float32)", "",
                      {Float("zero", 0), While("loop", {"zero:output:0", "x", "w"}, Ref("Below3"), Ref("Scaled"))},
                      {{"y", "loop:output:1"}});
}

// x·w³: w³ and 3x·w².
TEST_P(LoopGradients, OfALoopInAFunction) {
  EXPECT_EQ(Gradients(Ref("Cubed"), {Scaled(), ThreeTurns(), Cubed()}, {2, 3}, {1}), (std::vector<float>{27, 54}))
      << status_.ToString();
  EXPECT_EQ(Gradients(Ref("Cubed"), {Scaled(), ThreeTurns(), Cubed()}, {2, 3}, {10}), (std::vector<float>{270, 540}))
      << status_.ToString();
}

// The loop is a function itself; what each of its results contributes is added.
TEST_P(LoopGradients, OfALoopByItsOp) {
  const AttrMap loop = {{"T", std::vector(3, kFloat)}, {"cond", Ref("Below3")}, {"body", Ref("Scaled")}};
  const std::vector<FunctionDef> library = {Scaled(), ThreeTurns()};
  EXPECT_EQ(Gradients(Ref("While", loop), library, {0, 2, 3}, {0, 1, 0}), (std::vector<float>{0, 27, 54}))
      << status_.ToString();
  EXPECT_EQ(Gradients(Ref("StatelessWhile", loop), library, {1, 2, 3}, {5, 1, 7}), (std::vector<float>{5, 9, 19}))
      << "two turns: " << status_.ToString();
  EXPECT_EQ(Gradients(Ref("While", loop), library, {9, 2, 3}, {5, 6, 7}), (std::vector<float>{5, 6, 7}))
      << "no turn at all: " << status_.ToString();
}

// x ↦ x², three times: 8x⁷. Each turn is differentiated where it started.
TEST_P(LoopGradients, NeedWhatEachTurnStartedWith) {
  const FunctionDef squared =
      MakeFunction("Squared(i: float32, x: float32, w: float32) -> (i1: float32, x1: float32, w1: float32)", "",
                   {Float("one", 1), Binary("more", "Add", "i", "one:output:0"), Binary("square", "Mul", "x", "x")},
                   {{"i1", "more:z:0"}, {"x1", "square:z:0"}, {"w1", "w"}});
  const AttrMap loop = {{"T", std::vector(3, kFloat)}, {"cond", Ref("Below3")}, {"body", Ref("Squared")}};
  EXPECT_EQ(Gradients(Ref("While", loop), {squared, ThreeTurns()}, {0, 2, 0}, {0, 1, 0}),
            (std::vector<float>{0, 1024, 0}))
      << status_.ToString();
}

// Three turns of three turns: x·w⁹.
TEST_P(LoopGradients, OfLoopsInLoops) {
  const FunctionDef outer = MakeFunction(
      "Outer(i: float32, x: float32, w: float32) -> (i1: float32, x1: float32, w1: float32)", "",
      {Float("one", 1), Binary("more", "Add", "i", "one:output:0"), MakeNode("cubed", "Cubed", {"x", "w"})},
      {{"i1", "more:z:0"}, {"x1", "cubed:y:0"}, {"w1", "w"}});
  const AttrMap loop = {{"T", std::vector(3, kFloat)}, {"cond", Ref("Below3")}, {"body", Ref("Outer")}};
  EXPECT_EQ(Gradients(Ref("While", loop), {Scaled(), ThreeTurns(), Cubed(), outer}, {0, 3, 2}, {0, 1, 0}),
            (std::vector<float>{0, 512, 6912}))
      << status_.ToString();
}

// Turns that choose: x doubles while it is small, then it is squared. 2, 4, 16, 256: 2·8·32.
TEST_P(LoopGradients, OfLoopsThatChoose) {
  const FunctionDef turn = MakeFunction(
      "Turn(i: float32, x: float32, w: float32) -> (i1: float32, x1: float32, w1: float32)", "",
      {Float("one", 1), Float("three", 3), Binary("more", "Add", "i", "one:output:0"),
       Binary("small", "Less", "x", "three:output:0"), If("if", {"small:z:0", "x"}, Ref("Twice"), Ref("ToSquare"))},
      {{"i1", "more:z:0"}, {"x1", "if:output:0"}, {"w1", "w"}});
  const std::vector<FunctionDef> library = {
      turn, ThreeTurns(), Unary("ToSquare(x: float32) -> (y: float32)", "Square"),
      MakeFunction("Twice(x: float32) -> (y: float32)", "", {Binary("op", "Add", "x", "x")}, {{"y", "op:z:0"}})};
  const AttrMap loop = {{"T", std::vector(3, kFloat)}, {"cond", Ref("Below3")}, {"body", Ref("Turn")}};
  EXPECT_EQ(Gradients(Ref("While", loop), library, {0, 2, 0}, {0, 1, 0}), (std::vector<float>{0, 512, 0}))
      << status_.ToString();
}

// Counters are no floats, and need no gradients.
TEST_P(LoopGradients, LeaveOutWhatHasNone) {
  const FunctionDef body = MakeFunction(
      "Turn(i: int32, on: bool, x: float32) -> (i1: int32, on1: bool, x1: float32)", "",
      {MakeConst("one", MakeScalar<int32_t>(1)), MakeNode("more", "Add", {"i", "one:output:0"}, {{"T", DType::kInt32}}),
       MakeNode("off", "LogicalNot", {"on"}), Binary("square", "Mul", "x", "x")},
      {{"i1", "more:z:0"}, {"on1", "off:y:0"}, {"x1", "square:z:0"}});
  const FunctionDef below = MakeFunction(
      "Below(i: int32, on: bool, x: float32) -> (b: bool)", "",
      {MakeConst("two", MakeScalar<int32_t>(2)), MakeNode("b", "Less", {"i", "two:output:0"}, {{"T", DType::kInt32}})},
      {{"b", "b:z:0"}});
  const FunctionDef whole = MakeFunction(
      "Whole(x: float32) -> (y: float32)", "",
      {MakeConst("zero", MakeScalar<int32_t>(0)), MakeConst("yes", MakeScalar(true)),
       MakeNode(
           "loop", "While", {"zero:output:0", "yes:output:0", "x"},
           {{"T", std::vector{DType::kInt32, DType::kBool, kFloat}}, {"cond", Ref("Below")}, {"body", Ref("Turn")}})},
      {{"y", "loop:output:2"}});
  EXPECT_EQ(Gradients(Ref("Whole"), {body, below, whole}, {3}, {1}), std::vector<float>{108}) << status_.ToString();
}

// x·w³ by Enter, Merge, Switch and Exit; `prefix` and the frame tell two of them apart.
std::vector<NodeDef> Frame(const std::string& p, const std::string& x, const std::string& w) {
  const AttrMap enter = {{"T", kFloat}, {"frame_name", p + "frame"}};
  AttrMap constant = enter;
  constant["is_constant"] = true;
  const AttrMap merge = {{"T", kFloat}, {"N", 2}};
  const auto in = [&](const std::string& name, const std::string& input) {
    return MakeNode(p + name, "Enter", {p + input}, enter);
  };
  return {Float(p + "zero", 0),
          Float(p + "limit", 3),
          in("i_in", "zero:output:0"),
          MakeNode(p + "x_in", "Enter", {x}, enter),
          MakeNode(p + "w_in", "Enter", {w}, constant),
          MakeNode(p + "limit_in", "Enter", {p + "limit:output:0"}, constant),
          MakeNode(p + "i", "Merge", {p + "i_in:output:0", p + "i_next:output:0"}, merge),
          MakeNode(p + "x", "Merge", {p + "x_in:output:0", p + "x_next:output:0"}, merge),
          Binary(p + "less", "Less", p + "i:output:0", p + "limit_in:output:0"),
          MakeNode(p + "cond", "LoopCond", {p + "less:z:0"}),
          MakeNode(p + "i_switch", "Switch", {p + "i:output:0", p + "cond:output:0"}, FloatType()),
          MakeNode(p + "x_switch", "Switch", {p + "x:output:0", p + "cond:output:0"}, FloatType()),
          MakeNode(p + "i_now", "Identity", {p + "i_switch:output_true:0"}, FloatType()),
          MakeConst(p + "one", MakeScalar(1.0f), {"^" + p + "i_now"}),
          Binary(p + "more", "Add", p + "i_now:output:0", p + "one:output:0"),
          Binary(p + "scaled", "Mul", p + "x_switch:output_true:0", p + "w_in:output:0"),
          MakeNode(p + "i_next", "NextIteration", {p + "more:z:0"}, FloatType()),
          MakeNode(p + "x_next", "NextIteration", {p + "scaled:z:0"}, FloatType()),
          MakeNode(p + "exit", "Exit", {p + "x_switch:output_false:0"}, FloatType())};
}

TEST_P(LoopGradients, OfFrames) {
  std::vector<NodeDef> nodes = Frame("a", "x", "w");
  EXPECT_EQ(Gradients(Ref("F"),
                      {MakeFunction("F(x: float32, w: float32) -> (y: float32)", "", nodes, {{"y", "aexit:output:0"}})},
                      {2, 3}, {1}),
            (std::vector<float>{27, 54}))
      << status_.ToString();
  for (NodeDef& node : Frame("b", "aexit:output:0", "w")) nodes.push_back(node);  // x·w⁶
  EXPECT_EQ(Gradients(Ref("F"),
                      {MakeFunction("F(x: float32, w: float32) -> (y: float32)", "", nodes, {{"y", "bexit:output:0"}})},
                      {2, 3}, {1}),
            (std::vector<float>{729, 2916}))
      << status_.ToString();
}

// A frame in the frame: x·w⁹.
TEST_P(LoopGradients, OfFramesInFrames) {
  std::vector<NodeDef> nodes = Frame("a", "x", "w");
  for (NodeDef& node : nodes) {
    if (node.name == "ax_next") node.inputs = {"bexit:output:0"};
  }
  for (NodeDef node : Frame("b", "ax_switch:output_true:0", "aw_in:output:0")) {
    if (node.op == "Const" && node.inputs.empty()) node.inputs = {"^ai_now"};
    nodes.push_back(node);
  }
  EXPECT_EQ(Gradients(Ref("F"),
                      {MakeFunction("F(x: float32, w: float32) -> (y: float32)", "", nodes, {{"y", "aexit:output:0"}})},
                      {3, 2}, {1}),
            (std::vector<float>{512, 6912}))
      << status_.ToString();
}

// Switch and Merge in a body: x² where x > w, else x·w.
TEST_P(LoopGradients, OfBranchesOfControlFlowOps) {
  const FunctionDef choose =
      MakeFunction("F(x: float32, w: float32) -> (y: float32)", "",
                   {Binary("more", "Greater", "x", "w"), MakeNode("sx", "Switch", {"x", "more:z:0"}, FloatType()),
                    MakeNode("sw", "Switch", {"w", "more:z:0"}, FloatType()),
                    Binary("square", "Mul", "sx:output_true:0", "sx:output_true:0"),
                    Binary("product", "Mul", "sx:output_false:0", "sw:output_false:0"),
                    MakeNode("merge", "Merge", {"product:z:0", "square:z:0"}, {{"T", kFloat}, {"N", 2}})},
                   {{"y", "merge:output:0"}});
  EXPECT_EQ(Gradients(Ref("F"), {choose}, {5, 2}, {1}), (std::vector<float>{10, 0})) << status_.ToString();
  EXPECT_EQ(Gradients(Ref("F"), {choose}, {5, 7}, {1}), (std::vector<float>{7, 5})) << status_.ToString();
}

// Without loops a gradient is a function like others: x·x + y has 2x, and that has 2.
TEST_P(LoopGradients, HaveGradientsThemselvesWithoutLoops) {
  EXPECT_EQ(Gradients(Ref("SymbolicGradient", {{"f", Ref("SquarePlus")}}), {SquarePlus()}, {3, 2, 1}, {1, 0}),
            (std::vector<float>{2, 0, 6}))
      << status_.ToString();
}

TEST_P(LoopGradients, HaveNoGradientsThemselves) {
  Gradients(Ref("SymbolicGradient", {{"f", Ref("Cubed")}}), {Scaled(), ThreeTurns(), Cubed()}, {2, 3, 1}, {1, 0});
  EXPECT_EQ(status_.code(), Code::kUnimplemented);
  EXPECT_THAT(status_.message(), HasSubstr("second-order gradients of while loops are not supported"));
}

}  // namespace
}  // namespace plumb
