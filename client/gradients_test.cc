#include "client/gradients.h"

#include <cmath>
#include <complex>

#include "client/ops.h"
#include "client/tensor_array.h"
#include "client/testing.h"
#include "client/variable.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;

class GradientsOf : public OnEachBackend {
 protected:
  std::vector<double> Gradient(Output y, Output x) { return Value(DenseGradients({y}, {x})[0]); }
  std::vector<GradientValue> Raw(Output y, const std::vector<Endpoint>& xs, const GradientOptions& options = {}) {
    return Gradients(scope_.builder(), {y}, xs, options);
  }
  Output Dense(const GradientValue& value) { return {&scope_.builder(), Densify(scope_.builder(), value)}; }
};
PLUMB_ON_EACH_BACKEND(GradientsOf);

TEST_P(GradientsOf, APolynomial) {
  const Output x = Float(3);
  EXPECT_THAT(Gradient(x * x * x + 2.0 * x, x), ElementsAre(29));
}

TEST_P(GradientsOf, AMatrixProduct) {
  const Output a = Matrix(2, 2, {1, 2, 3, 4});
  const Output b = Matrix(2, 1, {5, 6});
  const auto gradients = DenseGradients({ops::MatMul(scope_, a, b)}, {a, b});
  EXPECT_THAT(Value(gradients[0]), ElementsAre(5, 6, 5, 6));
  EXPECT_THAT(Value(gradients[1]), ElementsAre(4, 6));
}

// A variant that is used twice gets the sum of two ragged gradients; rows of a batch are joined again.
TEST_P(GradientsOf, RaggedTensorsInVariants) {
  const Output x = Floats({1, 2, 3}), splits = Constant(scope_, MakeVector<int64_t>({0, 2, 3}));
  const auto encoded = [&](bool is_batch) {
    return scope_.Call("RaggedTensorToVariant", {splits, x},
                       {{"RAGGED_RANK", int64_t{1}}, {"batched_input", is_batch}});
  };
  const auto values = [&](Output variant) -> Output {
    const NodeId node = scope_.builder().Add(
        "RaggedTensorFromVariant", {variant.endpoint},
        {{"input_ragged_rank", int64_t{-1}}, {"output_ragged_rank", int64_t{1}}, {"Tvalues", DType::kFloat}});
    return {&scope_.builder(), Endpoint{node, 1}};
  };
  const Output whole = encoded(false), rows = values(encoded(true));
  const Output once = values(whole), twice = values(whole);
  EXPECT_THAT(Gradient(rows * rows, x), ElementsAre(2, 4, 6));
  EXPECT_THAT(Gradient(once * once + 3.0 * twice, x), ElementsAre(5, 7, 9));
}

TEST_P(GradientsOf, BroadcastOperandsAreSummedBack) {
  const Output matrix = Matrix(2, 3, {1, 2, 3, 4, 5, 6});
  const Output row = Floats({1, 10, 100});
  const auto gradients = DenseGradients({matrix * row}, {row, matrix});
  EXPECT_THAT(Value(gradients[0]), ElementsAre(5, 7, 9));
  EXPECT_THAT(Value(gradients[1]), ElementsAre(1, 10, 100, 1, 10, 100));
}

// Of a holomorphic f, the gradient is the conjugate of f′: conjugated once, by the rule, and not again by TanhGrad.
// Where a quotient in the formula has no value, the slope has one.
TEST_P(GradientsOf, FunctionsAtAPointOfItsOwn) {
  const auto slope = [&](const char* op, float at) {
    const Output x = Float(at);
    return Gradient(scope_.Call(op, {x}), x);
  };
  for (const char* op : {"BesselJ1", "BesselI1", "BesselI1e"}) EXPECT_THAT(slope(op, 0), ElementsAre(0.5)) << op;
  EXPECT_THAT(slope("Spence", 1), ElementsAre(-1));
}

