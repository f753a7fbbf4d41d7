#include "client/control_flow/cond.h"
#include "client/control_flow/functional.h"
#include "client/control_flow/while_loop.h"
#include "client/ops.h"
#include "client/testing.h"
#include "client/variable.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class ControlFlow : public OnEachBackend {
 protected:
  std::vector<std::vector<double>> Values(const std::vector<Output>& fetches, const std::vector<Feed>& feeds = {}) {
    std::vector<std::vector<double>> values;
    for (const Tensor& tensor : Evaluate(GetParam(), scope_, fetches, feeds)) values.push_back(Numbers(tensor));
    return values;
  }
  Output Flag() { return Input({}, "flag", DType::kBool); }
  static Feed Fed(bool value) { return {"flag", MakeScalar<bool>(value)}; }
};
PLUMB_ON_EACH_BACKEND(ControlFlow);

TEST_P(ControlFlow, CondGivesTheResultOfTheBranchTaken) {
  const Output x = Float(3);
  const Output y = Cond(
      scope_, Flag(), [&] { return x * x; }, [&] { return -x; });
  EXPECT_THAT(Value(y, {Fed(true)}), ElementsAre(9));
  EXPECT_THAT(Value(y, {Fed(false)}), ElementsAre(-3));
}

TEST_P(ControlFlow, OnlyTheBranchTakenRuns) {
  const Output y = Cond(
      scope_, Flag(),
      [&] {
        const NodeId fails = ops::Assert(scope_, Constant(scope_, false), {Float(0)});
        auto after = scope_.After({fails});
        return Float(1);
      },
      [&] { return Float(2); });
  EXPECT_THAT(Value(y, {Fed(false)}), ElementsAre(2));
  EXPECT_TRUE(Refuses([&] { Value(y, {Fed(true)}); }, Code::kInvalidArgument, ""));
}

TEST_P(ControlFlow, CondsNest) {
  const Output x = Float(2);
  const Output other = Input({}, "other", DType::kBool);
  const Output y = Cond(
      scope_, Flag(),
      [&] {
        return Cond(
            scope_, other, [&] { return x + 1.0; }, [&] { return x + 2.0; });
      },
      [&] { return x; });
  const auto value = [&](bool flag, bool second) {
    return Value(y, {Fed(flag), {"other", MakeScalar<bool>(second)}})[0];
  };
  EXPECT_EQ(value(true, true), 3);
  EXPECT_EQ(value(true, false), 4);
  EXPECT_EQ(value(false, true), 2);
}

TEST_P(ControlFlow, ABranchMayReturnWhatItFound) {
  const Output a = Float(1);
  const Output b = Float(2);
  const Output y = Cond(
      scope_, Flag(), [&] { return a; }, [&] { return b; });
  EXPECT_THAT(Value(y, {Fed(true)}), ElementsAre(1));
  EXPECT_THAT(Value(y, {Fed(false)}), ElementsAre(2));
}

TEST_P(ControlFlow, AWhileLoopRepeats) {
  const Output limit = Input({}, "limit", DType::kInt32);
  const Output factor = Float(3);
  const LoopVars last = WhileLoop(
      scope_, {Int(0), Float(2)}, [&](const LoopVars& v) { return v[0] < limit; },
      [&](const LoopVars& v) {
        return LoopVars{v[0] + 1, v[1] * factor};
      });
  const auto run = [&](int32_t n) { return Values(last, {{"limit", MakeScalar<int32_t>(n)}}); };
  EXPECT_THAT(run(0), ElementsAre(ElementsAre(0), ElementsAre(2)));
  EXPECT_THAT(run(3), ElementsAre(ElementsAre(3), ElementsAre(54)));
}

TEST_P(ControlFlow, ALoopVariableMayBeReplacedByAConstant) {
  const LoopVars last = WhileLoop(
      scope_, {Int(0), Float(2)}, [&](const LoopVars& v) { return v[0] < 2; },
      [&](const LoopVars& v) {
        return LoopVars{v[0] + 1, Float(7)};
      });
  EXPECT_THAT(Value(last[1]), ElementsAre(7));
}

