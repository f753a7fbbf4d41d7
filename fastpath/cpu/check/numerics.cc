// CheckNumerics, and its second version, which tells the sign of infinities.
#include <atomic>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

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
      : type_(InputType(node, 0)), tells_signs_(tells_signs), message_(GetAttr<std::string>(node.attrs, "message")) {
    if (!IsFloating(type_)) ThrowNoKernel(node);
  }
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
    bool nan = false, below = false, above = false;
    for (const T value : values) {
      nan |= std::isnan(value);
      below |= std::isinf(value) && value < 0;
      above |= std::isinf(value) && value > 0;
    }
    std::vector<std::string_view> found;
    if (below && tells_signs_) found.push_back("-Inf");
    if (above && tells_signs_) found.push_back("+Inf");
    if ((below || above) && !tells_signs_) found.push_back("Inf");
    if (nan) found.push_back("NaN");
    throw InvalidArgument(message_, " : Tensor had ", Listed(found), " values");
  }
  // "a", "a and b", "a, b, and c".
  static std::string Listed(const std::vector<std::string_view>& words) {
    if (words.size() == 3) return Str(words[0], ", ", words[1], ", and ", words[2]);
    return words.size() == 2 ? Str(words[0], " and ", words[1]) : std::string(words[0]);
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