TEST_P(GradientsOf, ComplexFunctionsAreConjugatedOnce) {
  using Complex = std::complex<double>;
  const auto imaginary_part = [&](std::string_view op, Complex z) {
    const Output x = Constant(scope_, z);
    GradientOptions options;
    options.grad_ys = {Constant(scope_, Complex(1, 0)).endpoint};
    return Evaluate(GetParam(), scope_, {Dense(Raw(scope_.Call(op, {x}), {x}, options)[0])})[0]
        .scalar<Complex>()
        .imag();
  };
  for (const Complex z : {Complex(0.3, 0.4), Complex(-0.5, 0.25)}) {
    const Complex tanh = std::tanh(z), sigmoid = 1.0 / (1.0 + std::exp(-z));
    EXPECT_EQ(std::signbit(imaginary_part("Tanh", z)), !std::signbit((1.0 - tanh * tanh).imag())) << z;
    EXPECT_EQ(std::signbit(imaginary_part("Sigmoid", z)), !std::signbit((sigmoid * (1.0 - sigmoid)).imag())) << z;
  }
}

TEST_P(GradientsOf, SeveralUsesAddUp) {
  const Output x = Float(2);
  const Output y = x * x;
  EXPECT_THAT(Gradient(y + y * y + x, x), ElementsAre(37));
}

TEST_P(GradientsOf, SeveralYsAddUpAndOneMayFeedAnother) {
  const Output x = Float(2);
  const Output inner = x * x;
  const Output outer = inner * inner;
  EXPECT_THAT(Value(DenseGradients({inner, outer}, {x})[0]), ElementsAre(36));
}

TEST_P(GradientsOf, TheDerivativeOfADerivative) {
  const Output x = Float(2);
  const Output first = DenseGradients({x * x * x * x}, {x})[0];
  const Output second = DenseGradients({first}, {x})[0];
  EXPECT_THAT(Gradient(second, x), ElementsAre(48));
}

TEST_P(GradientsOf, AGivenGradientIsTheStart) {
  const Output x = Floats({1, 2});
  GradientOptions options;
  options.grad_ys = {Endpoint(Floats({10, 100}))};
  EXPECT_THAT(Value(Dense(Raw(x * x, {x}, options)[0])), ElementsAre(20, 400));
}

TEST_P(GradientsOf, StoppedTensorsAreConstants) {
  const Output x = Float(3);
  const Output y = x * 2.0;
  const Output z = x * y;
  GradientOptions options;
  options.stop_gradients = {x, y};
  const auto partial = Gradients(scope_.builder(), {z}, {x, y}, options);
  EXPECT_THAT(Value(Dense(partial[0])), ElementsAre(6));
  EXPECT_THAT(Value(Dense(partial[1])), ElementsAre(3));
  EXPECT_THAT(Gradient(ops::StopGradient(scope_, x) * x, x), ElementsAre(3));
}

TEST_P(GradientsOf, WhatIsNotConnectedHasNone) {
  const Output x = Float(3);
  const Output other = Float(4);
  const auto gradients = Raw(x * x, {x, other});
  EXPECT_FALSE(gradients[0].IsNone());
  EXPECT_TRUE(gradients[1].IsNone());
  EXPECT_THAT(Gradient(x, other), ElementsAre(0));
  const Output number = ops::Cast(scope_, x, DType::kInt32);
  EXPECT_TRUE(Raw(ops::Cast(scope_, number, DType::kFloat), {x})[0].IsNone());
}

TEST_P(GradientsOf, TheTensorItselfHasOne) {
  const Output x = Floats({3, 4});
  EXPECT_THAT(Gradient(x, x), ElementsAre(1, 1));
}

TEST_P(GradientsOf, WaysOfAddingUpAgree) {
  const Output x = Floats({1, 2, 3});
  const Output y = x * x + x + 3.0 * x + x * x * x;
  for (const Aggregation how : {Aggregation::kAddN, Aggregation::kTree, Aggregation::kAccumulateN}) {
    GradientOptions options;
    options.aggregation = how;
    options.gate_gradients = how == Aggregation::kTree;
    EXPECT_THAT(Value(Dense(Raw(y, {x}, options)[0])), ElementsAre(9, 20, 37));
  }
}

