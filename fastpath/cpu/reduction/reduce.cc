// Folds over any axes. What folds is in ../lib/reduction/reduce.h.
#include "fastpath/cpu/lib/reduction/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
void DivideAll(Tensor& sums, double count) {
  for (T& sum : sums.mutable_data<T>()) {
    if constexpr (std::is_integral_v<T>) {
      // N14.
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
  Reducer(const Node& node, Fold fold, bool is_mean)
      : type_(InputType(node, 0)),
        keep_dims_(GetAttrOr<bool>(node.attrs, "keep_dims", false)),
        is_mean_(is_mean),
        is_sum_(fold == Fold::kSum),
        sum_type_(is_mean_ ? SumTypeOfMean(type_) : type_),
        reduction_(FindReduction(fold, sum_type_)) {}

  bool KeepsAliases() const override { return true; }
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
    if (x.elements() > 0 && folded == 1) return context.SetOutput(0, x.Reshaped(shape));  // R31
    context.CopyGuarded(0);
    Tensor result = Reduce(context.pool(), reduction_, Summands(x), reduced);
    if (is_sum_) AddPositiveZero(result);
    if (is_mean_) Divide(result, folded);
    if (sum_type_ != type_) {
      context.SetOutput(0, Narrowed(result).Reshaped(shape));
    } else {
      context.SetOutput(0, RoundedTo(context.pool(), type_, result.Reshaped(shape)));
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

// The square root of a sum of squares. A negative sum of integers that wrapped around has none: the smallest int32
// stands for it, or int64, cut to the width.
template <class T>
T RootOf(T sum) {
  if constexpr (std::is_integral_v<T>) {
    using Wide = std::conditional_t<std::is_same_v<T, int64_t>, int64_t, int32_t>;
    if (sum < T(0)) return static_cast<T>(std::numeric_limits<Wide>::min());
    return static_cast<T>(std::sqrt(static_cast<double>(sum)));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::sqrt(sum);
  } else {
    return T(std::sqrt(sum.real()));
  }
}
template <class T>
T SquareOf(T x) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(x));
  if constexpr (std::is_floating_point_v<T>) return x * x;
  if constexpr (requires { x.real(); }) return T(x.real() * x.real() + x.imag() * x.imag());
}

class EuclideanNorm final : public Kernel {
 public:
  explicit EuclideanNorm(const Node& node)
      : type_(InputType(node, 0)),
        keep_dims_(GetAttrOr<bool>(node.attrs, "keep_dims", false)),
        sums_(FindReduction(Fold::kSum, type_)) {}

  void Run(KernelContext& context) override {
    const Tensor& x = context.input(0);
    const std::vector<bool> reduced = MarkAxes(context.input(1), x.rank());
    Dims dims;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const bool is_reduced = reduced[static_cast<size_t>(axis)];
      if (!is_reduced || keep_dims_) dims.Append(is_reduced ? 1 : x.dim(axis));
    }
    const Tensor sums = Reduce(context.pool(), sums_, Squares(context.pool(), x), reduced);
    Tensor roots = Allocate(sums.dtype(), dims.ToShape());
    Each(context.pool(), sums, roots, [](auto sum) { return RootOf(sum); });
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(roots)));
  }

 private:
  // to[i] = f(from[i]), for tensors of one type.
  template <class F>
  static void Each(ThreadPool& pool, const Tensor& from, Tensor& to, F f) {
    VisitType(from.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr ((std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || requires(T value) { value.real(); }) {
        const T* const x = from.data<T>().data();
        T* const y = to.mutable_data<T>().data();
        pool.ParallelFor(from.elements(), GrainFor(1),
                         [&](int64_t begin, int64_t end) { std::transform(x + begin, x + end, y + begin, f); });
      }
    });
  }
  static Tensor Squares(ThreadPool& pool, const Tensor& x) {
    const bool is_narrow = x.dtype() == DType::kHalf || x.dtype() == DType::kBfloat16;
    const Tensor wide = is_narrow ? AsFloat(pool, x) : x;
    Tensor squares = Allocate(wide.dtype(), x.shape());
    Each(pool, wide, squares, [](auto value) { return SquareOf(value); });
    return squares;
  }

  DType type_;
  bool keep_dims_;
  Reduction sums_;
};

template <Fold fold>
std::unique_ptr<Kernel> MakeFold(const Node& node) {
  return std::make_unique<Reducer>(node, fold, false);
}
std::unique_ptr<Kernel> MakeMean(const Node& node) { return std::make_unique<Reducer>(node, Fold::kSum, true); }

constexpr KernelRow kRows[] = {
    {"Sum", MakeFold<Fold::kSum>},      {"Mean", MakeMean},
    {"Prod", MakeFold<Fold::kProduct>}, {"Max", MakeFold<Fold::kMax>},
    {"Min", MakeFold<Fold::kMin>},      {"All", MakeFold<Fold::kAll>},
    {"Any", MakeFold<Fold::kAny>},      {"EuclideanNorm", Make<EuclideanNorm>},
};

}  // namespace

std::span<const KernelRow> ReductionReduce() { return kRows; }

}  // namespace plumb::fast::cpu
