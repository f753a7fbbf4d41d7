// Range.
#include <cmath>
#include <type_traits>

#include "fastpath/cpu/array/step_loops.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// How many values lie in [start, limit) in steps of delta.
template <class T>
int64_t RangeSize(T start, T limit, T delta) {
  Require(delta != 0, "delta must not be 0");
  Require(delta > 0 ? start <= limit : start >= limit, "limit lies on the wrong side of start for this delta");
  if constexpr (std::is_integral_v<T>) {
    const uint64_t span = delta > 0 ? static_cast<uint64_t>(limit) - static_cast<uint64_t>(start)
                                    : static_cast<uint64_t>(start) - static_cast<uint64_t>(limit);
    const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta) : uint64_t{0} - static_cast<uint64_t>(delta);
    const uint64_t size = span / step + (span % step != 0 ? 1 : 0);
    Require(size <= static_cast<uint64_t>(INT64_MAX), "a range of ", size, " values is too long");
    return static_cast<int64_t>(size);
  } else {
    const double size = std::ceil(std::abs((static_cast<double>(limit) - static_cast<double>(start)) / delta));
    Require(size < 9.2e18, "a range of ", size, " values is too long");
    return static_cast<int64_t>(size);
  }
}

class Range final : public Kernel {
 public:
  explicit Range(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    for (int i = 0; i < 3; ++i) {
      Require(context.input(i).elements() == 1 && context.input(i).rank() <= 1,
              "start, limit and delta must be scalars");
    }
    if (type_ == DType::kFloat) return RunAs<float>(context);
    if (type_ == DType::kDouble) return RunAs<double>(context);
    if (type_ == DType::kInt32) return RunAs<int32_t>(context);
    RunAs<int64_t>(context);
  }

 private:
  template <class T>
  void RunAs(KernelContext& context) const {
    const T start = context.input(0).scalar<T>(), limit = context.input(1).scalar<T>();
    const T delta = context.input(2).scalar<T>();
    const int64_t size = RangeSize(start, limit, delta);
    T* to = context.AllocateOutput(0, type_, Shape({size})).template mutable_data<T>().data();
    PutSteps(start, delta, 0, size, to);
  }

  DType type_;
};

constexpr KernelRow kRows[] = {
    {"Range", Make<Range>},
};

}  // namespace

std::span<const KernelRow> ArrayRange() { return kRows; }

}  // namespace plumb::fast::cpu
