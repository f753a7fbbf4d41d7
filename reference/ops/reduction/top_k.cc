// The largest elements of each row.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

// The largest k of a row, in falling order; of equals the earlier one first, and NaN last.
template <class N>
std::vector<int64_t> LargestOf(const Array<N>& x, int64_t row, int64_t size, int64_t k) {
  std::vector<int64_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int64_t i, int64_t j) {
    const N &a = x[row * size + i], &b = x[row * size + j];
    return a > b || (IsNan(b) && !IsNan(a));
  };
  std::stable_sort(order.begin(), order.end(), before);
  order.resize(k);
  return order;
}

// The same k in no particular order: the one that TensorFlow's heap leaves them in. It keeps the best so far, the
// least of them in front.
template <class N>
std::vector<int64_t> HeapOf(const Array<N>& x, int64_t row, int64_t size, int64_t k) {
  const auto better = [&](int64_t i, int64_t j) {
    const N &a = x[row * size + i], &b = x[row * size + j];
    return a > b || (!(b > a) && i < j);
  };
  std::vector<int64_t> heap;
  for (int64_t i = 0; i < size; ++i) {
    if (i > k) {
      if (!better(i, heap.front())) continue;
      std::pop_heap(heap.begin(), heap.end(), better);
      heap.back() = i;
      std::push_heap(heap.begin(), heap.end(), better);
      continue;
    }
    heap.push_back(i);
    if (i < k) continue;
    std::make_heap(heap.begin(), heap.end(), better);
    std::pop_heap(heap.begin(), heap.end(), better);
    heap.pop_back();
  }
  return heap;
}

void TopK(OpContext& context) {
  const Value& input = context.input(0);
  const Shape& shape = input.tensor.shape();
  const int64_t k = context.num_inputs() > 1 ? ScalarOf(context.tensor(1), "k") : context.attr<int64_t>("k");
  Require(k >= 0, "k must not be negative: ", k);
  Require(shape.rank() >= 1, "the input must have at least one dimension");
  const int last = shape.rank() - 1;
  const int64_t size = shape.dim(last);
  Require(k <= size, "the input has ", size, " columns, fewer than k = ", k);
  Require(size <= INT32_MAX, size, " columns are more than int32 counts");
  auto indices = MakeArray<Integer>(DType::kInt32, WithDim(shape, last, k));
  const int64_t rows = k == 0 ? 0 : indices.shape.elements() / k;
  const bool ordered = context.attr<bool>("sorted") || k <= 1 || k == size;
  std::vector<int64_t> positions;
  ForKind<Real, Integer>(input.tensor.dtype(), [&](auto kind) {
    const auto x = Load<typename decltype(kind)::Type>(input);
    for (int64_t row = 0; row < rows; ++row) {
      for (const int64_t i : ordered ? LargestOf(x, row, size, k) : HeapOf(x, row, size, k)) {
        indices[static_cast<int64_t>(positions.size())] = i;
        positions.push_back(row * size + i);
      }
    }
  });
  context.Output(0, Gathered(input, indices.shape, positions));
  context.Output(1, Store(indices));
}

// Whether fewer than k classes are predicted above the target. Nothing can be said of a target outside the classes or
// of predictions that are not finite.
void InTopK(OpContext& context) {
  const Tensor &predictions = context.tensor(0), &targets = context.tensor(1);
  Require(predictions.rank() == 2 && targets.rank() == 1 && predictions.dim(0) == targets.dim(0),
          "predictions must be a matrix with a row for each target, not of shape ", predictions.shape().ToString(),
          " for targets of shape ", targets.shape().ToString());
  const int64_t k = context.num_inputs() > 2 ? ScalarOf(context.tensor(2), "k") : Int32Attr(context.node, "k");
  const int64_t classes = predictions.dim(1);
  const auto score = predictions.data<float>();
  const auto target = IntegersOf(targets, "targets");
  Tensor result(DType::kBool, targets.shape());
  for (size_t row = 0; row < target.size(); ++row) {
    const auto scores = score.subspan(row * classes, classes);
    bool known = 0 <= target[row] && target[row] < classes;
    int64_t above = 0;
    for (size_t i = 0; known && i < scores.size(); ++i) {
      known = std::isfinite(scores[i]);
      above += scores[i] > scores[target[row]];
    }
    result.mutable_data<bool>()[row] = known && above < k;
  }
  context.Output(0, std::move(result));
}

constexpr KernelRow kRows[] = {
    {"TopK", TopK},
    {"TopKV2", TopK},
    {"InTopK", InTopK},
    {"InTopKV2", InTopK},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionTopK() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
