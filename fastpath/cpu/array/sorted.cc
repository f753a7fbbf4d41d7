// LowerBound, UpperBound and NthElement.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

using OrderedTypes = decltype(IntegerTypes() + FloatTypes());

// 16-bit floats are compared as float32.
template <class T>
auto Comparable(const T& value) {
  if constexpr (kIsFloat16<T>) {
    return static_cast<float>(value);
  } else {
    return value;
  }
}

class Bound final : public Kernel {
 public:
  Bound(const Node& node, bool upper) : type_(InputType(node, 0)), out_type_(OutputType(node, 0)), upper_(upper) {}
  void Run(KernelContext& context) override {
    const Tensor &sorted = context.input(0), &values = context.input(1);
    Require(sorted.rank() == 2 && values.rank() == 2 && sorted.dim(0) == values.dim(0),
            "sorted_inputs and values must be matrices of as many rows, not of shapes ", sorted.shape().ToString(),
            " and ", values.shape().ToString());
    Tensor& output = context.AllocateOutput(0, out_type_, values.shape());
    if (output.elements() == 0) return;
    VisitOneOf(OrderedTypes(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if (out_type_ == DType::kInt32) {
        Find<T, int32_t>(context.pool(), sorted, values, output);
      } else {
        Find<T, int64_t>(context.pool(), sorted, values, output);
      }
      return true;
    });
  }

 private:
  template <class T, class Out>
  void Find(ThreadPool& pool, const Tensor& sorted, const Tensor& values, Tensor& output) const {
    const T *const rows = static_cast<const T*>(sorted.raw()), *const wanted = static_cast<const T*>(values.raw());
    Out* const to = static_cast<Out*>(output.mutable_raw());
    const int64_t length = sorted.dim(1), width = values.dim(1);
    const auto less = [](const T& a, const T& b) { return Comparable(a) < Comparable(b); };
    pool.ParallelFor(values.elements(), GrainFor(64), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T *const row = rows + i / width * length, *const row_end = row + length;
        const T* const place =
            upper_ ? std::upper_bound(row, row_end, wanted[i], less) : std::lower_bound(row, row_end, wanted[i], less);
        to[i] = static_cast<Out>(place - row);
      }
    });
  }

  DType type_;
  DType out_type_;
  bool upper_;
};

class NthElement final : public Kernel {
 public:
  explicit NthElement(const Node& node)
      : type_(InputType(node, 0)), reverse_(GetAttrOr<bool>(node.attrs, "reverse", false)) {}
  void Run(KernelContext& context) override {
    const Tensor &x = context.input(0), &n = context.input(1);
    Require(n.rank() == 0, "n must be a scalar, not of shape ", n.shape().ToString());
    Require(x.rank() >= 1, "the input must have at least one dimension");
    const int64_t size = x.dim(x.rank() - 1), wanted = IntAt(n, 0);
    Require(wanted >= 0 && wanted < size, "n = ", wanted, " is not in [0, ", size, ")");
    const int64_t place = reverse_ ? size - 1 - wanted : wanted;
    Dims dims;
    for (int axis = 0; axis + 1 < x.rank(); ++axis) dims.Append(x.dim(axis));
    Tensor& output = context.AllocateOutput(0, type_, dims.ToShape());
    VisitOneOf(OrderedTypes(), type_, false, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* const from = static_cast<const T*>(x.raw());
      T* const to = static_cast<T*>(output.mutable_raw());
      context.pool().ParallelFor(output.elements(), GrainFor(8 * size), [&](int64_t begin, int64_t end) {
        std::vector<T> row(static_cast<size_t>(size));
        for (int64_t i = begin; i < end; ++i) {
          std::copy_n(from + i * size, size, row.begin());
          std::nth_element(row.begin(), row.begin() + place, row.end(),
                           [](const T& a, const T& b) { return IsBefore(Comparable(a), Comparable(b)); });
          to[i] = row[static_cast<size_t>(place)];
        }
      });
      return true;
    });
  }

 private:
  // NaN, which has no place, goes behind the numbers.
  template <class T>
  static bool IsBefore(T a, T b) {
    return !(b <= a) && a == a;
  }

  DType type_;
  bool reverse_;
};

constexpr KernelRow kRows[] = {
    {"LowerBound", MakeWith<Bound, false>},
    {"UpperBound", MakeWith<Bound, true>},
    {"NthElement", Make<NthElement>},
};

}  // namespace

std::span<const KernelRow> ArraySorted() { return kRows; }

}  // namespace plumb::fast::cpu