TEST_P(ControlFlow, LoopsNestAndTheInnerOneMayRunZeroTimes) {
  const LoopVars last = WhileLoop(
      scope_, {Int(0), Int(0)}, [&](const LoopVars& v) { return v[0] < 4; },
      [&](const LoopVars& v) {
        const LoopVars inner = WhileLoop(
            scope_, {Int(0), v[1]}, [&](const LoopVars& u) { return u[0] < v[0]; },
            [&](const LoopVars& u) {
              return LoopVars{u[0] + 1, u[1] + v[0]};
            });
        return LoopVars{v[0] + 1, inner[1]};
      });
  EXPECT_THAT(Value(last[1]), ElementsAre(14));  // 0·0 + 1·1 + 2·2 + 3·3
}

TEST_P(ControlFlow, ACondInALoopDecidesInEachIteration) {
  const LoopVars last = WhileLoop(
      scope_, {Int(0), Int(0)}, [&](const LoopVars& v) { return v[0] < 5; },
      [&](const LoopVars& v) {
        const Output odd = ops::Equal(scope_, ops::FloorMod(scope_, v[0], Int(2)), Int(1));
        return LoopVars{v[0] + 1, Cond(
                                      scope_, odd, [&] { return v[1] + v[0]; }, [&] { return v[1] - v[0]; })};
      });
  EXPECT_THAT(Value(last[1]), ElementsAre(-2));  // −0 + 1 − 2 + 3 − 4
}

TEST_P(ControlFlow, OuterControlDependenciesOrderTheWholeLoop) {
  const Output first = Float(1);
  auto after = scope_.After({first.node()});
  const LoopVars last = WhileLoop(
      scope_, {Int(0)}, [&](const LoopVars& v) { return v[0] < 3; },
      [&](const LoopVars& v) { return LoopVars{v[0] + 1}; });
  EXPECT_THAT(Value(last[0]), ElementsAre(3));
}

TEST_P(ControlFlow, ShapesMayChangeWhereTheInvariantSaysSo) {
  WhileOptions options;
  options.shape_invariants = {PartialShape({}), PartialShape({-1})};
  const auto build = [&](const WhileOptions& with) {
    return WhileLoop(
        scope_, {Int(0), Floats({1})}, [&](const LoopVars& v) { return v[0] < 3; },
        [&](const LoopVars& v) {
          return LoopVars{v[0] + 1, ops::ConcatV2(scope_, {v[1], v[1]}, Int(0))};
        },
        with);
  };
  EXPECT_EQ(Value(build(options)[1]).size(), 8u);
  EXPECT_TRUE(Refuses([&] { build({}); }, Code::kInvalidArgument, "shape_invariants"));
}

TEST_P(ControlFlow, MapAppliesToEachRow) {
  const Output rows = Matrix(3, 2, {1, 2, 3, 4, 5, 6});
  const Output sums = Map(
      scope_, [&](Output row) { return ops::Sum(scope_, row, Int(0)); }, rows);
  EXPECT_EQ(sums.shape(), PartialShape({3}));
  EXPECT_THAT(Value(sums), ElementsAre(3, 7, 11));
}

TEST_P(ControlFlow, ScanKeepsEveryStateAndFoldTheLast) {
  const Output rows = Floats({1, 2, 3, 4});
  const auto step = [](Output state, Output row) { return state * 2.0 + row; };
  EXPECT_THAT(Value(Scan(scope_, step, rows, Float(1))), ElementsAre(3, 8, 19, 42));
  EXPECT_THAT(Value(Fold(scope_, step, rows, Float(1))), ElementsAre(42));
  RowsOptions backwards;
  backwards.reverse = true;
  EXPECT_THAT(Value(Scan(scope_, step, rows, Float(1), backwards)), ElementsAre(65, 32, 15, 6));
}

