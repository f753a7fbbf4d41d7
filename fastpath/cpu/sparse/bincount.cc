// SparseBincount and RaggedBincount: weights added to the bins of rows.
#include <type_traits>

#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

using WeightTypes = Types<int32_t, int64_t, float, double>;

// Calls f(i, number i) in the order of the numbers.
template <class F>
void ForEachNumber(const Tensor& numbers, const F& f) {
  VisitOneOf(IndexTypes(), numbers.dtype(), false, [&](auto tag) {
    using Index = typename decltype(tag)::Type;
    const Index* const number = numbers.data<Index>().data();
    for (int64_t i = 0; i < numbers.elements(); ++i) f(i, static_cast<int64_t>(number[i]));
    return true;
  });
}

class Bincount : public Kernel {
 public:
  explicit Bincount(const Node& node)
      : type_(OutputType(node, 0)), is_binary_(GetAttr<bool>(node.attrs, "binary_output")) {}

 protected:
  static int64_t SizeOf(const Tensor& size) {
    Require(size.rank() == 0, "size must be a scalar, not of shape ", size.shape().ToString());
    Require(IntAt(size, 0) >= 0, "size is ", IntAt(size, 0), ", but must not be negative");
    return IntAt(size, 0);
  }

  // Adds the weights of all values to their bins; row_of(i) is the row of value i.
  template <class RowOf>
  void Count(KernelContext& context, const Shape& shape, const Tensor& values, const Tensor& weights,
             const RowOf& row_of) const {
    Require(weights.elements() == 0 || weights.shape() == values.shape(), "weights of shape ",
            weights.shape().ToString(), " do not fit values of shape ", values.shape().ToString());
    const int64_t size = shape[shape.rank() - 1];
    Tensor& output = context.AllocateOutput(0, type_, shape);
    FillZero(context.pool(), output);
    VisitOneOf(WeightTypes(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const weight = weights.elements() == 0 ? nullptr : weights.data<T>().data();
      T* const bins = output.mutable_data<T>().data();
      ForEachNumber(values, [&](int64_t i, int64_t bin) {
        if (bin < 0) throw InvalidArgument("value ", i, " is ", bin, ", but must not be negative");
        if (bin >= size) return;
        T& sum = bins[row_of(i) * size + bin];
        sum = is_binary_ ? T(1) : Sum(sum, weight == nullptr ? T(1) : weight[i]);
      });
      return true;
    });
  }

 private:
  // Whole numbers wrap around.
  template <class T>
  static T Sum(T x, T y) {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
    if constexpr (!std::is_integral_v<T>) return x + y;
  }

  const DType type_;
  const bool is_binary_;
};

class SparseBincount final : public Bincount {
 public:
  using Bincount::Bincount;
  void Run(KernelContext& context) override {
    const SparseView view = SparseInput(context, 0);
    const Shape shape = view.dims.ToShape();
    const int64_t size = SizeOf(context.input(3));
    Require(shape.rank() >= 1, "the sparse tensor must have a dimension");
    CheckBounds(view.rows, view.dims);
    if (shape.rank() == 1) {
      return Count(context, Shape({size}), *view.values, context.input(4), [](int64_t) { return int64_t{0}; });
    }
    ForEachNumber(*view.values, [size](int64_t i, int64_t number) {
      Require(number < size, "value ", i, " is ", number, ", but must be below ", size);
    });
    Count(context, Shape({shape[0], size}), *view.values, context.input(4),
          [&view](int64_t i) { return view.rows[i][0]; });
  }
};

class RaggedBincount final : public Bincount {
 public:
  using Bincount::Bincount;
  void Run(KernelContext& context) override {
    const Tensor &splits = context.input(0), &values = context.input(1);
    Require(splits.elements() > 0, "splits must not be empty, but are of shape ", splits.shape().ToString());
    const int64_t size = SizeOf(context.input(2)), rows = splits.elements() - 1;
    Require(IntAt(splits, 0) == 0 && IntAt(splits, rows) == values.elements(), "splits run from ", IntAt(splits, 0),
            " to ", IntAt(splits, rows), ", but must run from 0 to ", values.elements());
    std::vector<int64_t> row(static_cast<size_t>(values.elements()));
    int64_t next = 0;
    for (int64_t i = 0; i < values.elements(); ++i) {
      while (i >= IntAt(splits, next)) ++next;
      row[static_cast<size_t>(i)] = next - 1;
    }
    Count(context, Shape({rows, size}), values, context.input(3),
          [&row](int64_t i) { return row[static_cast<size_t>(i)]; });
  }
};

constexpr KernelRow kRows[] = {
    {"SparseBincount", Make<SparseBincount>},
    {"RaggedBincount", Make<RaggedBincount>},
};

}  // namespace

std::span<const KernelRow> SparseBincount() { return kRows; }

}  // namespace plumb::fast::cpu
