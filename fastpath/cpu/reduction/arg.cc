// ArgMax and ArgMin: the first place of the greatest (least) value along an axis.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

template <bool max, class T>
bool Beats(T challenger, T holder) {
  return max ? challenger > holder : challenger < holder;
}

// What every value beats save NaN and itself: N12: NaN is never greater nor smaller.
template <bool max, class T>
T Worst() {
  if constexpr (std::is_same_v<T, bool>) return !max;
  return max ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
}

constinit ChoicePoint columns("place of the greatest: in a line, or in columns side by side");

// x is [n, inner]: the place along n for each of the inner columns.
template <bool max, class T>
void FindPlaces(const T* x, int64_t n, int64_t inner, int64_t* places) {
  if (inner == 1) {
    T best = Worst<max, T>();
    int64_t place = 0;
    for (int64_t i = 0; i < n; ++i) {
      if (Beats<max>(x[i], best)) {
        best = x[i];
        place = i;
      }
    }
    *places = place;
    return;
  }
  std::fill(places, places + inner, 0);
  std::vector<T> best(static_cast<size_t>(inner), Worst<max, T>());
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < inner; ++j) {
      if (Beats<max, T>(x[i * inner + j], best[static_cast<size_t>(j)])) {
        best[static_cast<size_t>(j)] = x[i * inner + j];
        places[j] = i;
      }
    }
  }
}

constexpr int kMaxDimensions = 7;

class ArgReducer final : public Kernel {
 public:
  explicit ArgReducer(const Node& node) : out_(OutputType(node, 0)), max_(node.IsOp("ArgMax")) {}

  void Run(KernelContext& context) override {
    const Tensor& dimension = context.input(1);
    Require(dimension.rank() == 0, "the dimension must be a scalar, not of shape ", dimension.shape().ToString());
    const Tensor x = AsFloat(context.pool(), context.input(0));
    const int axis = NormalizeAxis(IntAt(dimension, 0), x.rank(), "dimension");
    Require(x.dim(axis) > 0, "the reduction axis ", axis, " of shape ", x.shape().ToString(), " is empty");
    Dims dims;
    for (int i = 0; i < x.rank(); ++i) {
      if (i != axis) dims.Append(x.dim(i));
    }
    Tensor& output = context.AllocateOutput(0, out_, dims.ToShape());
    if (output.elements() == 0) return;
    Require(x.rank() <= kMaxDimensions, "a tensor of rank ", x.rank(), " is not searched; the limit is ",
            kMaxDimensions);  // T9
    VisitType(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_arithmetic_v<T>)
        max_ ? RunAs<true, T>(context.pool(), x, axis, output) : RunAs<false, T>(context.pool(), x, axis, output);
    });
  }

 private:
  template <bool max, class T>
  void RunAs(ThreadPool& pool, const Tensor& x, int axis, Tensor& output) const {
    const int64_t n = x.dim(axis), inner = ElementsIn(x.shape(), axis + 1, x.rank());
    const T* from = x.data<T>().data();
    columns.Chosen(inner > 1);
    pool.ParallelFor(output.elements() / inner, GrainFor(n * inner), [&](int64_t begin, int64_t end) {
      std::vector<int64_t> places(static_cast<size_t>(inner));
      for (int64_t outer = begin; outer < end; ++outer) {
        FindPlaces<max, T>(from + outer * n * inner, n, inner, places.data());
        for (int64_t j = 0; j < inner; ++j) Store(output, outer * inner + j, places[static_cast<size_t>(j)]);
      }
    });
  }

  static void Store(Tensor& output, int64_t i, int64_t place) {
    switch (output.dtype()) {
      case DType::kInt64:
        static_cast<int64_t*>(output.mutable_raw())[i] = place;
        return;
      case DType::kInt32:
        static_cast<int32_t*>(output.mutable_raw())[i] = static_cast<int32_t>(place);
        return;
      default:  // int16 and uint16
        static_cast<uint16_t*>(output.mutable_raw())[i] = static_cast<uint16_t>(place);
    }
  }

  DType out_;
  bool max_;
};

constexpr KernelRow kRows[] = {
    {"ArgMax", Make<ArgReducer>},
    {"ArgMin", Make<ArgReducer>},
};

}  // namespace

std::span<const KernelRow> ReductionArg() { return kRows; }

}  // namespace plumb::fast::cpu
