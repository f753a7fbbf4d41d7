// The first place of the greatest, or the least, value along an axis.
#include <limits>

#include "fastpath/gpu/lib/grid.h"
#include "fastpath/gpu/lib/reduce.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

template <class V>
struct Found {
  V value;
  int64_t place;  // negative: none yet
};

// Only what exceeds the least value there is (in ArgMin, falls short of the greatest) is found; where nothing does, as
// among NaN (N12), the place is 0.
template <class T, bool is_greatest>
struct ArgFold {
  using In = T;
  using Value = Found<typename Computed<T>::Type>;
  using Out = int64_t;
  PLUMB_GPU_INLINE Value Identity() const { return {0, -1}; }
  PLUMB_GPU_INLINE Value Load(T element, int64_t i) const {
    using V = typename Computed<T>::Type;
    const V value = Computed<T>::Load(element);
    const bool is_candidate =
        is_greatest ? value > std::numeric_limits<V>::lowest() : value < std::numeric_limits<V>::max();
    return is_candidate ? Value{value, i} : Identity();
  }
  PLUMB_GPU_INLINE Value Merge(Value a, Value b) const {
    if (a.place < 0) return b;
    if (b.place < 0) return a;
    if (a.value == b.value) return a.place < b.place ? a : b;
    return (a.value < b.value) == is_greatest ? b : a;
  }
  PLUMB_GPU_INLINE int64_t Store(Value found) const { return found.place < 0 ? 0 : found.place; }
};

template <class Place>
PLUMB_GPU_KERNEL NarrowLoop(Global<const int64_t> places, Global<Place> y) {
  for (int64_t i = First(); i < y.size; i += Stride()) y[i] = static_cast<Place>(places[i]);
}
// Folds find places of 64 bits: one for each type that a place may have would be four times the code.
void Narrow(GpuContext& context, Global<const int64_t> places, Tensor& y) {
  ForType(context.node(), y.dtype(), TypeList<int32_t, int16_t, uint16_t>(), [&](auto tag) {
    using Place = typename decltype(tag)::Type;
    Launch(context.stream(), LoopOver(places.size), NarrowLoop<Place>, places, context.ViewOf<Place>(y));
    return true;
  });
}

template <class T, bool is_greatest>
class ArgReducer final : public GpuKernel {
 public:
  explicit ArgReducer(const Node&) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    Require(x.rank() > 0, "a scalar has no axis to search along");
    const Shape shape = context.OutputShape(0);
    const int64_t named = Named(context.input(1)), axis = named < 0 ? named + x.rank() : named;
    Require(axis >= 0 && axis < x.rank(), "dimension ", named, " is not one of ", x.rank(), " axes");
    Require(x.dim(static_cast<int>(axis)) > 0, "the reduction axis ", axis, " of shape ", x.shape().ToString(),
            " is empty");
    Tensor y = context.AllocateOutput(0, shape);
    if (y.elements() == 0) return;
    Require(x.rank() <= kMostDimensions, "a tensor of rank ", x.rank(), " is not searched; the limit is ",
            kMostDimensions);  // T9
    std::vector<bool> is_folded(static_cast<size_t>(x.rank()), false);
    is_folded[static_cast<size_t>(axis)] = true;
    const bool is_wide = y.dtype() == DType::kInt64;
    Tensor wide = is_wide ? y : context.Scratch(DType::kInt64, shape);
    const auto places = context.ViewOf<int64_t>(wide);
    QueueFold(context, PlanFold(x.shape(), is_folded), context.In<T>(0), places, ArgFold<T, is_greatest>());
    if (!is_wide) Narrow(context, Global<const int64_t>(places.data, places.size), y);
  }

 private:
  static constexpr int kMostDimensions = 7;

  static int64_t Named(const Tensor& dimension) {
    Require(dimension.rank() == 0, "the dimension must be a scalar, not of shape ", dimension.shape().ToString());
    return ToInt64s(dimension).at(0);
  }
};

template <class T>
using ArgMax = ArgReducer<T, true>;
template <class T>
using ArgMin = ArgReducer<T, false>;
using Ordered = Join<Reals, TypeList<bool>>;

constexpr GpuKernelRow kRows[] = {
    {"ArgMax", MakeForType<ArgMax, Ordered>},
    {"ArgMin", MakeForType<ArgMin, Ordered>},
};

}  // namespace

std::span<const GpuKernelRow> ReductionArg() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
