// ApproximateEqual.
#include <cmath>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class ApproximateEqual final : public Kernel {
 public:
  explicit ApproximateEqual(const Node& node)
      : type_(InputType(node, 0)), tolerance_(GetAttr<float>(node.attrs, "tolerance")) {}

  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &y = context.input(1);
    Require(x.shape() == y.shape(), "x and y must have one shape, not ", x.shape().ToString(), " and ",
            y.shape().ToString());
    Tensor& z = context.AllocateOutput(0, DType::kBool, x.shape());
    if (type_ == DType::kFloat) return CompareAs<float>(x, y, z, context.pool());
    CompareAs<double>(x, y, z, context.pool());
  }

 private:
  template <class T>
  void CompareAs(const Tensor& x, const Tensor& y, Tensor& z, ThreadPool& pool) const {
    const T *const a = x.data<T>().data(), *const b = y.data<T>().data();
    bool* const to = z.mutable_data<bool>().data();
    const auto tolerance = static_cast<T>(tolerance_);
    pool.ParallelFor(x.elements(), GrainFor(1), [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = std::abs(a[i] - b[i]) <= tolerance;
    });
  }

  const DType type_;
  const float tolerance_;
};

constexpr KernelRow kRows[] = {
    {"ApproximateEqual", Make<ApproximateEqual>},
};

}  // namespace

std::span<const KernelRow> MathApproximate() { return kRows; }

}  // namespace plumb::fast::cpu