TEST_P(GradientsOf, AGatherGivesSlicesAndTheyConcatenate) {
  const Output table = Matrix(3, 2, {1, 2, 3, 4, 5, 6});
  const Output axis = Int(0);
  const Output first = ops::GatherV2(scope_, table, Constant(scope_, {2, 0}), axis);
  const Output second = ops::GatherV2(scope_, table, Constant(scope_, {2}), axis);
  const Output zero = Constant(scope_, {0, 1});
  const Output y = ops::Sum(scope_, first, zero) + ops::Sum(scope_, second, zero) * 10.0;
  const GradientValue gradient = Raw(y, {table})[0];
  ASSERT_EQ(gradient.kind, GradientValue::Kind::kSparse);
  EXPECT_EQ(Value({&scope_.builder(), gradient.indices}).size(), 3u);
  EXPECT_THAT(Value(Dense(gradient)), ElementsAre(1, 1, 0, 0, 11, 11));
}

TEST_P(GradientsOf, AGatherAlongAnAxisThatIsComputed) {
  const Output table = Matrix(2, 3, {1, 2, 3, 4, 5, 6}), scale = Matrix(2, 2, {1, 2, 3, 4});
  const auto gradient_along = [&](int32_t number) {
    const Output axis = scope_.Call("PlaceholderWithDefault", {Int(number)}, {{"shape", PartialShape(Shape())}});
    const Output gathered = ops::GatherV2(scope_, table, Constant(scope_, {1, 1}), axis);
    return Value(Dense(Raw(ops::Sum(scope_, ops::Square(scope_, gathered), Constant(scope_, {0, 1})), {table})[0]));
  };
  EXPECT_THAT(gradient_along(0), ElementsAre(0, 0, 0, 16, 20, 24));
  EXPECT_THAT(gradient_along(1), ElementsAre(0, 8, 0, 0, 20, 0));
  EXPECT_THAT(gradient_along(-1), ElementsAre(0, 8, 0, 0, 20, 0));
  const Output axis = scope_.Call("PlaceholderWithDefault", {Int(1)}, {{"shape", PartialShape(Shape())}});
  const Output columns = Constant(scope_, MakeTensor<int32_t>({2, 2}, {0, 1, 1, 1}));
  const Output batched = scope_.Call("GatherV2", {table, columns, axis}, {{"batch_dims", 1}});
  const Output y = ops::Sum(scope_, batched * scale, Constant(scope_, {0, 1}));
  EXPECT_THAT(Value(Dense(Raw(y, {table})[0])), ElementsAre(1, 2, 0, 0, 7, 0));
}

TEST_P(GradientsOf, SlicesAndDenseGradientsAddUpDense) {
  const Output table = Matrix(2, 2, {1, 2, 3, 4});
  const Output row = ops::GatherV2(scope_, table, Constant(scope_, {1}), Int(0));
  const Output both = Constant(scope_, {0, 1});
  const Output y = ops::Sum(scope_, row, both) + ops::Sum(scope_, table * table, both);
  const GradientValue gradient = Raw(y, {table})[0];
  EXPECT_EQ(gradient.kind, GradientValue::Kind::kDense);
  EXPECT_THAT(Value(Dense(gradient)), ElementsAre(2, 4, 7, 9));
}

TEST_P(GradientsOf, AVariable) {
  const Variable w = MakeVariable(scope_, Floats({2, 3}), {.name = "w"});
  const Output loss = ops::Sum(scope_, w * w.value(), Constant(scope_, {0}));
  const Output gradient = DenseGradients({loss}, {w.ref()})[0];
  const NodeId init = InitializeAll(scope_);
  const auto values = Evaluate(GetParam(), scope_, {gradient}, {}, {scope_.NameOf(init)});
  EXPECT_THAT(Numbers(values[0]), ElementsAre(4, 6));
}

