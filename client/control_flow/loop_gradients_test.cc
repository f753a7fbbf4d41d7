#include "client/control_flow/cond.h"
#include "client/control_flow/functional.h"
#include "client/control_flow/while_loop.h"
#include "client/gradients.h"
#include "client/ops.h"
#include "client/testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

// x and w are fed, so that nothing about them is known before the run.
class LoopGradientsOf : public OnEachBackend {
 protected:
  LoopGradientsOf() : x_(Input(PartialShape::Unknown(), "x")), w_(Input(PartialShape::Unknown(), "w")) {}

  // y, dy/dx and dy/dw.
  std::vector<double> Differentiate(Output y, float x = 2, float w = 3, std::vector<Feed> more = {}) {
    const auto gradients = DenseGradients({y}, {x_, w_});
    more.push_back({"x", MakeScalar<float>(x)});
    more.push_back({"w", MakeScalar<float>(w)});
    std::vector<double> numbers;
    for (const Tensor& tensor : Evaluate(GetParam(), scope_, {y, gradients[0], gradients[1]}, more)) {
      numbers.push_back(Numbers(tensor)[0]);
    }
    return numbers;
  }
  // v = step(i, v) for i = 0 … n−1, starting from `initial`.
  Output Repeat(Output n, Output initial, const std::function<Output(Output i, Output v)>& step,
                const WhileOptions& options = {}) {
    return WhileLoop(
        scope_, {Int(0), initial}, [&](const LoopVars& v) { return v[0] < n; },
        [&](const LoopVars& v) {
          return LoopVars{v[0] + 1, step(v[0], v[1])};
        },
        options)[1];
  }
  Output Odd(Output i) { return ops::Equal(scope_, ops::FloorMod(scope_, i, Int(2)), Int(1)); }

  Output x_;
  Output w_;
};
PLUMB_ON_EACH_BACKEND(LoopGradientsOf);

TEST_P(LoopGradientsOf, ACond) {
  const Output flag = Input({}, "flag", DType::kBool);
  const Output y = Cond(
      scope_, flag, [&] { return x_ * x_ * w_; }, [&] { return -x_; });
  EXPECT_THAT(Differentiate(y, 3, 5, {{"flag", MakeScalar<bool>(true)}}), ElementsAre(45, 30, 9));
  EXPECT_THAT(Differentiate(y, 3, 5, {{"flag", MakeScalar<bool>(false)}}), ElementsAre(-3, -1, 0));
}

TEST_P(LoopGradientsOf, TheDerivativeOfACondTwice) {
  const Output flag = Input({}, "flag", DType::kBool);
  const Output y = Cond(
      scope_, flag, [&] { return x_ * x_ * w_; }, [&] { return x_ * w_; });
  const Output first = DenseGradients({y}, {x_})[0];
  EXPECT_THAT(Differentiate(first, 3, 5, {{"flag", MakeScalar<bool>(true)}}), ElementsAre(30, 10, 6));
  EXPECT_THAT(Differentiate(first, 3, 5, {{"flag", MakeScalar<bool>(false)}}), ElementsAre(5, 0, 1));
}

TEST_P(LoopGradientsOf, ALoopForAnyNumberOfTrips) {
  const Output n = Input({}, "n", DType::kInt32);
  const Output y = Repeat(n, x_, [&](Output, Output v) { return v * v * w_; });
  const auto at = [&](int32_t trips) { return Differentiate(y, 2, 3, {{"n", MakeScalar<int32_t>(trips)}}); };
  EXPECT_THAT(at(0), ElementsAre(2, 1, 0));
  EXPECT_THAT(at(1), ElementsAre(12, 12, 4));
  EXPECT_THAT(at(3), ElementsAre(559872, 2239488, 1306368));  // x⁸w⁷
}

TEST_P(LoopGradientsOf, IterationsOneAtATime) {
  WhileOptions options;
  options.parallel_iterations = 1;
  const Output y = Repeat(
      Int(3), x_, [&](Output, Output v) { return v * v * w_; }, options);
  EXPECT_THAT(Differentiate(y), ElementsAre(559872, 2239488, 1306368));
}

TEST_P(LoopGradientsOf, AMatrixLoop) {
  const Output m = Matrix(2, 2, {1, 1, 0, 1});
  const Output start = Matrix(2, 1, {1, 2});
  const Output y = Repeat(Int(2), start, [&](Output, Output v) { return ops::MatMul(scope_, m, v); });
  const auto gradients = DenseGradients({y}, {m, start});
  EXPECT_THAT(Value(y), ElementsAre(5, 2));
  EXPECT_THAT(Value(gradients[0]), ElementsAre(4, 4, 5, 6));
  EXPECT_THAT(Value(gradients[1]), ElementsAre(1, 3));
}

TEST_P(LoopGradientsOf, ACondInALoop) {
  const Output y = Repeat(Int(4), x_, [&](Output i, Output v) {
    return Cond(
        scope_, Odd(i), [&] { return v * w_; }, [&] { return v * v; });
  });
  EXPECT_THAT(Differentiate(y), ElementsAre(432, 864, 432));  // w³x⁴
}

