// HistogramFixedWidth: how many values lie in each part of a range.
#include "fastpath/formulas/reduction/histogram.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/int_vector.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/cpu/reduction/histogram_loops.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constinit ChoicePoint several_parts("histogram: a single part, or several");

class Histogram final : public Kernel {
 public:
  explicit Histogram(const Node& node) : type_(InputType(node, 0)), output_type_(OutputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor& range = context.input(1);
    const int64_t count = BinsOfHistogram(range.shape(), context.input(2));
    VisitOneOf(Types<int32_t, int64_t, float, double>(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T low = range.template data<T>()[0], high = range.template data<T>()[1];
      Require(low < high, "value_range must rise, and is [", low, ", ", high, "]");
      const EqualParts<T> parts(low, high, count);
      SetIntVector(context, 0, output_type_, Count(context.pool(), parts, context.input(0).template data<T>()));
      return true;
    });
  }

 private:
  // A single bin takes all values, as long as each has one.
  template <class T>
  static bool AllHaveParts(ThreadPool& pool, const EqualParts<T>& parts, std::span<const T> values) {
    std::atomic<bool> has_stray = false;
    pool.ParallelFor(static_cast<int64_t>(values.size()), GrainFor(1), [&](int64_t begin, int64_t end) {
      if (HasStray(parts, values.data() + begin, end - begin)) has_stray = true;
    });
    return !has_stray;
  }

  // The bins of all values at once, then how often each occurs.
  template <class T>
  static std::vector<int64_t> Count(ThreadPool& pool, const EqualParts<T>& parts, std::span<const T> values) {
    if (!several_parts.Chosen(parts.parts > 1) && AllHaveParts(pool, parts, values)) {
      return {static_cast<int64_t>(values.size())};
    }
    std::vector<int32_t> bin(values.size());
    pool.ParallelFor(static_cast<int64_t>(values.size()), GrainFor(8), [&](int64_t begin, int64_t end) {
      PartsOf(parts, values.data() + begin, end - begin, bin.data() + begin);
    });
    std::vector<int64_t> counts(static_cast<size_t>(parts.parts), 0);
    for (size_t i = 0; i < bin.size(); ++i) {
      if (bin[i] < 0) throw Error(RefusalOfValue(static_cast<int64_t>(i)));
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
