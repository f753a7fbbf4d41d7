// How many values lie in each part of a range.
#include <algorithm>
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/integer_tensor.h"

namespace plumb::reference {
namespace {

// The distance from `low` as the values' type has it, and then in double.
double Above(Real x, Real low, DType type) { return RoundTo(type, std::max(x.v, low.v) - low.v); }
double Above(Integer x, Integer low, DType) { return static_cast<double>(std::max(x, low) - low); }

template <class N>
std::vector<int64_t> Histogram(const Value& values, const Value& range, int64_t bins) {
  const DType type = values.tensor.dtype();
  const Reader<N> value(values), limit(range);
  Require(limit[0] < limit[1], "value_range must rise");
  const double step = Above(limit[1], limit[0], type) / static_cast<double>(bins);
  std::vector<int64_t> counts(bins, 0);
  for (int64_t i = 0; i < value.size(); ++i) {
    if constexpr (std::is_same_v<N, Real>) Require(!std::isnan(value[i].v), "value ", i, " is not a number");
    const double place = Above(value[i], limit[0], type) / step;
    Require(!std::isnan(place), "value ", i, " has no place in a range that is not finite");
    ++counts[static_cast<size_t>(std::min(place, static_cast<double>(bins - 1)))];
  }
  return counts;
}

void HistogramFixedWidth(OpContext& c) {
  const Tensor& range = c.tensor(1);
  Require(range.shape() == Shape({2}), "value_range must hold two numbers, not have the shape ",
          range.shape().ToString());
  const int64_t bins = ScalarOf(c.tensor(2), "nbins");
  Require(bins > 0, "nbins must be positive, not ", bins);
  CheckResultSize({bins});
  ForKind<Real, Integer>(c.tensor(0).dtype(), [&](auto kind) {
    const auto counts = Histogram<typename decltype(kind)::Type>(c.input(0), c.input(1), bins);
    c.Output(0, IntegerVector(c.output_type(0), counts));
  });
}

constexpr KernelRow kRows[] = {
    {"HistogramFixedWidth", HistogramFixedWidth},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionHistogram() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
