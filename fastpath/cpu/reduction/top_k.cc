// TopK, TopKV2 and InTopK: the greatest entries of each row.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/parallel.h"
#include "fastpath/device/kernel.h"
#include "spec/graph/int32_attr.h"

namespace plumb::fast::cpu {
namespace {

// The order of places in a row: greater values first, of equal ones the earlier place.
template <class T>
struct Before {
  const T* row;
  bool operator()(int32_t a, int32_t b) const { return row[a] > row[b] || (!(row[b] > row[a]) && a < b); }
};

// NaN would make that no order at all: it counts as the least value.
template <class T>
requires std::is_floating_point_v<T>
struct Before<T> {
  const T* row;
  bool operator()(int32_t a, int32_t b) const {
    const bool a_nan = std::isnan(row[a]), b_nan = std::isnan(row[b]);
    if (a_nan || b_nan) return a_nan == b_nan ? a < b : b_nan;
    return row[a] > row[b] || (row[a] == row[b] && a < b);
  }
};

// The k first places of `order` in the order in which TensorFlow leaves them unsorted: a heap with the last of them on
// top, into which better places are exchanged one by one. 1 < k < order.size().
template <class T>
void LeaveAsHeap(std::vector<int32_t>& order, int64_t k, const Before<T>& before) {
  const auto begin = order.begin(), end = begin + k;
  std::make_heap(begin, end + 1, before);
  std::pop_heap(begin, end + 1, before);
  for (auto next = end + 1; next != order.end(); ++next) {
    if (!before(*next, *begin)) continue;
    std::pop_heap(begin, end, before);
    *(end - 1) = *next;
    std::push_heap(begin, end, before);
  }
}

// What is given as a scalar.
int64_t Given(const Tensor& k) {
  Require(k.rank() == 0, "k must be a scalar, not of shape ", k.shape().ToString());
  return IntAt(k, 0);
}

constinit ChoicePoint some("the greatest of a row: one or all, or some");

class TopK final : public Kernel {
 public:
  explicit TopK(const Node& node)
      : type_(InputType(node, 0)),
        sorted_(GetAttrOr<bool>(node.attrs, "sorted", true)),
        k_(GetAttrOr<int64_t>(node.attrs, "k", 0)) {}

  void Run(KernelContext& context) override {
    const Tensor& input = context.input(0);
    const int64_t k = context.num_inputs() > 1 ? Given(context.input(1)) : k_;
    Require(k >= 0, "k must not be negative, and is ", k);
    Require(input.rank() >= 1, "the input must have at least one dimension");
    const int64_t columns = input.dim(input.rank() - 1);
    Require(columns >= k, "the input must have at least k = ", k, " columns, and has ", columns);
    Require(columns <= INT32_MAX, "rows of ", columns, " entries are too long for int32 indices");
    Dims dims(input.shape());
    dims[input.rank() - 1] = k;
    const Shape shape = dims.ToShape();
    Tensor& values = context.AllocateOutput(0, type_, shape);
    Tensor& indices = context.AllocateOutput(1, DType::kInt32, shape);
    if (shape.elements() == 0) return;
    const Tensor x = AsFloat(context.pool(), input);
    VisitType(x.dtype(), [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (std::is_arithmetic_v<T>) SortRows<T>(context.pool(), x, k, indices);
    });
    PickValues(input, indices, k, values);
  }

 private:
  template <class T>
  void SortRows(ThreadPool& pool, const Tensor& x, int64_t k, Tensor& indices) const {
    const int64_t columns = x.dim(x.rank() - 1);
    int32_t* out = indices.mutable_data<int32_t>().data();
    const bool is_some = some.Chosen(k > 1 && k < columns);
    pool.ParallelFor(x.elements() / columns, GrainFor(4 * columns), [&](int64_t begin, int64_t end) {
      std::vector<int32_t> order(static_cast<size_t>(columns));
      for (int64_t row = begin; row < end; ++row) {
        std::iota(order.begin(), order.end(), 0);
        const Before<T> before{x.data<T>().data() + row * columns};
        if (!sorted_ && is_some) {
          LeaveAsHeap(order, k, before);
          std::copy_n(order.begin(), k, out + row * k);
          continue;
        }
        std::nth_element(order.begin(), order.begin() + std::min(k, columns - 1), order.end(), before);
        std::sort(order.begin(), order.begin() + k, before);
        std::copy_n(order.begin(), k, out + row * k);
      }
    });
  }

  void PickValues(const Tensor& input, const Tensor& indices, int64_t k, Tensor& values) const {
    const int64_t columns = input.dim(input.rank() - 1);
    const int32_t* place = indices.data<int32_t>().data();
    VisitType(type_, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      const T* from = input.data<T>().data();
      T* to = values.mutable_data<T>().data();
      for (int64_t i = 0; i < values.elements(); ++i) to[i] = from[i / k * columns + place[i]];
    });
  }

  DType type_;
  bool sorted_;
  int64_t k_;  // of TopK, where it is an attribute
};

// Whether fewer than k predictions of the row are greater than the target's. A target out of range, or a prediction
// that is not finite at it, is not in the top k.
class InTopK final : public Kernel {
 public:
  explicit InTopK(const Node& node) : k_(Int32Attr(node, "k")) {}
  void Run(KernelContext& context) override {
    const Tensor &predictions = context.input(0), &targets = context.input(1);
    Require(predictions.rank() == 2, "predictions must be a matrix, not of shape ", predictions.shape().ToString());
    Require(targets.rank() == 1 && targets.elements() == predictions.dim(0), "targets must hold ", predictions.dim(0),
            " classes, not have the shape ", targets.shape().ToString());
    const int64_t k = context.num_inputs() > 2 ? Given(context.input(2)) : k_, classes = predictions.dim(1);
    const float* row = predictions.data<float>().data();
    bool* out = context.AllocateOutput(0, DType::kBool, targets.shape()).mutable_data<bool>().data();
    for (int64_t i = 0; i < targets.elements(); ++i, row += classes) out[i] = IsIn(row, classes, IntAt(targets, i), k);
  }

 private:
  static bool IsIn(const float* row, int64_t classes, int64_t target, int64_t k) {
    if (target < 0 || target >= classes || !std::isfinite(row[target])) return false;
    int64_t greater = 0;
    for (int64_t i = 0; i < classes; ++i) {
      if (!std::isfinite(row[i])) return false;
      greater += row[i] > row[target];
    }
    return greater < k;
  }

  int64_t k_;
};

constexpr KernelRow kRows[] = {
    {"TopK", Make<TopK>},
    {"TopKV2", Make<TopK>},
    {"InTopK", Make<InTopK>},
    {"InTopKV2", Make<InTopK>},
};

}  // namespace

std::span<const KernelRow> ReductionTopK() { return kRows; }

}  // namespace plumb::fast::cpu