TEST_P(LoopGradientsOf, ACondInACondInALoop) {
  const Output y = Repeat(Int(4), x_, [&](Output i, Output v) {
    return Cond(
        scope_, Odd(i),
        [&] {
          return Cond(
              scope_, i < 2.0, [&] { return v * v * w_; }, [&] { return v * w_; });
        },
        [&] { return v; });
  });
  EXPECT_THAT(Differentiate(y), ElementsAre(36, 36, 24));  // w²x²
}

TEST_P(LoopGradientsOf, ALoopInACond) {
  const Output flag = Input({}, "flag", DType::kBool);
  const Output y = Cond(
      scope_, flag, [&] { return Repeat(Int(2), x_, [&](Output, Output v) { return v * v * w_; }); },
      [&] { return x_ * w_; });
  EXPECT_THAT(Differentiate(y, 2, 3, {{"flag", MakeScalar<bool>(true)}}), ElementsAre(432, 864, 432));
  EXPECT_THAT(Differentiate(y, 2, 3, {{"flag", MakeScalar<bool>(false)}}), ElementsAre(6, 3, 2));
}

TEST_P(LoopGradientsOf, ALoopInALoop) {
  const Output y = Repeat(
      Int(3), x_, [&](Output i, Output v) { return Repeat(i, v, [&](Output, Output u) { return u * w_ * v; }); });
  EXPECT_THAT(Differentiate(y, 2, 1.5), ElementsAre(486, 1458, 1620));  // w⁵x⁶
}

TEST_P(LoopGradientsOf, ALoopInACondInALoop) {
  const Output y = Repeat(Int(3), x_, [&](Output i, Output v) {
    return Cond(
        scope_, Odd(i), [&] { return Repeat(Int(2), v, [&](Output, Output u) { return u * u * w_; }); },
        [&] { return v * w_; });
  });
  // w · (w³ (x w)⁴) = w⁸ x⁴
  EXPECT_THAT(Differentiate(y, 2, 1.5), ElementsAre(410.0625, 820.125, 2187));
}

TEST_P(LoopGradientsOf, AVariableThatForgetsItsPast) {
  const LoopVars last = WhileLoop(
      scope_, {Int(0), x_, w_}, [&](const LoopVars& v) { return v[0] < 3; },
      [&](const LoopVars& v) {
        return LoopVars{v[0] + 1, w_ * w_, v[2] * v[1]};
      });
  EXPECT_THAT(Differentiate(last[2]), ElementsAre(486, 243, 810));  // x w⁵
}

TEST_P(LoopGradientsOf, ExitsThatNobodyUses) {
  const LoopVars last = WhileLoop(
      scope_, {Int(0), x_, w_}, [&](const LoopVars& v) { return v[0] < 2; },
      [&](const LoopVars& v) {
        return LoopVars{v[0] + 1, v[1] * v[2], v[2] + v[1]};
      });
  // x₂ = x₁w₁ = x w (w + x)
  EXPECT_THAT(Differentiate(last[1]), ElementsAre(30, 21, 16));
}

TEST_P(LoopGradientsOf, GatherFromAnInvariantGivesSlices) {
  const Output table = Matrix(3, 2, {1, 2, 3, 4, 5, 6});
  const Output ids = Constant(scope_, {2, 0, 2});
  const Output y = Repeat(Int(3), Float(0), [&](Output i, Output sum) {
    const Output row = ops::GatherV2(scope_, table, ops::GatherV2(scope_, ids, i, Int(0)), Int(0));
    return sum + ops::Sum(scope_, row * row, Constant(scope_, {0}));
  });
  const GradientValue gradient = Gradients(scope_.builder(), {y}, {table})[0];
  ASSERT_EQ(gradient.kind, GradientValue::Kind::kSparse);
  EXPECT_THAT(Value({&scope_.builder(), Densify(scope_.builder(), gradient)}), ElementsAre(2, 4, 0, 0, 20, 24));
}

TEST_P(LoopGradientsOf, GatherInACondGivesSlices) {
  const Output table = Matrix(3, 1, {1, 2, 3});
  const Output flag = Input({}, "flag", DType::kBool);
  const Output row = Cond(
      scope_, flag, [&] { return ops::GatherV2(scope_, table, Constant(scope_, {1}), Int(0)); },
      [&] {
        return ops::Slice(scope_, table, Constant(scope_, {2, 0}), Constant(scope_, {1, 1}));
      });
  const Output gradient = DenseGradients({row * row}, {table})[0];
  EXPECT_THAT(Value(gradient, {{"flag", MakeScalar<bool>(true)}}), ElementsAre(0, 4, 0));
  EXPECT_THAT(Value(gradient, {{"flag", MakeScalar<bool>(false)}}), ElementsAre(0, 0, 6));
}

