// Assert and CheckNumerics: ops that fail when a value is not what it should be.
#include <cmath>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"

namespace plumb::fast::cpu {
namespace {

class Assert final : public Kernel {
 public:
  explicit Assert(const Node& node) : summarize_(GetAttrOr<int64_t>(node.attrs, "summarize", 3)) {}
  void Run(KernelContext& context) override {
    const Tensor& condition = context.input(0);
    Require(condition.rank() == 0, "the condition must be a scalar, not of shape ", condition.shape().ToString());
    if (condition.scalar<bool>()) return;
    std::string message = "assertion failed:";
    for (int i = 1; i < context.num_inputs(); ++i) {
      const Tensor& data = context.input(i);
      message += " [" + data.ToString(summarize_ < 0 ? data.elements() : summarize_) + "]";
    }
    throw InvalidArgument(message);
  }

 private:
  int64_t summarize_;
};

// NaN and infinities leave the exponent bits of x − x set.
template <class T>
bool AllFinite(const T* x, int64_t n) {
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] - x[i];
  return sum == 0;
}

class CheckNumerics final : public Kernel {
 public:
  explicit CheckNumerics(const Node& node)
      : type_(InputType(node, 0)), message_(GetAttr<std::string>(node.attrs, "message")) {
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
    bool nan = false, inf = false;
    for (const T value : values) {
      nan |= std::isnan(value);
      inf |= std::isinf(value);
    }
    throw InvalidArgument(message_, " : Tensor had ", nan && inf ? "Inf and NaN" : nan ? "NaN" : "Inf", " values");
  }

  DType type_;
  std::string message_;
};

}  // namespace

std::span<const KernelRow> CpuCheckKernels() {
  static const KernelRow rows[] = {
      {"Assert", Make<Assert>},
      {"CheckNumerics", Make<CheckNumerics>},
  };
  return rows;
}

}  // namespace plumb::fast::cpu
