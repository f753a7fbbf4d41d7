// Accumulators of dense gradients, and what all accumulators have in common (rules C1–C4).
#include "reference/ops/lib/accumulator_handle.h"

namespace plumb::reference {
namespace {

void MakeDense(OpContext& c) { MakeAccumulator(c, /*is_sparse=*/false); }

Value Added(const Value& sum, const Value& gradient) {
  ForKind<Real>(sum.tensor.dtype(), [](auto) {});
  const Reader<Real> a(sum), b(gradient);
  Writer<Real> to(sum.tensor.dtype(), sum.tensor.shape());
  for (int64_t i = 0; i < to.size(); ++i) to.Set(i, a[i] + b[i]);
  return to.Take();
}

void ApplyGradient(OpContext& c) {
  const auto accumulator = AccumulatorOf(c);
  const Value& gradient = c.input(2);
  RequireKind(*accumulator, gradient.tensor.dtype(), /*is_sparse=*/false);
  if (!IsWanted(c, *accumulator)) return;
  const bool is_first = accumulator->count() == 0;
  const Shape& shape = gradient.tensor.shape();
  Require(is_first || accumulator->sum().tensor.shape() == shape, "a gradient of shape ", shape.ToString(),
          " does not fit the sum so far");
  Require(accumulator->shape.IsCompatibleWith(shape), "a gradient of shape ", shape.ToString(),
          " does not fit the accumulator of shape ", accumulator->shape.ToString());
  accumulator->Update(is_first ? Detached(gradient) : Added(accumulator->sum(), gradient));
}

void TakeGradient(OpContext& c) {
  const auto accumulator = AccumulatorOf(c);
  const auto taken = Taken(c, accumulator, /*is_sparse=*/false, c.output_type(0));
  if (!taken) return;
  const int64_t counts[] = {taken->values[1].tensor.scalar<int64_t>()};
  c.Output(0, accumulator->is_mean ? Divided(taken->values[0], counts) : taken->values[0]);
}

// C3.
void SetGlobalStep(OpContext& c) { AccumulatorOf(c)->SetGlobalStep(ScalarOf(c.tensor(1), "new_global_step")); }
void NumAccumulated(OpContext& c) { c.Output(0, MakeScalar(static_cast<int32_t>(AccumulatorOf(c)->count()))); }

constexpr KernelRow kRows[] = {
    {"ConditionalAccumulator", MakeDense},         {"ResourceConditionalAccumulator", MakeDense},
    {"AccumulatorApplyGradient", ApplyGradient},   {"ResourceAccumulatorApplyGradient", ApplyGradient},
    {"AccumulatorTakeGradient", TakeGradient},     {"ResourceAccumulatorTakeGradient", TakeGradient},
    {"AccumulatorSetGlobalStep", SetGlobalStep},   {"ResourceAccumulatorSetGlobalStep", SetGlobalStep},
    {"AccumulatorNumAccumulated", NumAccumulated}, {"ResourceAccumulatorNumAccumulated", NumAccumulated},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowAccumulator() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
