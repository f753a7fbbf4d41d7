// A graph for each op on numbers whose row draws no large ones: since they follow from other inputs, or since the
// result has more of them.
#include "bench/graphs/named.h"

namespace plumb::bench {
namespace {

constexpr int64_t kSide = 1000, kLong = 1 << 18;

using Inputs = std::vector<Output>;
using Ints = std::vector<int64_t>;

BenchGraph Of(const std::string& op, const char* family, Scope& scope, const Inputs& inputs, AttrMap attrs = {}) {
  return Named(op, family, scope, scope.Add(op, inputs, std::move(attrs)));
}

BenchGraph Filling() {
  Scope scope;
  return Of("Fill", "array", scope, {Constant<int32_t>(scope, {kLong}), Constant(scope, 1.5f)});
}

BenchGraph Counting() {
  Scope scope;
  return Of("Range", "array", scope, {Constant(scope, 0), Constant<int32_t>(scope, kLong), Constant(scope, 1)});
}

// A third of the first list is in the second.
BenchGraph Differing() {
  Scope scope;
  const Output x = Values<int64_t>(scope, kLong / 4, [](int64_t i) { return i * 2; });
  const Output y = Values<int64_t>(scope, kLong / 4, [](int64_t i) { return i * 3; });
  return Of("ListDiff", "array", scope, {x, y});
}

BenchGraph OnDiagonal() {
  Scope scope;
  return Of("Diag", "array", scope, {Floats(scope, {kSide})});
}

BenchGraph FromDiagonal() {
  Scope scope;
  return Of("DiagPart", "array", scope, {Floats(scope, {kSide, kSide})});
}

BenchGraph SliceGradient() {
  Scope scope;
  const auto both = [&](int32_t value) { return Constant(scope, {value, value}); };
  return Of("StridedSliceGrad", "array", scope,
            {both(kSide), both(0), both(kSide), both(2), Floats(scope, {kSide / 2, kSide / 2})});
}

BenchGraph Asserting() {
  Scope scope;
  return Beside("Assert", "check", scope, {Constant(scope, true), Floats(scope, {kSide})},
                {{"T", std::vector<DType>{DType::kFloat}}});
}

BenchGraph Suppressing() {
  Scope scope;
  const Output overlaps =
      Values<float>(scope, kSide * kSide, [](int64_t i) { return static_cast<float>(i * 7919 % 997) / 997; });
  const Output square = scope.Call("Reshape", {overlaps, Constant<int32_t>(scope, {kSide, kSide})});
  const Output scores = Values<float>(scope, kSide, [](int64_t i) { return static_cast<float>(i * 31 % 1009); });
  return Of("NonMaxSuppressionWithOverlaps", "image", scope,
            {square, scores, Constant(scope, 100), Constant(scope, 0.9f), Constant(scope, 0.0f)});
}

// Matrices whose diagonal is large.
Tensor Dominant() {
  constexpr int64_t kMatrices = 8, kSize = 32;
  Tensor matrices(DType::kComplex64, {kMatrices, kSize, kSize});
  const auto numbers = matrices.mutable_data<std::complex<float>>();
  for (int64_t i = 0; i < matrices.elements(); ++i) {
    const bool on_diagonal = i / kSize % kSize == i % kSize;
    numbers[i] = {on_diagonal ? kSize : static_cast<float>(i * 31 % 17) / 17, static_cast<float>(i % 5) / 5};
  }
  return matrices;
}

BenchGraph OfMatrices(const std::string& op) {
  Scope scope;
  return Of(op, "linalg", scope, {Constant(scope, Dominant())});
}

// With the pooling itself, which says where the largest elements are.
BenchGraph PoolGradient() {
  Scope scope;
  const Ints window = {1, 2, 2, 1};
  const AttrMap attrs = {{"ksize", window}, {"strides", window}, {"padding", std::string("SAME")}};
  const Output images = Floats(scope, {8, 64, 64, 16});
  const NodeId pooled = scope.Add("MaxPoolWithArgmax", {images}, attrs);
  return Of("MaxPoolGradWithArgmax", "convolution", scope,
            {images, Floats(scope, {8, 32, 32, 16}), OutputOf(scope, pooled, 1)}, attrs);
}

BenchGraph CountingUp() {
  Scope scope;
  const Output counter =
      scope.Call("VarHandleOp", {},
                 {{"dtype", DType::kInt64}, {"shape", PartialShape(Shape())}, {"shared_name", std::string("counter")}});
  const NodeId init = scope.Add("AssignVariableOp", {counter, Constant<int64_t>(scope, 0)});
  return Beside("ResourceCountUpTo", "state", scope, {counter}, {{"limit", int64_t{1} << 60}, {"T", DType::kInt64}},
                {init});
}

BenchGraph KeepingForAStep() {
  Scope scope;
  const std::string name = "temporary";
  ChainBuilder builder(scope);
  const Output value = Floats(scope, {100});
  for (int i = 0; i < kCalls; ++i) {
    const AttrMap attrs = {{"shape", PartialShape({100})}, {"dtype", DType::kFloat}, {"var_name", name}};
    const Output made = OutputOf(scope, builder.Add("TemporaryVariable", {}, attrs), 0);
    const Output assigned = scope.Call("Assign", {made, value});
    builder.Add("DestroyTemporaryVariable", {assigned}, {{"var_name", name}});
  }
  return Named("TemporaryVariable", "state", scope, builder.last(), kCalls);
}

}  // namespace

std::vector<BenchGraph> ArrayGraphs() {
  return {Filling(),
          Counting(),
          Differing(),
          OnDiagonal(),
          FromDiagonal(),
          SliceGradient(),

          Asserting(),
          Suppressing(),
          OfMatrices("MatrixLogarithm"),
          OfMatrices("MatrixSquareRoot"),
          PoolGradient(),
          CountingUp(),
          KeepingForAStep()};
}

}  // namespace plumb::bench
