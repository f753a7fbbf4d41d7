#include "property-tests/generators/one_op.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "backends/backends.h"
#include "client/gradients.h"
#include "conformance/compare/elements.h"
#include "spec/ops/traits.h"

namespace plumb::property {
namespace {

Tensor FromDoubles(const Tensor& like, const std::vector<double>& numbers) {
  Tensor result = like.Clone();
  if (like.dtype() == DType::kDouble) std::copy(numbers.begin(), numbers.end(), result.mutable_data<double>().begin());
  if (like.dtype() == DType::kFloat) std::copy(numbers.begin(), numbers.end(), result.mutable_data<float>().begin());
  return result;
}

// Small steps away from the whole numbers among the samples, where an op may have a kink; larger for later elements, so
// that equal ones come apart. Positive, where the derivative is there for positive numbers only.
Tensor AwayFromKinks(const OpDef& op, const Tensor& sample, double first) {
  std::vector<double> numbers = conformance::ToDoubles(sample);
  if (op.gradient_trial.positive) {
    for (double& x : numbers) x = std::abs(x);
  }
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] += std::ldexp(first + static_cast<double>(i), -12);
  return FromDoubles(sample, numbers);
}

std::vector<uint64_t> RandomWords(uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<uint64_t> words(1 << 14);
  std::generate(words.begin(), words.end(), generator);
  return words;
}

// Σ over all outputs of Σ output · weight, the weights being small whole numbers.
Output WeightedTotal(Scope& scope, const std::vector<Output>& outputs, const std::vector<Tensor>& values, Tape& tape) {
  std::vector<Output> terms;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Output weights = Constant(scope, FromDoubles(values[i], RandomDirection(tape, values[i].elements())));
    const Output flat = scope.Call("Reshape", {outputs[i] * weights, Constant<int32_t>(scope, {-1})});
    const Output sum = scope.Call("Sum", {flat, Constant<int32_t>(scope, {0})});
    terms.push_back(scope.Call("Cast", {sum}, {{"DstT", DType::kDouble}}));
  }
  return scope.Call("AddN", terms);
}

}  // namespace

bool IsDifferentiable(DType dtype) { return dtype == DType::kFloat || dtype == DType::kDouble; }

bool IsTakenAsConstant(const OpDef& op, size_t input) {
  const std::vector<int>& constant = op.gradient_trial.constant_inputs;
  return std::find(constant.begin(), constant.end(), static_cast<int>(input)) != constant.end();
}

bool NeedsAResource(const OpDef& op) {
  return std::any_of(op.inputs.begin(), op.inputs.end(),
                     [](const ArgDef& input) { return input.type == DType::kResource || input.is_ref; });
}

OneOp::OneOp(const OpDef& op, const SampledCase& sample, uint64_t seed, At at, bool (*by)(DType))
    : tape_(RandomWords(seed)) {
  std::vector<Output> inputs;
  double first = 1;
  for (const Tensor& value : sample.inputs) {
    const std::string name = Str("x", inputs.size());
    if (!by(value.dtype()) || IsTakenAsConstant(op, inputs.size())) {
      inputs.push_back(Constant(scope_, value, name));
      continue;
    }
    const bool stays = at == At::kSample || !IsDifferentiable(value.dtype());
    const Tensor moved = stays ? value : AwayFromKinks(op, value, first);
    first += static_cast<double>(value.elements());
    inputs.push_back(
        scope_.Call("Placeholder", {}, {{"dtype", value.dtype()}, {"shape", PartialShape(value.shape())}}, name));
    xs_.push_back(inputs.back());
    feeds_.push_back({name, moved, RandomDirection(tape_, value.elements())});
  }
  const NodeId node = scope_.Add(op.name, inputs, sample.attrs, "op");
  const size_t outputs =
      Has(op, Trait::kDifferentiatesFirst) ? 1 : scope_.builder().graph().node(node).output_types.size();
  for (size_t i = 0; i < outputs; ++i) {
    const Output y = {&scope_.builder(), Endpoint{node, static_cast<int32_t>(i)}};
    if (by(y.dtype())) ys_.push_back(y);
  }
}

void OneOp::Differentiate() {
  std::vector<Output> squares;
  for (const Output& y : ys_) squares.push_back(y * y);
  const Output total = WeightedTotal(scope_, squares, Values(), tape_);
  ys_ = DenseGradients({total}, xs_);
}

void OneOp::TakeGradients() {
  GradientOptions options;
  for (const Output& y : ys_) options.grad_ys.emplace_back(y.endpoint);
  ys_ = DenseGradients(ys_, xs_, options);
}

conformance::GradientCheck OneOp::Check() {
  const Output total = WeightedTotal(scope_, ys_, Values(), tape_);
  std::vector<std::string> names;
  for (const Output& gradient : DenseGradients({total}, xs_)) names.push_back(gradient.name());
  return conformance::CheckGradients(scope_.ToGraphDef(), feeds_, total.name(), names);
}

std::vector<Tensor> OneOp::Values() {
  const auto session = OpenSession("reference");
  std::vector<Tensor> values;
  std::vector<std::string> names;
  for (const Output& y : ys_) names.push_back(y.name());
  std::vector<Feed> feeds;
  for (const auto& feed : feeds_) feeds.emplace_back(feed.feed, feed.value);
  for (const Status& status : {session->Extend(scope_.ToGraphDef()), session->Run(feeds, names, {}, &values)}) {
    if (!status.ok()) throw Error(status);
  }
  return values;
}

std::set<std::string> OneOp::Ops() const {
  std::set<std::string> ops;
  for (const NodeDef& node : scope_.ToGraphDef().nodes) ops.insert(node.op);
  return ops;
}

AttrMap WidestTypes(const OpDef& op) {
  AttrMap types;
  for (const AttrDef& attr : op.attrs) {
    if (attr.kind != AttrKind::kType || attr.is_list) continue;
    for (const DType dtype : {DType::kFloat, DType::kDouble}) {
      const std::vector<DType>& allowed = op.CpuTypes(attr);
      if (std::find(allowed.begin(), allowed.end(), dtype) != allowed.end()) types.insert_or_assign(attr.name, dtype);
    }
  }
  return types;
}

bool IsOrdinary(const OpDef& op, const SampledCase& sample, bool (*by)(DType)) {
  bool is_empty = false;
  for (size_t i = 0; i < sample.inputs.size(); ++i) {
    const Tensor& input = sample.inputs[i];
    is_empty |= by(input.dtype()) && !IsTakenAsConstant(op, i) && input.elements() == 0;
  }
  return sample.StandsAlone() && !is_empty && sample.label.find("special") == std::string::npos;
}

}  // namespace plumb::property
