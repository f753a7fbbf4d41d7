// SparseAdd, its gradient, and SparseTensorDenseAdd: elements in row-major order are merged; those of a dense sum are
// added where they belong.
#include <cmath>
#include <complex>
#include <cstdlib>
#include <type_traits>

#include "fastpath/cpu/lib/coordinates.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

using AddedTypes = decltype(Types<float, double, int8_t, int16_t, int32_t, int64_t>() + ComplexTypes());

template <class T, class Limit>
bool ReachesAs(const T& sum, const Limit& limit) {
  if constexpr (std::is_integral_v<Limit> && std::is_integral_v<T>) {
    const auto size = static_cast<__int128>(sum);
    return static_cast<__int128>(limit) <= (size < 0 ? -size : size);
  } else if constexpr (!std::is_arithmetic_v<Limit> && !kIsFloat16<Limit>) {
    return false;
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<double>(limit) <= std::fabs(static_cast<double>(sum));
  } else {
    return static_cast<double>(limit) <= static_cast<double>(std::abs(sum));
  }
}

// Whether |sum| is not below the threshold, a scalar of any real type.
template <class T>
bool Reaches(const T& sum, const Tensor& threshold) {
  return VisitType(threshold.dtype(),
                   [&](auto tag) { return ReachesAs(sum, threshold.data<typename decltype(tag)::Type>()[0]); });
}

// Of two elements: which comes first in row-major order, −1 the first, 1 the second, or 0 neither.
int Order(const int64_t* a, const int64_t* b, int rank) {
  for (int axis = 0; axis < rank; ++axis) {
    if (a[axis] != b[axis]) return a[axis] < b[axis] ? -1 : 1;
  }
  return 0;
}

class Add final : public Kernel {
 public:
  explicit Add(const Node& node) : type_(OutputType(node, 1)) {}

  void Run(KernelContext& context) override {
    const SparseView a = SparseInput(context, 0), b = SparseInput(context, 3);
    Require(a.dims.rank == b.dims.rank && std::equal(a.dims.size, a.dims.size + a.dims.rank, b.dims.size),
            "the operands must have one shape");
    Require(a.dims.rank > 0, "the operands must have at least one dimension");
    Require(context.input(6).rank() == 0, "thresh must be a scalar");
    VisitOneOf(AddedTypes(), type_, false, [&](auto tag) {
      Merge<typename decltype(tag)::Type>(context, a, b);
      return true;
    });
    SetDims(context, 2, a.dims);
  }

 private:
  template <class T>
  void Merge(KernelContext& context, const SparseView& a, const SparseView& b) const {
    const T *x = a.values->data<T>().data(), *y = b.values->data<T>().data();
    std::vector<const int64_t*> rows;
    std::vector<T> sums;
    int64_t i = 0, j = 0;
    while (i < a.rows.count || j < b.rows.count) {
      const int order = j == b.rows.count ? -1 : i == a.rows.count ? 1 : Order(a.rows[i], b.rows[j], a.dims.rank);
      const int64_t* const row = order <= 0 ? a.rows[i] : b.rows[j];
      const T sum = order < 0 ? x[i] : order > 0 ? y[j] : Sum(x[i], y[j]);
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
      if (order == 0 && !Reaches(sum, context.input(6))) continue;
      rows.push_back(row);
      sums.push_back(sum);
    }
    const auto count = static_cast<int64_t>(rows.size());
    int64_t* at = AllocateRows(context, 0, count, a.dims.rank);
    for (const int64_t* const row : rows) at = std::copy(row, row + a.dims.rank, at);
    std::copy(sums.begin(), sums.end(),
              context.AllocateOutput(1, type_, Shape({count})).template mutable_data<T>().data());
  }

  // Whole numbers wrap around.
  template <class T>
  static T Sum(T x, T y) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
    if constexpr (!std::is_integral_v<T>) return x + y;
  }

  const DType type_;
};

