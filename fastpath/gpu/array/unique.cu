// Unique and UniqueWithCounts: elements put in order, so that equal ones are neighbours; the host waits for how many
// differ.
#include <cstring>
#include <limits>

#include "fastpath/gpu/lib/known_numbers.h"
#include "fastpath/gpu/lib/rows/dealt_rows.h"
#include "fastpath/gpu/lib/sorted_order.h"
#include "fastpath/gpu/lib/types.h"
#include "fastpath/gpu/lib/words.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// Elements by value, equal ones by place, and NaN, equal to nothing, behind all numbers. Of 16-bit floats, zeros of
// both signs differ: TensorFlow finds them by their bits.
template <class T>
struct ByValue {
  Global<const T> x;

  PLUMB_GPU_INLINE bool IsNumber(int64_t i) const {
    const auto value = Computed<T>::Load(x[i]);
    return value == value;
  }
  PLUMB_GPU_INLINE bool IsLess(int64_t i, int64_t j) const {
    const auto a = Computed<T>::Load(x[i]), b = Computed<T>::Load(x[j]);
    if (a != a || b != b) return a == a;
    if constexpr (kIsHalf<T>) {
      if (a == b) return BitsOf(i) < BitsOf(j);
    }
    return a < b;
  }
  PLUMB_GPU_INLINE bool operator()(int64_t i, int64_t j) const { return IsLess(i, j) || (!IsLess(j, i) && i < j); }

 private:
  PLUMB_GPU_INLINE uint16_t BitsOf(int64_t i) const {
    const T value = x[i];
    uint16_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  }
};

// How many elements stand before those that equal element i, or with them.
template <class T>
PLUMB_GPU_INLINE int64_t CountUpTo(const ByValue<T>& by, const Global<const int64_t>& order, int64_t i, bool with) {
  int64_t begin = 0;
  for (int64_t left = order.size; left > 0;) {
    const int64_t half = left / 2, middle = order[begin + half];
    const bool is_before = with ? !by.IsLess(i, middle) : by.IsLess(middle, i);
    if (is_before) begin += half + 1;
    left = is_before ? left - half - 1 : half;
  }
  return begin;
}

// The first of those that each element equals; places: 0 for those that are first, -1 for others.
template <class T>
PLUMB_GPU_KERNEL FindFirsts(ByValue<T> by, Global<const int64_t> order, Global<int64_t> firsts,
                            Global<int64_t> places) {
  for (int64_t i = First(); i < firsts.size; i += Stride()) {
    const int64_t first = by.IsNumber(i) ? order[CountUpTo<T>(by, order, i, false)] : i;
    firsts[i] = first;
    places[i] = first == i ? 0 : -1;
  }
}

// ranks[found[j]] = j
PLUMB_GPU_KERNEL RankLoop(Global<const int64_t> found, int64_t count, Global<int64_t> ranks) {
  for (int64_t j = First(); j < count; j += Stride()) ranks[found[j]] = j;
}

template <class Index>
PLUMB_GPU_KERNEL NameLoop(Global<const int64_t> firsts, Global<const int64_t> ranks, Global<Index> idx) {
  for (int64_t i = First(); i < idx.size; i += Stride()) idx[i] = static_cast<Index>(ranks[firsts[i]]);
}

template <class T>
PLUMB_GPU_KERNEL TakeLoop(Global<const T> x, Global<const int64_t> found, Global<T> y) {
  for (int64_t j = First(); j < y.size; j += Stride()) y[j] = x[found[j]];
}

template <class T, class Index>
PLUMB_GPU_KERNEL CountLoop(ByValue<T> by, Global<const int64_t> order, Global<const int64_t> found,
                           Global<Index> counts) {
  for (int64_t j = First(); j < counts.size; j += Stride()) {
    const int64_t i = found[j];
    const int64_t alike = by.IsNumber(i) ? CountUpTo<T>(by, order, i, true) - CountUpTo<T>(by, order, i, false) : 1;
    counts[j] = static_cast<Index>(alike);
  }
}

template <class T>
class Unique final : public GpuKernel {
 public:
  explicit Unique(const Node& node) : index_type_(node.output_types[1]), counts_(node.output_types.size() > 2) {}
  void Run(GpuContext& context) override {
    const Tensor& x = context.input(0);
    Require(x.rank() == 1, "unique takes a vector, not the shape ", x.shape().ToString());
    const int64_t size = x.elements();
    Require(index_type_ == DType::kInt64 || size <= std::numeric_limits<int32_t>::max(),
            "too many elements for int32 indices");
    Tensor idx = context.AllocateOutput(1, x.shape());
    const ByValue<T> by{context.In<T>(0)};
    const Tensor ordered = InOrder(context, size, by);
    Tensor firsts = context.Scratch(DType::kInt64, x.shape()), places = context.Scratch(DType::kInt64, x.shape());
    const auto order = context.ViewOf<int64_t>(ordered);
    Launch(context.stream(), LoopOver(size), FindFirsts<T>, by, order, context.ViewOf<int64_t>(firsts),
           context.ViewOf<int64_t>(places));
    const DealtRows dealt = DealRows(context, context.ViewOf<int64_t>(places), 1);
    const auto found = context.ViewOf<int64_t>(dealt.rows);
    const int64_t count = BringNumbers(context, dealt.begins)[1];
    Tensor& ranks = places;  // whose work is done
    Launch(context.stream(), LoopOver(count), RankLoop, found, count, context.ViewOf<int64_t>(ranks));
    Tensor y = context.AllocateOutput(0, Shape({count}));
    Launch(context.stream(), LoopOver(count), TakeLoop<T>, by.x, found, context.ViewOf<T>(y));
    ForType(context.node(), index_type_, TypeList<int32_t, int64_t>(), [&](auto tag) {
      using Index = typename decltype(tag)::Type;
      Launch(context.stream(), LoopOver(size), NameLoop<Index>, context.ViewOf<int64_t>(firsts),
             context.ViewOf<int64_t>(ranks), context.ViewOf<Index>(idx));
      if (!counts_) return true;
      Tensor counts = context.AllocateOutput(2, Shape({count}));
      Launch(context.stream(), LoopOver(count), CountLoop<T, Index>, by, order, found, context.ViewOf<Index>(counts));
      return true;
    });
  }

 private:
  const DType index_type_;
  const bool counts_;
};

using UniqueTypes = Join<Join<Floats, AllIntegers>, TypeList<bool>>;

constexpr GpuKernelRow kRows[] = {
    {"Unique", MakeForType<Unique, UniqueTypes>},
    {"UniqueWithCounts", MakeForType<Unique, UniqueTypes>},
};

}  // namespace

std::span<const GpuKernelRow> ArrayUnique() { return kRows; }

}  // namespace plumb::fast::GPU_NAMESPACE
