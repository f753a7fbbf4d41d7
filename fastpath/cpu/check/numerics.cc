// CheckNumerics, and its second version, which tells the sign of infinities.
#include "fastpath/formulas/check/numerics.h"

#include <atomic>
#include <cmath>
#include <string>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// NaN and infinities leave the exponent bits of x − x set.
template <class T>
bool AllFinite(const T* x, int64_t n) {
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] - x[i];
  return sum == 0;
}

class CheckNumerics final : public Kernel {
 public:
  CheckNumerics(const Node& node, bool tells_signs)
      : type_(InputType(node, 0)), tells_signs_(tells_signs), message_(GetAttr<std::string>(node.attrs, "message")) {}
  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    const Tensor x = AsFloat(context.pool(), input);
    if (x.dtype() == DType::kFloat) {
      Check<float>(context.pool(), x);
    } else {
      Check<double>(context.pool(), x);
    }
    context.SetOutput(0, input);
  }

 private:
  template <class T>
  void Check(ThreadPool& pool, const Tensor& x) const {
    const std::span<const T> values = x.data<T>();
    std::atomic<bool> finite{true};
    pool.ParallelFor(x.elements(), GrainFor(1), [&](int64_t begin, int64_t end) {
      if (!AllFinite(values.data() + begin, end - begin)) finite.store(false, std::memory_order_relaxed);
    });
    if (finite.load()) return;
    int found = 0;
    for (const T value : values) {
      if (std::isnan(value)) found |= kNan;
      if (std::isinf(value)) found |= value < 0 ? kBelowAll : kAboveAll;
    }
    throw Error(NotFiniteStatus(message_, found, tells_signs_));
  }

  DType type_;
  bool tells_signs_;
  std::string message_;
};

constexpr KernelRow kRows[] = {
    {"CheckNumerics", MakeWith<CheckNumerics, false>},
    {"CheckNumericsV2", MakeWith<CheckNumerics, true>},
};

}  // namespace

std::span<const KernelRow> CheckNumerics() { return kRows; }

}  // namespace plumb::fast::cpu
