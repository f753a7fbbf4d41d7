#include "client/import.h"

#include "client/control_flow/while_loop.h"
#include "client/gradients.h"
#include "client/ops.h"
#include "client/testing.h"
#include "client/variable.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class Import : public OnEachBackend {};
PLUMB_ON_EACH_BACKEND(Import);

// y = x · w + b, with a variable w = 3 whose Assign is called init.
GraphDef Linear() {
  Scope scope;
  const Output x = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}}, "x");
  const Variable w = MakeVariable(scope, Constant(scope, 3.0f), {.name = "w"});
  ops::AddV2(scope, x * w.value(), Constant(scope, 1.0f), {.name = "y"});
  scope.Group({w.initializer()}, "init");
  return scope.ToGraphDef();
}

// y = x · 2ⁿ.
GraphDef Doubling() {
  Scope scope;
  const Output x = scope.Call("Placeholder", {}, {{"dtype", DType::kFloat}}, "x");
  const Output n = scope.Call("Placeholder", {}, {{"dtype", DType::kInt32}}, "n");
  const LoopVars last = WhileLoop(
      scope, {Constant(scope, 0), x}, [&](const LoopVars& v) { return v[0] < n; },
      [&](const LoopVars& v) {
        return LoopVars{v[0] + 1, v[1] * 2.0};
      });
  ops::Identity(scope, last[1], {.name = "y"});
  return scope.ToGraphDef();
}

TEST_P(Import, TakesAValueOfTheScopeForAPlaceholder) {
  const Output x = Input({}, "x");
  const ImportedGraph linear = ImportGraph(scope_, Linear(), {.name = "linear", .replace = {{"x", x * x}}});
  EXPECT_EQ(linear["y"].name(), "linear/y");
  const Output dx = DenseGradients({linear["y"]}, {x})[0];
  const auto values = Evaluate(GetParam(), scope_, {linear["y:0"], dx}, {{"x", MakeScalar<float>(2)}},
                               {scope_.NameOf(linear.Node("init"))});
  EXPECT_THAT(Numbers(values[0]), ElementsAre(13));
  EXPECT_THAT(Numbers(values[1]), ElementsAre(12));
}

TEST_P(Import, ALoopTwice) {
  const Output x = Input({}, "x");
  const Output three = Int(3);
  const ImportedGraph first = ImportGraph(scope_, Doubling(), {.name = "loop", .replace = {{"x", x}, {"n", three}}});
  const ImportedGraph second =
      ImportGraph(scope_, Doubling(), {.name = "loop", .replace = {{"x", first["y"]}, {"n", Int(0)}}});
  EXPECT_EQ(second["y"].name(), "loop_1/y");
  EXPECT_THAT(Value(first["y"] + second["y"], {{"x", MakeScalar<float>(1)}}), ElementsAre(16));
}

TEST_P(Import, WithoutANameKeepsNames) {
  const ImportedGraph linear = ImportGraph(scope_, Linear());
  EXPECT_EQ(linear["y"].name(), "y");
  const auto values =
      Evaluate(GetParam(), scope_, {linear["y"]}, {{"x", MakeScalar<float>(2)}}, {scope_.NameOf(linear.Node("init"))});
  EXPECT_THAT(Numbers(values[0]), ElementsAre(7));
}

TEST(ImportRenames, WhatNodesAreColocatedWith) {
  Scope source;
  const Output a = Constant(source, 1.0f, "a");
  GraphBuilder::ColocationScope with(source.builder(), a.node());
  Constant(source, 2.0f, "b");
  Scope scope;
  const ImportedGraph imported = ImportGraph(scope, source.ToGraphDef(), {.name = "in"});
  const Node& b = scope.builder().graph().node(imported.Node("b"));
  EXPECT_THAT(GetAttr<std::vector<std::string>>(b.attrs, "_class"), ElementsAre("loc:@in/a"));
}

TEST(ImportRefuses, WhatIsNotThereOrDoesNotFit) {
  Scope scope;
  const Output x = Constant(scope, 1.0f);
  const Output i = Constant(scope, 1);
  const auto import_with = [&](const std::string& name, Output by) {
    return [&scope, name, by] { ImportGraph(scope, Linear(), {.replace = {{name, by}}}); };
  };
  EXPECT_TRUE(Refuses(import_with("z", x), Code::kInvalidArgument, "no output 'z'"));
  EXPECT_TRUE(Refuses(import_with("x:1", x), Code::kInvalidArgument, "no output 'x:1'"));
  EXPECT_TRUE(Refuses(import_with("^x", x), Code::kInvalidArgument, "no output '^x'"));
  EXPECT_TRUE(Refuses(import_with("x", i), Code::kInvalidArgument, "int32"));
  const ImportedGraph linear = ImportGraph(scope, Linear());
  EXPECT_TRUE(Refuses([&] { linear["q"]; }, Code::kInvalidArgument, "no node 'q'"));
  EXPECT_TRUE(Refuses([&] { linear["y:1"]; }, Code::kInvalidArgument, "1 outputs"));
}

TEST(ImportRefuses, LoopsInsideOfLoops) {
  Scope scope;
  const auto build = [&] {
    WhileLoop(
        scope, {Constant(scope, 1.0f)}, [](const LoopVars& v) { return v[0] < 9.0; },
        [&](const LoopVars& v) {
          return LoopVars{ImportGraph(scope, Doubling(), {.replace = {{"x", v[0]}}})["y"]};
        });
  };
  EXPECT_TRUE(Refuses(build, Code::kInvalidArgument, "outside of conditionals and loops"));
}

TEST(ImportRefuses, GradientsThroughALoop) {
  Scope scope;
  const Output x = Constant(scope, 1.0f);
  const ImportedGraph loop = ImportGraph(scope, Doubling(), {.replace = {{"x", x}}});
  EXPECT_TRUE(Refuses([&] { DenseGradients({loop["y"]}, {x}); }, Code::kUnimplemented, "not built with WhileLoop"));
}

TEST_P(Import, GradientsBesideALoop) {
  const Output x = Input({}, "x");
  const Output y = ImportGraph(scope_, Doubling(), {.name = "loop", .replace = {{"x", Float(1)}, {"n", Int(3)}}})["y"];
  EXPECT_THAT(Value(DenseGradients({y * x}, {x})[0], {{"x", MakeScalar<float>(5)}}), ElementsAre(8));
}

}  // namespace
}  // namespace plumb
