// Bucketize: how many boundaries are not above each number.
#include <mutex>
#include <type_traits>
#include <vector>

#include "fastpath/gpu/gpu_inside.h"
#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/types.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class T>
PLUMB_GPU_KERNEL BucketLoop(Global<const T> x, Global<const float> boundaries, Global<int32_t> bucket) {
  using Compared = std::conditional_t<std::is_same_v<T, double>, double, float>;
  for (int64_t i = First(); i < bucket.size; i += Stride()) {
    const auto value = static_cast<Compared>(x[i]);
    int64_t low = 0, high = boundaries.size;  // the first boundary above lies between
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (value < static_cast<Compared>(boundaries[middle])) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    bucket[i] = static_cast<int32_t>(low);
  }
}

template <class T>
class Bucketize final : public GpuKernel {
 public:
  explicit Bucketize(const Node& node) {
    const auto& given = GetAttr<std::vector<float>>(node.attrs, "boundaries");
    for (size_t i = 0; i < given.size(); ++i) {
      Require(i == 0 || !(given[i] < given[i - 1]), "the boundaries must be sorted: number ", i,
              " is not above the one before it");
    }
    on_host_ = Allocate(DType::kFloat, Shape({static_cast<int64_t>(given.size())}));
    std::copy(given.begin(), given.end(), on_host_.mutable_data<float>().begin());
  }
  void Run(GpuContext& context) override {
    std::call_once(is_held_, [&] { boundaries_ = GpuInside(context.device()).Held(on_host_); });
    Tensor bucket = context.AllocateOutput(0, context.input(0).shape());
    Global<const float> boundaries;
    if (on_host_.elements() > 0) boundaries = context.ViewOf<float>(boundaries_);
    Launch(context.stream(), LoopOver(bucket.elements()), BucketLoop<T>, context.In<T>(0), boundaries,
           context.ViewOf<int32_t>(bucket));
  }

 private:
  std::once_flag is_held_;
  Tensor on_host_, boundaries_;
};

constexpr GpuKernelRow kRows[] = {
    {"Bucketize", MakeForType<Bucketize, TypeList<float, double, int32_t, int64_t>>},
};

}  // namespace

std::span<const GpuKernelRow> MathBucketize() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