TEST_P(ControlFlow, MapOverNoRowsGivesNone) {
  const Output rows = Input({-1}, "rows");
  const Output doubled = Map(
      scope_, [](Output row) { return row * 2.0; }, rows);
  EXPECT_THAT(Value(doubled, {{"rows", MakeTensor<float>({0}, {})}}), ElementsAre());
  EXPECT_THAT(Value(doubled, {{"rows", MakeVector<float>({1, 2})}}), ElementsAre(2, 4));
}

TEST_P(ControlFlow, ABranchMayUpdateAVariable) {
  const Variable v = MakeVariable(scope_, Float(1), {.name = "v"});
  const NodeId init = InitializeAll(scope_);
  const Output y = Cond(
      scope_, Flag(), [&] { return ops::AssignAdd(scope_, v.ref(), Float(10)) * 1.0; }, [&] { return Float(0); });
  const auto after = [&](bool flag) {
    const auto session = OpenSession(GetParam());
    const std::vector<std::string> start = {scope_.NameOf(init)}, fetch = {y.name()}, read = {v.value().name()};
    const std::vector<Feed> feeds = {Fed(flag)};
    std::vector<Tensor> outputs;
    EXPECT_TRUE(session->Extend(scope_.ToGraphDef()).ok());
    EXPECT_TRUE(session->Run({}, {}, start, &outputs).ok());
    EXPECT_TRUE(session->Run(feeds, fetch, {}, &outputs).ok());
    EXPECT_TRUE(session->Run({}, read, {}, &outputs).ok());
    return Numbers(outputs[0])[0];
  };
  EXPECT_EQ(after(true), 11);
  EXPECT_EQ(after(false), 1);
}

TEST_P(ControlFlow, ALoopMayUpdateAVariable) {
  const Variable v = MakeVariable(scope_, Float(1), {.name = "v"});
  const NodeId init = InitializeAll(scope_);
  WhileOptions in_order;
  in_order.parallel_iterations = 1;
  const LoopVars last = WhileLoop(
      scope_, {Int(0), Float(0)}, [&](const LoopVars& vars) { return vars[0] < 3; },
      [&](const LoopVars& vars) {
        return LoopVars{vars[0] + 1, ops::AssignAdd(scope_, v.ref(), Float(10)) * 1.0};
      },
      in_order);
  EXPECT_THAT(Numbers(Evaluate(GetParam(), scope_, {last[1]}, {}, {scope_.NameOf(init)})[0]), ElementsAre(31));
}

TEST(ControlFlowRefuses, WhatDoesNotFitTogether) {
  Scope scope;
  const Output x = Constant(scope, 1.0f);
  const Output yes = Constant(scope, true);
  const auto cond = [&](Output predicate, Output a, Output b) {
    Cond(
        scope, predicate, [&] { return a; }, [&] { return b; });
  };
  EXPECT_TRUE(Refuses([&] { cond(x, x, x); }, Code::kInvalidArgument, "bool"));
  EXPECT_TRUE(Refuses([&] { cond(yes, x, yes); }, Code::kInvalidArgument, "float32"));
  const auto loop = [&](const std::function<Output(const LoopVars&)>& condition, const LoopVars& next) {
    WhileLoop(scope, {x}, condition, [&](const LoopVars&) { return next; });
  };
  EXPECT_TRUE(Refuses([&] { loop([](const LoopVars& v) { return v[0]; }, {x}); }, Code::kInvalidArgument, "bool"));
  EXPECT_TRUE(Refuses(
      [&] {
        loop([](const LoopVars& v) { return v[0] < 1.0; }, {x, x});
      },
      Code::kInvalidArgument, "2 values for 1"));
  EXPECT_TRUE(
      Refuses([&] { loop([](const LoopVars& v) { return v[0] < 1.0; }, {yes}); }, Code::kInvalidArgument, "bool"));
}

}  // namespace
}  // namespace plumb
