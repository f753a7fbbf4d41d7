// Of a backend that declares a few ops, generators draw these and nothing else, or say what is lacking.
#include "property-tests/generators/declared.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "client/scope.h"
#include "property-tests/generators/random_control_flow.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/generators/random_session.h"

namespace plumb::property {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Names = std::set<std::string, std::less<>>;

// Those ops, of float32 and int32.
Declares Only(const Names& ops) {
  return [ops](std::string_view op, const AttrMap& types) {
    return ops.contains(op) && std::all_of(types.begin(), types.end(), [](const auto& type) {
             const DType dtype = *type.second.template Get<DType>();
             return dtype == DType::kFloat || dtype == DType::kInt32 || dtype == DType::kBool;
           });
  };
}

// The ops of what `draw` makes of many tapes; each node is one that the backend takes.
template <class Draw>
Names Drawn(const Declares& declares, const Draw& draw) {
  std::mt19937_64 random(1);
  Names ops;
  for (int i = 0; i < 300; ++i) {
    std::vector<uint64_t> words(400);
    for (uint64_t& word : words) word = random();
    Tape tape(std::move(words));
    const GraphDef graph = draw(tape, declares);
    EXPECT_EQ(Undeclared(declares, graph), std::set<std::string>());
    for (const NodeDef& node : graph.nodes) ops.insert(node.op);
  }
  return ops;
}

GraphDef Acyclic(Tape& tape, const Declares& declares) { return RandomAcyclic(tape, {.declares = declares}).graph; }
GraphDef ControlFlow(Tape& tape, const Declares& declares) {
  Scope scope;
  RandomControlFlow(scope, tape, {.declares = declares});
  return scope.ToGraphDef();
}
GraphDef Steps(Tape& tape, const Declares& declares) { return RandomSteps(tape, Smoothness::kBends, declares).graph; }

// What is said where there is nothing to draw.
template <class Draw>
std::string Lacking(const Draw& draw, const Names& ops) {
  Tape tape({});
  try {
    draw(tape, Only(ops));
  } catch (const NothingToCompare& nothing) {
    return nothing.what();
  }
  return "";
}

Names With(Names names, const Names& more) {
  names.insert(more.begin(), more.end());
  return names;
}

const Names kFew = {"Add", "Const", "Identity", "MatMul", "Mul", "Neg", "Placeholder", "Sum"};
const Names kConditionals = {"Greater", "Merge", "Switch", "Tanh"};
const Names kLoops = {"AddV2", "Enter", "Exit", "Less", "LoopCond", "NextIteration"};
const Names kHandles = {"AssignVariableOp", "ReadVariableOp", "VarHandleOp"};

TEST(Declared, GraphsHaveAllOfAFewOpsAndNothingElse) {
  EXPECT_EQ(Drawn(Only(kFew), Acyclic), kFew);
  EXPECT_EQ(Drawn(Only({"Identity", "Placeholder"}), Acyclic), (Names{"Identity", "Placeholder"}));
  EXPECT_EQ(Drawn(Only(With(kFew, {"GatherV2", "Reshape"})), Acyclic), With(kFew, {"GatherV2", "Reshape"}));
}

TEST(Declared, ConditionalsAndLoopsAreDrawnEachByItself) {
  const Names conditionals = With(kFew, kConditionals), all = With(conditionals, kLoops);
  EXPECT_TRUE(Drawn(Only(conditionals), ControlFlow).contains("Switch"));
  EXPECT_TRUE(Drawn(Only(all), ControlFlow).contains("NextIteration"));
}

TEST(Declared, SessionsHaveVariablesOfTheFormThatIsTaken) {
  const Names handles = With(kFew, kHandles), references = With(kFew, {"Assign", "VariableV2"});
  EXPECT_EQ(Drawn(Only(handles), Steps), With(kHandles, {"Const", "Placeholder"}));
  EXPECT_EQ(Drawn(Only(references), Steps), (Names{"Add", "Assign", "Const", "Placeholder", "VariableV2"}));
  const Names whole = With(handles, {"AssignAddVariableOp", "CheckNumerics", "NoOp", "Tanh"});
  const Names drawn = Drawn(Only(whole), Steps);
  for (const char* op : {"AssignAddVariableOp", "CheckNumerics", "NoOp", "Tanh", "Neg"}) {
    EXPECT_TRUE(drawn.contains(op)) << op;
  }
}

TEST(Declared, WhereThereIsNothingToDrawTheLackIsNamed) {
  EXPECT_THAT(Lacking(Acyclic, {"Identity", "Neg"}),
              HasSubstr("the backend does not declare Placeholder and Identity of float32, float64 or int32"));
  EXPECT_THAT(Lacking(ControlFlow, With(kFew, {"Merge", "Tanh"})),
              testing::AllOf(HasSubstr("of conditionals and loops, the backend does not declare "),
                             HasSubstr("Switch (T=bool)"), HasSubstr("LoopCond"), Not(HasSubstr("Merge"))));
  EXPECT_THAT(Lacking(ControlFlow, {"Placeholder"}), HasSubstr("any op that keeps the shape of its inputs"));
  EXPECT_THAT(Lacking(Steps, kFew), testing::AllOf(HasSubstr("of variables in either form"), HasSubstr("VariableV2"),
                                                   HasSubstr("VarHandleOp (dtype=float32)")));
}

}  // namespace
}  // namespace plumb::property
