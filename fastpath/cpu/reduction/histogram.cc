// HistogramFixedWidth: how many values lie in each part of a range.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
struct Range {
  T low, high;
  int64_t bins;
  double step;

  Range(const T* limits, int64_t bins) : low(limits[0]), high(limits[1]), bins(bins) {
    Require(low < high, "value_range must rise, and is [", low, ", ", high, "]");
    step = Above(high) / static_cast<double>(bins);
  }
  // The distance from the lower limit; whole numbers have room for any.
  double Above(T x) const {
    if constexpr (std::is_integral_v<T>) {
      return x <= low ? 0 : static_cast<double>(static_cast<uint64_t>(x) - static_cast<uint64_t>(low));
    } else {
      return static_cast<double>((x < low ? low : x) - low);
    }
  }
  // -1 where there is none.
  int64_t BinOf(T x) const {
    const double place = Above(x) / step;
    if (std::isnan(place)) return -1;
    return static_cast<int64_t>(std::min(place, static_cast<double>(bins - 1)));
  }
};

class Histogram final : public Kernel {
 public:
  explicit Histogram(const Node& node) : type_(InputType(node, 0)), output_type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor &range = context.input(1), &bins = context.input(2);
    Require(range.rank() == 1 && range.elements() == 2, "value_range must hold two numbers, not have the shape ",
            range.shape().ToString());
    Require(bins.rank() == 0, "nbins must be a scalar, not of shape ", bins.shape().ToString());
    const int64_t count = IntAt(bins, 0);
    Require(count > 0, "nbins must be positive, not ", count);
    VisitOneOf(Types<int32_t, int64_t, float, double>(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const Range<T> parts(static_cast<const T*>(range.raw()), count);
      SetIntVector(context, 0, output_type_, Count(context.pool(), parts, context.input(0).template data<T>()));
      return true;
    });
  }

 private:
  // The bins of all values at once, then how often each occurs.
  template <class T>
  static std::vector<int64_t> Count(ThreadPool& pool, const Range<T>& parts, std::span<const T> values) {
    std::vector<int32_t> bin(values.size());
    pool.ParallelFor(static_cast<int64_t>(values.size()), GrainFor(8), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) bin[static_cast<size_t>(i)] = static_cast<int32_t>(parts.BinOf(values[i]));
    });
    std::vector<int64_t> counts(static_cast<size_t>(parts.bins), 0);
    for (size_t i = 0; i < bin.size(); ++i) {
      Require(bin[i] >= 0, "value ", i, " has no place in the range: it, or the range, is not a number, or infinite");
      ++counts[static_cast<size_t>(bin[i])];
    }
    return counts;
  }

  const DType type_, output_type_;
};

constexpr KernelRow kRows[] = {
    {"HistogramFixedWidth", Make<Histogram>},
};

}  // namespace

std::span<const KernelRow> ReductionHistogram() { return kRows; }

}  // namespace plumb::fast::cpu
