// Bucketize.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

class Bucketize final : public Kernel {
 public:
  explicit Bucketize(const Node& node)
      : type_(InputType(node, 0)), boundaries_(GetAttr<std::vector<float>>(node.attrs, "boundaries")) {
    for (size_t i = 0; i < boundaries_.size(); ++i) {
      Require(i == 0 || !(boundaries_[i] < boundaries_[i - 1]), "the boundaries must be sorted: number ", i,
              " is not above the one before it");
    }
    for (size_t n = boundaries_.size(); n > 0; n /= 2) ++steps_;
  }

  void Run(KernelContext& context) override {
    if (type_ == DType::kFloat) return RunAs<float>(context);
    if (type_ == DType::kDouble) return RunAs<double>(context);
    if (type_ == DType::kInt32) return RunAs<int32_t>(context);
    RunAs<int64_t>(context);
  }

 private:
  template <class T>
  void RunAs(KernelContext& context) const {
    using Compared = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const Tensor& input = context.input(0);
    const T* const x = input.data<T>().data();
    int32_t* const bucket = context.AllocateOutput(0, DType::kInt32, input.shape()).mutable_data<int32_t>().data();
    context.pool().ParallelFor(input.elements(), GrainFor(2 * steps_), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto value = static_cast<Compared>(x[i]);
        bucket[i] =
            static_cast<int32_t>(std::upper_bound(boundaries_.begin(), boundaries_.end(), value) - boundaries_.begin());
      }
    });
  }

  const DType type_;
  const std::vector<float> boundaries_;
  int64_t steps_ = 1;  // of a search
};

constexpr KernelRow kRows[] = {
    {"Bucketize", Make<Bucketize>},
};

}  // namespace

std::span<const KernelRow> MathBucketize() { return kRows; }

}  // namespace plumb::fast::cpu
