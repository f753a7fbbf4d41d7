// Law: of complex numbers too, the gradient rule of every op gives the derivative that forward-mode differentiation
// gives: with dy for the outputs, the gradient of Re Σ conj(dy) · y.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <set>

#include "client/gradients.h"
#include "conformance/compare/elements.h"
#include "property-tests/generators/one_op.h"
#include "property-tests/gradient_trials.h"
#include "spec/ops/catalogue.h"

namespace plumb::property {
namespace {

using Complex = std::complex<double>;

// Parts between 1/4 and 1, of a type of double precision.
Tensor RandomParts(DType dtype, const Shape& shape, std::mt19937& random) {
  std::uniform_real_distribution<double> part(0.25, 1);
  Tensor tensor(dtype, shape);
  if (dtype == DType::kDouble) {
    for (double& element : tensor.mutable_data<double>()) element = part(random);
  } else {
    for (Complex& element : tensor.mutable_data<Complex>()) element = {part(random), part(random)};
  }
  return tensor;
}

// A sum of products, and how far rounding may bring it from the exact one.
struct Sum {
  double value = 0, limit = 0;

  // `bound`: of the errors of `a`; empty: they are exact but for their last place.
  void Add(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& bound) {
    double size = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      value += a[i] * b[i];
      size += std::abs(a[i] * b[i]);
      if (!bound.empty()) limit += 2 * bound[i] * std::abs(b[i]);
    }
    limit += static_cast<double>(a.size() + 1) * std::numeric_limits<double>::epsilon() * size;
  }
};

// The first output of floating-point or complex numbers.
Output FirstNumbers(Scope& scope, NodeId node) {
  const std::vector<DType>& types = scope.builder().graph().node(node).output_types;
  for (size_t i = 0; i < types.size(); ++i) {
    if (IsFloating(types[i]) || IsComplex(types[i])) return {&scope.builder(), Endpoint{node, static_cast<int>(i)}};
  }
  throw InvalidArgument("no output that can be differentiated");
}

// The two derivatives, of which the first is the rule's.
std::pair<Sum, Sum> Derivatives(const OpDef& op, const SampledCase& sample, uint32_t seed) {
  std::mt19937 random(seed);
  Scope scope;
  std::vector<Output> inputs;
  std::vector<Endpoint> xs;
  std::vector<conformance::Direction> feeds;
  for (const Tensor& value : sample.inputs) {
    const std::string name = Str("x", inputs.size());
    if (value.dtype() != DType::kComplex128 || IsTakenAsConstant(op, inputs.size())) {
      inputs.push_back(Constant(scope, value, name));
      continue;
    }
    inputs.push_back(
        scope.Call("Placeholder", {}, {{"dtype", value.dtype()}, {"shape", PartialShape(value.shape())}}, name));
    xs.push_back(inputs.back().endpoint);
    feeds.push_back({name, RandomParts(value.dtype(), value.shape(), random),
                     conformance::ToDoubles(RandomParts(value.dtype(), value.shape(), random))});
  }
  const NodeId node = scope.Add(op.name, inputs, sample.attrs, "op");
  const Output y = FirstNumbers(scope, node);
  const conformance::Derivative forward = conformance::DerivativesAlong(scope.ToGraphDef(), feeds, {y.name()})[0];
  const Tensor dy = RandomParts(forward.value.dtype(), forward.value.shape(), random);
  GradientOptions options;
  options.grad_ys = {Constant(scope, dy).endpoint};
  std::vector<std::string> names;
  for (const GradientValue& gradient : Gradients(scope.builder(), {y.endpoint}, xs, options)) {
    names.push_back(Output{&scope.builder(), Densify(scope.builder(), gradient)}.name());
  }
  Sum reverse, along;
  const auto gradients = conformance::DerivativesAlong(scope.ToGraphDef(), feeds, names);
  for (size_t i = 0; i < gradients.size(); ++i) {
    reverse.Add(conformance::ToDoubles(gradients[i].value), feeds[i].direction, gradients[i].bound);
  }
  along.Add(conformance::ToDoubles(dy), forward.along, {});
  return {reverse, along};
}

// The types of the samples, with complex numbers wherever the op takes them; nothing where it takes none.
AttrMap ComplexTypes(const OpDef& op) {
  AttrMap types;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType || attr.is_list) continue;
    const std::vector<DType>& taken = op.CpuTypes(attr);
    if (std::find(taken.begin(), taken.end(), DType::kComplex128) != taken.end()) {
      types.insert_or_assign(attr.name, DType::kComplex128);
    }
  }
  return types;
}

// Rules that are TensorFlow's, and not the derivative where dy has an imaginary part or an index occurs twice.
bool IsTensorFlowsOwn(const OpDef& op) {
  constexpr std::string_view kOps[] = {
      // Its matrices are Hermitian, which random ones are not.
      "Cholesky",
      // Every piece gets a gradient, of which only the last at an index shows in the result.
      "DynamicStitch",
      // The sign's gradient is left out.
      "LogMatrixDeterminant",
      // The factors are not conjugated.
      "MulNoNan", "SegmentProd", "UnsortedSegmentProd", "Xdivy", "Xlog1py", "Xlogy",
      // dy is multiplied as it is, where only its real part counts.
      "EuclideanNorm", "SquaredDifference"};
  return std::find(std::begin(kOps), std::end(kOps), op.name) != std::end(kOps);
}

TEST(ComplexGradients, AreTheDerivatives) {
  int checked = 0;
  std::set<std::string> ops;
  for (const OpDef* op : AllOps()) {
    const AttrMap types = ComplexTypes(*op);
    if (op->gradient.kind != Differentiation::Kind::kRule || types.empty() || !CanSample(*op) || IsTensorFlowsOwn(*op))
      continue;
    if (NeedsAResource(*op)) continue;
    for (const SampledCase& sample : SampleInputs(*op, types, 1)) {
      const auto is_complex = [](const Tensor& x) { return x.dtype() == DType::kComplex128 && x.elements() > 0; };
      const bool has_complex = std::any_of(sample.inputs.begin(), sample.inputs.end(), is_complex);
      if (!sample.StandsAlone() || !IsOrdinary(*op, sample) || !has_complex) continue;
      SCOPED_TRACE(Str(op->name, ", sample ", sample.label));
      try {
        const auto [reverse, forward] = Derivatives(*op, sample, 7);
        EXPECT_NEAR(reverse.value, forward.value, reverse.limit + forward.limit);
        ++checked;
        ops.insert(op->name);
      } catch (const Error& error) {
        ADD_FAILURE() << op->name << ", sample " << sample.label << ": " << error.what();
      }
    }
  }
  EXPECT_GT(checked, 50);
  for (const std::string& op : TriedBy(kLawOfComplexNumbers)) EXPECT_TRUE(ops.contains(op)) << op;
}

}  // namespace
}  // namespace plumb::property