class AddGrad final : public Kernel {
 public:
  explicit AddGrad(const Node& node) : type_(InputType(node, 0)) {}
  void Run(KernelContext& context) override {
    const Tensor& grad = context.input(0);
    const IndexRows a = IndexRowsOf(context.input(1)), b = IndexRowsOf(context.input(2));
    const IndexRows sum = IndexRowsOf(context.input(3));
    Require(grad.rank() == 1 && grad.dim(0) == sum.count, "there are ", sum.count, " sums, but gradients of shape ",
            grad.shape().ToString());
    Require(a.rank == b.rank && a.rank == sum.rank, "the coordinates are ", a.rank, ", ", b.rank, " and ", sum.rank,
            " for each element, but must be as many");
    Tensor &grad_a = Zeros(context, 0, a.count), &grad_b = Zeros(context, 1, b.count);
    VisitWord(type_, [&](auto tag) {
      using Word = typename decltype(tag)::Type;
      Share(a, b, sum, static_cast<const Word*>(grad.raw()), static_cast<Word*>(grad_a.mutable_raw()),
            static_cast<Word*>(grad_b.mutable_raw()));
    });
  }

 private:
  Tensor& Zeros(KernelContext& context, int output, int64_t count) const {
    Tensor& zeros = context.AllocateOutput(output, type_, Shape({count}));
    FillZero(context.pool(), zeros);
    return zeros;
  }

  // A merge of all three lists, which go on as far as their order lets them.
  template <class Word>
  static void Share(const IndexRows a, const IndexRows b, const IndexRows sum, const Word* from, Word* to_a,
                    Word* to_b) {
    int64_t i = 0, j = 0;
    for (int64_t k = 0; k < sum.count && (i < a.count || j < b.count);) {
      const bool waits_for_a = i < a.count && Take(sum[k], from[k], a, i, to_a);
      const bool waits_for_b = j < b.count && Take(sum[k], from[k], b, j, to_b);
      if (!waits_for_a && !waits_for_b) ++k;
    }
  }

  // Goes past the element that `next` is at unless it lies behind the sum, whose gradient it takes where it is the
  // same. Whether it lies before the sum.
  template <class Word>
  static bool Take(const int64_t* sum, const Word& gradient, const IndexRows& at, int64_t& next, Word* to) {
    const int order = Order(at[next], sum, at.rank);
    if (order == 0) to[next] = gradient;
    if (order <= 0) ++next;
    return order < 0;
  }

  const DType type_;
};

class TensorDenseAdd final : public Kernel {
 public:
  using Summed = decltype(IntegerTypes() + ComplexTypes() + Types<float, double>());
  explicit TensorDenseAdd(const Node& node) : type_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Tensor &indices = context.input(0), &values = context.input(1), &shape = context.input(2);
    const Tensor& b = context.input(3);
    Require(indices.rank() == 2 && values.rank() == 1 && values.dim(0) == indices.dim(0), "indices of shape ",
            indices.shape().ToString(), " and values of shape ", values.shape().ToString(), " do not fit");
    const Dims dims = DimsOf(shape, "a_shape");
    Require(dims.rank == indices.dim(1) && dims.rank == b.rank() &&
                std::equal(dims.size, dims.size + dims.rank, b.shape().dims().begin()),
            "the sparse tensor must have the shape ", b.shape().ToString(), " of the dense one");
    Require(b.rank() >= 1 && b.rank() <= 5, "there must be 1 to 5 dimensions, not ", b.rank());
    const std::vector<int64_t> places = PlacesOf(indices, indices.dim(0), b.shape(), b.rank());
    const Tensor more = AsFloat(context.pool(), values);
    Tensor sum = Allocate(ComputeType(type_), b.shape());
    const Tensor start = AsFloat(context.pool(), b);
    CopyRun(sum.dtype(), start.raw(), 0, sum.mutable_raw(), 0, b.elements());
    VisitOneOf(Summed(), sum.dtype(), false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const x = more.data<T>().data();
      T* const y = sum.mutable_data<T>().data();
      for (size_t i = 0; i < places.size(); ++i) y[places[i]] = static_cast<T>(y[places[i]] + x[i]);
      return true;
    });
    context.SetOutput(0, RoundedTo(context.pool(), type_, std::move(sum)));
  }

 private:
  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SparseAdd", Make<Add>},
    {"SparseAddGrad", Make<AddGrad>},
    {"SparseTensorDenseAdd", Make<TensorDenseAdd>},
};

}  // namespace

std::span<const KernelRow> SparseAdd() { return kRows; }

}  // namespace plumb::fast::cpu
