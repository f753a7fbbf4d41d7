#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/summary/shown.h"

namespace plumb::fast::cpu {
namespace {

// The upper limits of ranges, ascending (Z13).
const std::vector<double>& Limits() {
  static const std::vector<double> limits = [] {
    constexpr double kFirst = 1e-12, kEnd = 1e20, kGrowth = 1.1;
    std::vector<double> positive;
    for (double limit = kFirst; limit < kEnd; limit *= kGrowth) positive.push_back(limit);
    positive.push_back(std::numeric_limits<double>::max());
    std::vector<double> all;
    all.reserve(2 * positive.size() + 1);
    for (auto limit = positive.rbegin(); limit != positive.rend(); ++limit) all.push_back(-*limit);
    all.push_back(0);
    all.insert(all.end(), positive.begin(), positive.end());
    return all;
  }();
  return limits;
}

constexpr auto kTypes = FloatTypes() + IntegerTypes() + Types<bool>();

// Sums run in the order of the elements, as their bytes are compared.
template <class T>
void Fill(std::span<const T> values, pb::HistogramProto& to) {
  const std::vector<double>& limits = Limits();
  std::vector<int64_t> counts(limits.size() + 1, 0);
  double low = limits.back(), high = limits.front(), sum = 0, squares = 0;
  for (const T element : values) {
    const auto number = static_cast<double>(element);
    Require(std::isfinite(number), "a histogram has no place for NaN and infinities");
    ++counts[std::upper_bound(limits.begin(), limits.end(), number) - limits.begin()];
    if (number < low) low = number;
    if (number > high) high = number;
    sum += number;
    squares += number * number;
  }
  counts[limits.size() - 1] += counts.back();  // the largest number of all
  to.set_min(low);
  to.set_max(high);
  to.set_num(static_cast<double>(values.size()));
  to.set_sum(sum);
  to.set_sum_squares(squares);
  for (size_t i = 0; i < limits.size(); ++i) {
    const bool goes_on = counts[i] == 0 && i + 1 < limits.size() && counts[i + 1] == 0;
    if (goes_on) continue;
    to.add_bucket_limit(limits[i]);
    to.add_bucket(static_cast<double>(counts[i]));
  }
}

class HistogramSummaryKernel : public Kernel {
 public:
  explicit HistogramSummaryKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const Tensor& tag = context.input(0);
    Require(tag.rank() == 0, "the tag is one string, not a tensor of shape ", Printed(tag.shape()));
    pb::Summary summary;
    pb::Summary::Value* const value = summary.add_value();
    value->set_tag(tag.scalar<std::string>());
    ShowHistogram(context.input(1), *value->mutable_histo());
    summary.SerializeToString(context.AllocateOutput(0, DType::kString, Shape()).mutable_data<std::string>().data());
  }
};

constexpr KernelRow kRows[] = {
    {"HistogramSummary", Make<HistogramSummaryKernel>},
};

}  // namespace

void ShowHistogram(const Tensor& values, pb::HistogramProto& to) {
  VisitOneOf(kTypes, values.dtype(), false, [&](auto type) {
    Fill(values.data<typename decltype(type)::Type>(), to);
    return true;
  });
}

std::span<const KernelRow> SummaryHistogram() { return kRows; }

}  // namespace plumb::fast::cpu
