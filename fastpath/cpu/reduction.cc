// The reduction family: one row per op. Folds are in reduce*.cc, the other kernels in the files reduction_*.cc.
#include <complex>
#include <cstring>

#include "fastpath/cpu/half_convert.h"
#include "fastpath/cpu/parallel.h"
#include "fastpath/cpu/reduce.h"
#include "fastpath/cpu/reduction_kernels.h"

namespace plumb::fast {
namespace {

template <class T>
void DivideAll(Tensor& sums, double count) {
  for (T& sum : sums.mutable_data<T>()) {
    if constexpr (std::is_integral_v<T>) {
      // Facts 11 leave the integer mean of nothing open; it is 0 here.
      sum = count == 0 ? T(0) : static_cast<T>(sum / static_cast<int64_t>(count));
    } else if constexpr (std::is_floating_point_v<T>) {
      sum /= static_cast<T>(count);
    } else {
      sum /= static_cast<typename T::value_type>(count);
    }
  }
}

void Divide(Tensor& sums, double count) {
  VisitType(sums.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) DivideAll<T>(sums, count);
    if constexpr (requires(T value) { value.real(); }) DivideAll<T>(sums, count);
  });
}

class Reducer final : public Kernel {
 public:
  explicit Reducer(const Node& node)
      : type_(InputType(node, 0)),
        keep_dims_(GetAttrOr<bool>(node.attrs, "keep_dims", false)),
        is_mean_(node.IsOp("Mean")),
        reduction_(FindReduction(is_mean_ ? "Sum" : node.op->name, type_)) {
    if (!reduction_) ThrowNoKernel(node);
  }

  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    const std::vector<bool> reduced = MarkAxes(context.input(1), x.rank());
    Dims dims;
    double folded = 1;  // how many values each result is made of
    for (int axis = 0; axis < x.rank(); ++axis) {
      const bool is_reduced = reduced[static_cast<size_t>(axis)];
      if (is_reduced) folded *= static_cast<double>(x.dim(axis));
      if (!is_reduced || keep_dims_) dims.Append(is_reduced ? 1 : x.dim(axis));
    }
    const Shape shape = dims.ToShape();
    if (x.elements() > 0 && folded == 1) {
      context.SetOutput(0, x.Reshaped(shape));
      return;
    }
    Tensor result = Reduce(context.pool(), reduction_, x, reduced);
    if (is_mean_) Divide(result, folded);
    if (result.dtype() == type_) {
      context.SetOutput(0, result.Reshaped(shape));
    } else {
      RoundInto(context.pool(), result, context.AllocateOutput(0, type_, shape));
    }
  }

 private:
  DType type_;
  bool keep_dims_;
  bool is_mean_;
  Reduction reduction_;
};

}  // namespace

std::span<const KernelRow> CpuReductionKernels() {
  static const KernelRow rows[] = {
      {"Sum", Make<Reducer>}, {"Mean", Make<Reducer>},    {"Prod", Make<Reducer>},
      {"Max", Make<Reducer>}, {"Min", Make<Reducer>},     {"All", Make<Reducer>},
      {"Any", Make<Reducer>}, {"ArgMax", MakeArgReducer}, {"ArgMin", MakeArgReducer},
      {"TopKV2", MakeTopK},   {"InTopK", MakeInTopK},     {"UnsortedSegmentSum", MakeUnsortedSegmentSum},
  };
  return rows;
}

}  // namespace plumb::fast
