// Law: of every choice of types, gradients have the type and the shape of what they are of, and can be computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backends/backends.h"
#include "client/gradients.h"
#include "client/scope.h"
#include "conformance/suites/variants.h"
#include "property-tests/generators/one_op.h"
#include "spec/ops/catalogue.h"
#include "spec/ops/traits.h"

namespace plumb::property {
namespace {

bool HasSlope(DType dtype) { return IsFloating(dtype) || IsComplex(dtype); }

// One op on a sample, whose numbers are fed.
struct Fed {
  Scope scope;
  std::vector<Output> xs, ys;
  std::vector<Feed> feeds;

  Fed(const OpDef& op, const SampledCase& sample) {
    const std::vector<int>& constant = op.gradient_trial.constant_inputs;
    std::vector<Output> inputs;
    for (const Tensor& value : sample.inputs) {
      const std::string name = Str("x", inputs.size());
      const bool is_constant =
          std::find(constant.begin(), constant.end(), static_cast<int>(inputs.size())) != constant.end();
      if (is_constant || !HasSlope(value.dtype())) {
        inputs.push_back(Constant(scope, value, name));
        continue;
      }
      inputs.push_back(
          scope.Call("Placeholder", {}, {{"dtype", value.dtype()}, {"shape", PartialShape(value.shape())}}, name));
      xs.push_back(inputs.back());
      feeds.emplace_back(name, value);
    }
    const NodeId node = scope.Add(op.name, inputs, sample.attrs, "op");
    const std::vector<DType> types = scope.builder().graph().node(node).output_types;
    const size_t outputs = Has(op, Trait::kDifferentiatesFirst) ? 1 : types.size();
    for (size_t i = 0; i < outputs; ++i) {
      if (HasSlope(types[i])) ys.push_back({&scope.builder(), Endpoint{node, static_cast<int32_t>(i)}});
    }
  }

  // The gradients take the place of what they are of.
  void Differentiate() {
    GradientOptions options;  // those of complex numbers have to be given
    for (const Output& y : ys) options.grad_ys.emplace_back(y.endpoint);
    ys = DenseGradients(ys, xs, options);
  }

  std::vector<Tensor> Values() {
    std::vector<std::string> names;
    for (const Output& y : ys) names.push_back(y.name());
    const auto session = OpenSession("reference");
    std::vector<Tensor> values;
    for (const Status& status : {session->Extend(scope.ToGraphDef()), session->Run(feeds, names, {}, &values)}) {
      if (!status.ok()) throw Error(status);
    }
    return values;
  }
};

enum class Found { kNothing, kGradients, kRefusal };

// Takes the gradient so often. Nothing is found where there is no floating-point input or output, or the op itself has
// no kernel for the types.
Found Take(const OpDef& op, const SampledCase& sample, int order) {
  Fed fed(op, sample);
  if (fed.xs.empty() || fed.ys.empty()) return Found::kNothing;
  try {
    fed.Values();
  } catch (const Error& error) {
    EXPECT_EQ(error.status().reason(), Reason::kNoKernel) << error.what();
    return Found::kNothing;
  }
  try {
    for (int i = 0; i < order; ++i) fed.Differentiate();
    const std::vector<Tensor> values = fed.Values();
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(fed.ys[i].dtype(), fed.xs[i].dtype());
      EXPECT_EQ(values[i].shape(), fed.feeds[i].second.shape());
    }
  } catch (const Error&) {
    return Found::kRefusal;
  }
  return Found::kGradients;
}

bool HasResource(const OpDef& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(),
                     [](const ArgDef& input) { return input.type == DType::kResource || input.is_ref; });
}

bool IsEmpty(const SampledCase& sample) {
  return std::any_of(sample.inputs.begin(), sample.inputs.end(),
                     [](const Tensor& input) { return HasSlope(input.dtype()) && input.elements() == 0; });
}

// Gradients are made of ops that take fewer types than what they are of, in TensorFlow too: an op, and what the name of
// its choice of types holds.
using Refused = std::pair<std::string, std::string>;
const std::set<Refused> kRefused = {
    {"BatchMatMulV3", "Ta=bfloat16 Tb=int8"},
    {"BatchMatMulV3", "Ta=bfloat16 Tb=uint8"},
    {"BatchMatMulV3", "Ta=int8 Tb=bfloat16"},
    {"BatchMatMulV3", "Ta=uint8 Tb=bfloat16"},
    {"Digamma", "T=float16"},                     // Polygamma
    {"MaxPoolWithArgmax", "Targmax=int32"},       // MaxPoolGradWithArgmax
    {"Qr", "T=float16"},                          // MatrixTriangularSolve
    {"StatelessRandomGammaV2", "dtype=float16"},  // RandomGammaGrad
    {"StatelessRandomGammaV3", "dtype=float16"},
    {"StridedSlice", "Index=int16"},  // Shape
};

// Returns how many gradients there were; `met` is added to where they are refused as they ought to be.
int CheckTypes(const OpDef& op, const conformance::Variant& variant, std::set<Refused>* met) {
  const auto refused = std::find_if(kRefused.begin(), kRefused.end(), [&](const Refused& line) {
    return line.first == op.name && variant.name.find(line.second) != std::string::npos;
  });
  int found = 0;
  for (const SampledCase& sample : SampleInputs(op, variant.types, /*seed=*/1)) {
    if (!IsOrdinary(op, sample) || IsEmpty(sample)) continue;
    for (int order = 1; order <= std::max(1, op.gradient_trial.order); ++order) {
      SCOPED_TRACE(Str(op.name, "/", variant.name, ", derivative ", order, ", sample ", sample.label));
      const Found taken = Take(op, sample, order);
      if (taken == Found::kNothing) break;
      EXPECT_EQ(taken, refused == kRefused.end() ? Found::kGradients : Found::kRefusal);
      if (refused != kRefused.end()) met->insert(*refused);
      ++found;
    }
  }
  return found;
}

TEST(OpGradients, HaveTheTypesOfWhatTheyAreOf) {
  std::set<Refused> met;
  for (const OpDef* op : AllOps()) {
    if (op->gradient.kind != Differentiation::Kind::kRule || HasResource(*op)) continue;
    if (*op->gradient_trial.untried != '\0' || !CanSample(*op)) continue;
    int found = 0;
    for (const conformance::Variant& variant : conformance::VariantsOf(*op)) found += CheckTypes(*op, variant, &met);
    EXPECT_GT(found, 0) << op->name;
  }
  EXPECT_EQ(met, kRefused);
}

}  // namespace
}  // namespace plumb::property
