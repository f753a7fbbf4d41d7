// Functions in a scope: built, called, imported, differentiated.
#include "client/function.h"

#include <array>

#include "client/control_flow/cond.h"
#include "client/control_flow/while_loop.h"
#include "client/gradients.h"
#include "client/import.h"
#include "client/ops.h"
#include "client/program.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class ScopeFunctions : public OnEachBackend {
 protected:
  // x·x + y
  FunctionRef SquarePlus() {
    return DefineFunction(scope_, "SquarePlus", {{}, {}}, [](Scope&, const std::vector<Output>& args) {
      return std::vector<Output>{args[0] * args[0] + args[1]};
    });
  }
  // (i, x, w) → (i + 1, x·w, w) while i < 3
  std::vector<Output> TimesCubed(Output x, Output w) {
    const std::vector<Argument> arguments = {{.dtype = DType::kInt32, .shape = {}}, {}, {}};
    const FunctionRef below = DefineFunction(scope_, "Below3", arguments, [](Scope&, const std::vector<Output>& args) {
      return std::vector<Output>{args[0] < 3.0};
    });
    const FunctionRef turn = DefineFunction(scope_, "Turn", arguments, [](Scope&, const std::vector<Output>& args) {
      return std::vector<Output>{args[0] + 1.0, args[1] * args[2], args[2]};
    });
    return CallWhile(scope_, below, turn, {Int(0), x, w});
  }
  std::vector<double> Gradient(Output y, Output x) { return Value(DenseGradients({y}, {x})[0]); }
};
PLUMB_ON_EACH_BACKEND(ScopeFunctions);

TEST_P(ScopeFunctions, AreCalled) {
  const FunctionRef function = SquarePlus();
  const Output by_reference = CallFunction(scope_, function, {Floats({3, 4}), Float(2)})[0];
  EXPECT_THAT(Value(by_reference), ElementsAre(11, 18));
  EXPECT_THAT(Value(scope_.Call("SquarePlus", {Float(5), Float(1)})), ElementsAre(26));
}

// FN10.
TEST_P(ScopeFunctions, GiveShapes) {
  const Output y = CallFunction(scope_, SquarePlus(), {Input({2, -1}, "x"), Input({-1, 3}, "y")})[0];
  EXPECT_EQ(y.shape(), PartialShape({2, 3}));
  const std::vector<Output> loop = TimesCubed(Input({4}, "z"), Float(2));
  EXPECT_EQ(loop[0].shape(), PartialShape(Shape()));
  EXPECT_EQ(loop[1].shape(), PartialShape({4}));
}

TEST_P(ScopeFunctions, CallOthers) {
  const FunctionRef inner = SquarePlus();
  const FunctionRef outer = DefineFunction(scope_, "Outer", {{}}, [&](Scope& body, const std::vector<Output>& args) {
    const FunctionRef twice = DefineFunction(body, "Twice", {{}}, [](Scope&, const std::vector<Output>& inside) {
      return std::vector<Output>{inside[0] * 2.0};
    });
    return CallFunction(body, inner, {CallFunction(body, twice, {args[0]})[0], args[0]});
  });
  const Output x = Float(3);
  const Output y = CallFunction(scope_, outer, {x})[0];  // 4x² + x
  EXPECT_THAT(Value(y), ElementsAre(39));
  EXPECT_THAT(Gradient(y, x), ElementsAre(25));
}

TEST_P(ScopeFunctions, AreDifferentiated) {
  const Output x = Float(3), y = Float(2);
  const Output z = CallFunction(scope_, SquarePlus(), {x * 2.0, y})[0];
  EXPECT_THAT(Gradient(z, x), ElementsAre(24));
  EXPECT_THAT(Gradient(z, y), ElementsAre(1));
  const Output by_name = scope_.Call("SquarePlus", {x, y});
  const Output first = DenseGradients({by_name}, {x})[0];
  EXPECT_THAT(Value(first), ElementsAre(6));
  EXPECT_THAT(Gradient(first, x), ElementsAre(2)) << "a second time";
}

// FN8: x·w³.
TEST_P(ScopeFunctions, AreDifferentiatedThroughLoops) {
  const Output x = Float(2), w = Float(3);
  const Output y = TimesCubed(x, w)[1];
  EXPECT_THAT(Value(y), ElementsAre(54));
  EXPECT_THAT(Gradient(y, x), ElementsAre(27));
  EXPECT_THAT(Gradient(y, w), ElementsAre(54));
}

// Of rows that a loop scales: each has its own gradient.
TEST_P(ScopeFunctions, LoopsHaveGradientsOfTheirShape) {
  const Output x = Matrix(2, 2, {1, 2, 3, 4}), w = Floats({1, 2});
  const Output y = TimesCubed(x, w)[1];
  EXPECT_THAT(Gradient(y, x), ElementsAre(1, 8, 1, 8));
  EXPECT_THAT(Gradient(y, w), ElementsAre(3 * 4, 3 * 6 * 4));
}

// A loop of calls in a loop of control-flow ops: x·w⁶.
TEST_P(ScopeFunctions, LoopsAreDifferentiatedInLoops) {
  const Output x = Float(2), w = Float(3);
  const LoopVars last = WhileLoop(
      scope_, {Int(0), x}, [](const LoopVars& v) { return v[0] < 2.0; },
      [&](const LoopVars& v) {
        return LoopVars{v[0] + 1.0, TimesCubed(v[1], w)[1]};
      });
  EXPECT_THAT(Value(last[1]), ElementsAre(1458));
  EXPECT_THAT(Gradient(last[1], x), ElementsAre(729));
  EXPECT_THAT(Gradient(last[1], w), ElementsAre(2916));
}