TEST_P(LoopGradientsOf, MapScanAndFold) {
  const Output rows = Floats({1, 2, 3});
  const Output squares = Map(
      scope_, [&](Output row) { return row * row * w_; }, rows);
  const Output states = Scan(
      scope_, [&](Output state, Output row) { return state * row; }, rows, x_);
  const Output last = Fold(
      scope_, [&](Output state, Output row) { return state * w_ + row; }, rows, x_);
  EXPECT_THAT(Value(DenseGradients({squares}, {rows})[0], {{"w", MakeScalar<float>(3)}}), ElementsAre(6, 12, 18));
  // x·1, x·1·2, x·1·2·3
  EXPECT_THAT(Value(DenseGradients({states}, {rows})[0], {{"x", MakeScalar<float>(2)}}), ElementsAre(18, 8, 4));
  // w³x + w² + 2w + 3
  EXPECT_THAT(Differentiate(last), ElementsAre(72, 27, 62));
}

// Elements w·x, w²·x, w³·x are pushed onto a list by one loop, and read by another, which hands the list on.
TEST_P(LoopGradientsOf, LoopsOverLists) {
  const AttrMap floats = {{"element_dtype", DType::kFloat}};
  const Output scalar = Constant(scope_, MakeVector<int32_t>({}));
  const Output none = scope_.Call("EmptyTensorList", {scalar, Int(-1)},
                                  {{"element_dtype", DType::kFloat}, {"shape_type", DType::kInt32}});
  const auto below = [&](const LoopVars& v) { return v[0] < Int(3); };
  const LoopVars pushed = WhileLoop(scope_, {Int(0), x_, none}, below, [&](const LoopVars& v) {
    const Output next = v[1] * w_;
    return LoopVars{v[0] + 1, next, scope_.Call("TensorListPushBack", {v[2], next}, floats)};
  });
  const LoopVars read = WhileLoop(scope_, {Int(0), Float(1), pushed[2]}, below, [&](const LoopVars& v) {
    return LoopVars{v[0] + 1, v[1] * scope_.Call("TensorListGetItem", {v[2], v[0], scalar}, floats), v[2]};
  });
  const Output sum = ops::Sum(scope_, scope_.Call("TensorListStack", {read[2], scalar}, floats), Int(0));
  EXPECT_THAT(Differentiate(read[1] + sum, 2, 3), ElementsAre(5910, 8787, 11732));  // x³w⁶ + x(w + w² + w³)
}

TEST_P(LoopGradientsOf, WithoutBackPropThereIsNone) {
  WhileOptions options;
  options.back_prop = false;
  const Output y = Repeat(
      Int(2), x_, [&](Output, Output v) { return v * w_; }, options);
  EXPECT_TRUE(Gradients(scope_.builder(), {y}, {x_})[0].IsNone());
}

TEST_P(LoopGradientsOf, WithinOneIteration) {
  // v − (v² − w) / (2v), with 2v taken as a derivative, and the derivative of it all.
  const Output y = Repeat(Int(1), x_, [&](Output, Output v) {
    const Output slope = DenseGradients({v * v}, {v})[0];
    return v - (v * v - w_) / slope;
  });
  EXPECT_THAT(Differentiate(y, 2, 8), ElementsAre(3, -0.5, 0.25));  // ½ (x + w / x)
}

TEST_P(LoopGradientsOf, GradientsArePlacedWithTheirOps) {
  const Output y = Repeat(Int(2), x_, [&](Output, Output v) { return v * w_; });
  GradientOptions options;
  options.colocate_gradients_with_ops = true;
  options.gate_gradients = true;
  const auto gradient = Gradients(scope_.builder(), {y}, {x_}, options)[0];
  const Output dx = {&scope_.builder(), gradient.values};
  const std::vector<Feed> feeds = {{"x", MakeScalar<float>(2)}, {"w", MakeScalar<float>(3)}};
  EXPECT_THAT(Value(dx, feeds), ElementsAre(9));
  bool placed = false;
  for (const Node& node : scope_.builder().graph().nodes()) placed |= node.attrs.contains("_class");
  EXPECT_TRUE(placed);
}

TEST(LoopGradientsRefuse, TheInitialValueInsideTheBody) {
  Scope scope;
  const Output x = Constant(scope, 2.0f);
  const auto body = [&](const LoopVars& v) { return LoopVars{DenseGradients({v[0] * v[0]}, {x})[0]}; };
  const auto build = [&] {
    WhileLoop(
        scope, {x}, [](const LoopVars& v) { return v[0] < 9.0; }, body);
  };
  EXPECT_TRUE(Refuses(build, Code::kInvalidArgument, "initial value"));
}

TEST(LoopGradientsRefuse, TheSecondDerivativeOfALoop) {
  Scope scope;
  const Output x = Constant(scope, 2.0f);
  const Output y = WhileLoop(
      scope, {x}, [](const LoopVars& v) { return v[0] < 100.0; },
      [](const LoopVars& v) { return LoopVars{v[0] * v[0]}; })[0];
  const Output first = DenseGradients({y}, {x})[0];
  EXPECT_TRUE(Refuses([&] { DenseGradients({first}, {x}); }, Code::kUnimplemented, "second-order"));
}

}  // namespace
}  // namespace plumb
