// The reduction family: one row per op. Folds are in reduce*.cc, the other kernels in the files reduction_*.cc.
#include <algorithm>
#include <complex>
#include <cstring>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/reduce.h"
#include "fastpath/cpu/reduction_kernels.h"

namespace plumb::fast::cpu {
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
      sum = count == 0 ? T(0) : sum / static_cast<typename T::value_type>(count);
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

// N19: −0 becomes +0; nothing else changes.
void AddPositiveZero(Tensor& sums) {
  VisitType(sums.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_floating_point_v<T> || requires(T value) { value.real(); }) {
      for (T& sum : sums.mutable_data<T>()) sum += T(0);
    }
  });
}

// `x` with elements of type To, which keep the low bits.
template <class To>
Tensor Converted(const Tensor& x) {
  Tensor converted = Allocate(DTypeOf<To>, x.shape());
  VisitType(x.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_integral_v<T>) {
      std::transform(x.data<T>().begin(), x.data<T>().end(), converted.mutable_data<To>().begin(),
                     [](T value) { return static_cast<To>(value); });
    }
  });
  return converted;
}

// N17: integers are added up in 64 bits for their mean.
DType SumTypeOfMean(DType type) {
  if (!IsInteger(type)) return type;
  return VisitType(
      type, [](auto tag) { return std::is_signed_v<typename decltype(tag)::Type> ? DType::kInt64 : DType::kUint64; });
}

class Reducer final : public Kernel {
 public:
  explicit Reducer(const Node& node)
      : type_(InputType(node, 0)),
        keep_dims_(GetAttrOr<bool>(node.attrs, "keep_dims", false)),
        is_mean_(node.IsOp("Mean")),
        is_sum_(is_mean_ || node.IsOp("Sum")),
        sum_type_(is_mean_ ? SumTypeOfMean(type_) : type_),
        reduction_(FindReduction(is_mean_ ? "Sum" : node.op->name, sum_type_)) {
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
    Tensor result = Reduce(context.pool(), reduction_, Summands(x), reduced);
    if (is_sum_) AddPositiveZero(result);
    if (is_mean_) Divide(result, folded);
    if (sum_type_ != type_) {
      context.SetOutput(0, Narrowed(result).Reshaped(shape));
    } else if (result.dtype() == type_) {
      context.SetOutput(0, result.Reshaped(shape));
    } else {
      RoundInto(context.pool(), result, context.AllocateOutput(0, type_, shape));
    }
  }

 private:
  Tensor Summands(const Tensor& x) const {
    if (sum_type_ == type_) return x;
    return sum_type_ == DType::kInt64 ? Converted<int64_t>(x) : Converted<uint64_t>(x);
  }
  Tensor Narrowed(const Tensor& result) const {
    return VisitType(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_integral_v<T>) return Converted<T>(result);
      return result;
    });
  }

  DType type_;
  bool keep_dims_;
  bool is_mean_;
  bool is_sum_;
  DType sum_type_;
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

}  // namespace plumb::fast::cpu