// What control_flow/ builds may stand in a body: x³ where x > 0, else -x, doubled twice.
TEST_P(ScopeFunctions, MayHoldConditionalsAndLoops) {
  const FunctionRef function = DefineFunction(scope_, "F", {{}}, [](Scope& body, const std::vector<Output>& args) {
    const Output x = args[0];
    const Output chosen = Cond(
        body, x > 0.0, [&] { return x * x * x; }, [&] { return -x; });
    return std::vector<Output>{WhileLoop(
        body, {Constant(body, 0), chosen}, [](const LoopVars& v) { return v[0] < 2.0; },
        [](const LoopVars& v) {
          return LoopVars{v[0] + 1.0, v[1] * 2.0};
        })[1]};
  });
  for (const auto& [at, value, slope] : {std::array{2.0f, 32.0f, 48.0f}, std::array{-3.0f, 12.0f, -4.0f}}) {
    const Output x = Float(at);
    const Output y = CallFunction(scope_, function, {x})[0];
    EXPECT_THAT(Value(y), ElementsAre(value));
    EXPECT_THAT(Gradient(y, x), ElementsAre(slope));
  }
}

TEST_P(ScopeFunctions, AreDifferentiatedThroughBranches) {
  const FunctionRef square = DefineFunction(scope_, "Square1", {{}}, [](Scope&, const std::vector<Output>& args) {
    return std::vector<Output>{args[0] * args[0]};
  });
  const FunctionRef minus = DefineFunction(
      scope_, "Minus1", {{}}, [](Scope&, const std::vector<Output>& args) { return std::vector<Output>{-args[0]}; });
  const Output x = Float(3);
  for (const bool yes : {true, false}) {
    const Output y = CallIf(scope_, Constant(scope_, yes), square, minus, {x})[0];
    EXPECT_THAT(Value(y), ElementsAre(yes ? 9 : -3));
    EXPECT_THAT(Gradient(y, x), ElementsAre(yes ? 6 : -1));
  }
}

// D37.
TEST_P(ScopeFunctions, LoopsHaveNoSecondDerivative) {
  const Output x = Float(2);
  const Output first = DenseGradients({TimesCubed(x, Float(3))[1]}, {x})[0];
  EXPECT_TRUE(Refuses([&] { DenseGradients({first}, {x}); }, Code::kUnimplemented,
                      "second-order gradients of while loops are not supported"));
}

TEST_P(ScopeFunctions, ComeWithWhatIsImported) {
  Scope other;
  const FunctionRef half = DefineFunction(
      other, "Half", {{}}, [](Scope&, const std::vector<Output>& args) { return std::vector<Output>{args[0] * 0.5}; });
  const Output in = other.Call("Placeholder", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}}, "in");
  other.Call("Half", {CallFunction(other, half, {in}, "first")[0]}, {}, "second");
  const Output x = Floats({8, 12});
  const ImportedGraph imported = ImportGraph(scope_, other.ToGraphDef(), {.name = "one", .replace = {{"in", x}}});
  EXPECT_EQ(imported["second"].shape(), PartialShape({2}));
  EXPECT_THAT(Value(imported["second"]), ElementsAre(2, 3));
  EXPECT_THAT(Gradient(imported["second"], x), ElementsAre(0.25, 0.25));
  const ImportedGraph again = ImportGraph(scope_, other.ToGraphDef(), {.name = "two", .replace = {{"in", x}}});
  EXPECT_THAT(Value(again["first"] + CallFunction(scope_, half, {x})[0]), ElementsAre(8, 12));
}

// FN2.
TEST_P(ScopeFunctions, HaveOneMeaning) {
  SquarePlus();
  SquarePlus();
  const auto redefine = [&] {
    DefineFunction(scope_, "SquarePlus", {{}, {}},
                   [](Scope&, const std::vector<Output>& args) { return std::vector<Output>{args[0] + args[1]}; });
  };
  EXPECT_TRUE(Refuses(redefine, Code::kInvalidArgument, "SquarePlus"));
  EXPECT_TRUE(Refuses([&] { CallFunction(scope_, {"Lost", nullptr}, {Float(1)}); }, Code::kNotFound, "Lost"));
  EXPECT_TRUE(
      Refuses([&] { CallFunction(scope_, SquarePlus(), {Float(1)}); }, Code::kInvalidArgument, "has the arguments"));
  const Output outside = Float(1);
  const auto reaches_out = [&] {
    DefineFunction(scope_, "ReachesOut", {{}},
                   [&](Scope&, const std::vector<Output>&) { return std::vector<Output>{outside}; });
  };
  EXPECT_TRUE(Refuses(reaches_out, Code::kInvalidArgument, "must be an argument"));
}

// What is defined later joins a running session.
TEST_P(ScopeFunctions, JoinAProgramThatRuns) {
  Program program(scope_, OpenSession(GetParam()));
  const Output first = CallFunction(scope_, SquarePlus(), {Float(1), Float(1)})[0];
  EXPECT_THAT(Numbers(program.Fetch(first)), ElementsAre(2));
  const FunctionRef later = DefineFunction(scope_, "Later", {{}}, [](Scope&, const std::vector<Output>& args) {
    return std::vector<Output>{args[0] * 3.0};
  });
  EXPECT_THAT(Numbers(program.Fetch(CallFunction(scope_, later, {first})[0])), ElementsAre(6));
}

}  // namespace
}  // namespace plumb