TEST_P(GradientsOf, AShapeKnownOnlyWhenRun) {
  const Output x = Input(PartialShape::Unknown(), "x");
  const Output row = Floats({1, 2});
  const Output gradient = DenseGradients({x * row}, {row})[0];
  const Tensor fed = MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(Value(gradient, {{"x", fed}}), ElementsAre(9, 12));
}

// TA7: the gradient is put together from as many pieces, read or not, of the lengths that they had.
TEST_P(GradientsOf, PiecesOfUnequalLengths) {
  const Output x = Floats({1, 2, 3});
  const auto pieces = [&](std::initializer_list<int64_t> lengths) {
    return TensorArray(scope_, DType::kFloat, Int(static_cast<int>(lengths.size())))
        .Split(x, Constant(scope_, lengths));
  };
  const TensorArray two = pieces({1, 2});
  EXPECT_THAT(Gradient(10.0 * two.Read(Int(0)), x), ElementsAre(10, 0, 0));
  const TensorArray both = pieces({1, 2});
  const Output rest = both.Read(Int(1));
  EXPECT_THAT(Gradient(both.Read(Int(0)) * rest * rest, x), ElementsAre(4 + 9, 2 * 2, 2 * 3));
  EXPECT_THAT(Gradient(pieces({0, 3, 0}).Read(Int(1)), x), ElementsAre(1, 1, 1));
  EXPECT_THAT(Gradient(pieces({2, 1}).Concat(), x), ElementsAre(1, 1, 1));
}

TEST_P(GradientsOf, EachCallHasAScopeOfItsOwn) {
  const Output x = Floats({1, 2});
  const Output once = DenseGradients({x * x}, {x})[0];
  const Output twice = DenseGradients({x * x}, {x})[0];
  EXPECT_TRUE(once.name().starts_with("gradients/"));
  EXPECT_TRUE(twice.name().starts_with("gradients_1/"));
}

TEST(GradientsRefuse, AnOpWithoutARule) {
  Scope scope;
  const Output x = Constant(scope, MakeTensor<float>({1, 1, 1, 2}, {1, 2}));
  const Output y = ops::LRNGrad(scope, x, x, x);
  EXPECT_TRUE(Refuses([&] { DenseGradients({y}, {x}); }, Code::kUnimplemented, "LRNGrad"));
}

TEST(GradientsRefuse, TheFullFactorsOfATallMatrix) {
  Scope scope;
  const Output tall = Constant(scope, MakeTensor<float>({2, 1}, {3, 4}));
  const ops::QrOutputs full = ops::Qr(scope, tall, {.full_matrices = true});
  EXPECT_TRUE(Refuses([&] { DenseGradients({full.r}, {tall}); }, Code::kUnimplemented, "2 by 1"));
  EXPECT_EQ(DenseGradients({ops::Qr(scope, tall).r}, {tall}).size(), 1U);
}

TEST(GradientsRefuse, DecompositionsOfMatricesOfUnknownSizes) {
  Scope scope;
  const Output a = ops::Placeholder(scope, DType::kFloat);
  EXPECT_TRUE(Refuses([&] { DenseGradients({ops::Qr(scope, a).r}, {a}); }, Code::kUnimplemented, "sizes"));
  EXPECT_TRUE(Refuses([&] { DenseGradients({ops::Svd(scope, a).s}, {a}); }, Code::kUnimplemented, "sizes"));
}

TEST(GradientsRefuse, AComplexYWithoutItsGradient) {
  Scope scope;
  const Output x = Constant(scope, std::complex<float>(1, 2));
  EXPECT_TRUE(Refuses([&] { DenseGradients({x * x}, {x}); }, Code::kInvalidArgument, "complex"));
}

TEST(GradientsRefuse, AStartOfAnotherType) {
  Scope scope;
  const Output x = Constant(scope, 1.0f);
  GradientOptions options;
  options.grad_ys = {Endpoint(Constant(scope, 1.0))};
  EXPECT_TRUE(Refuses([&] { Gradients(scope.builder(), {x * x}, {x}, options); }, Code::kInvalidArgument, "float64"));
}

}  // namespace
}  // namespace plumb
