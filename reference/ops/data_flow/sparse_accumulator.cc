// Accumulators of gradients that are given as rows and their indices (rule C5).
#include "reference/ops/lib/accumulator_handle.h"

namespace plumb::reference {
namespace {

void MakeSparse(OpContext& c) { MakeAccumulator(c, /*is_sparse=*/true); }

// What is known of the accumulator's dimension; -1: nothing.
int64_t Known(const PartialShape& shape, int axis) { return axis < shape.rank() ? shape.dim(axis) : -1; }

void CheckGivenShape(const PartialShape& shape, const Tensor& given) {
  Require(shape.rank() <= given.elements(), "the gradient's shape has ", given.elements(),
          " dimensions, fewer than the accumulator's shape ", shape.ToString());
  for (int axis = 0; axis < shape.rank(); ++axis) {
    Require(shape.dim(axis) < 0 || shape.dim(axis) == given.data<int64_t>()[static_cast<size_t>(axis)], "dimension ",
            axis, " of the gradient's shape is not that of ", shape.ToString());
  }
}

// Rows have one shape: that of the sum, or as far as the accumulator's says it.
void CheckRows(const Accumulator& accumulator, const Shape& values) {
  const PartialShape expected =
      accumulator.count() > 0 ? PartialShape(accumulator.sum().tensor.shape()) : accumulator.shape;
  const bool has_rank = accumulator.count() > 0 ? expected.rank() == values.rank() : expected.rank() <= values.rank();
  Require(has_rank, "values of shape ", values.ToString(), " do not fit ", expected.ToString());
  for (int axis = 1; axis < expected.rank(); ++axis) {
    Require(expected.dim(axis) < 0 || expected.dim(axis) == values.dim(axis), "values of shape ", values.ToString(),
            " do not fit ", expected.ToString());
  }
}

// C5, in this order.
void CheckGradient(const OpContext& c, const Accumulator& accumulator) {
  const Tensor &indices = c.tensor(2), &values = c.tensor(3);
  Require(indices.rank() == 1, "the indices are a vector, not of shape ", indices.shape().ToString());
  Require(values.rank() > 0, "the values have rows and are not a scalar");
  Require(values.dim(0) == indices.dim(0), "there are ", indices.dim(0), " indices for ", values.dim(0), " rows");
  if (c.attr<bool>("has_known_shape")) CheckGivenShape(accumulator.shape, c.tensor(4));
  for (const int64_t index : indices.data<int64_t>()) {
    Require(Known(accumulator.shape, 0) < 0 || index < accumulator.shape.dim(0), "the index ", index,
            " is beyond the accumulator's shape ", accumulator.shape.ToString());
  }
  CheckRows(accumulator, values.shape());
}

// Rows in the order of their indices, put together from two lists in that order; equal indices are added up.
class Merge {
 public:
  Merge(const Accumulator& accumulator, const Value& values)
      : row_(Subshape(values.tensor.shape(), 1, values.tensor.rank()).elements()),
        sum_(Load<Real>(accumulator.sum())),
        gradient_(Load<Real>(values)) {}

  void TakeSum(int64_t row, int64_t index, int64_t count) {
    Append(index, count, [&](int64_t i) { return sum_[row * row_ + i]; });
  }
  void TakeGradient(int64_t row, int64_t index) {
    Append(index, 1, [&](int64_t i) { return gradient_[row * row_ + i]; });
  }
  void TakeBoth(int64_t row, int64_t other, int64_t index, int64_t count) {
    Append(index, count + 1, [&](int64_t i) { return sum_[row * row_ + i] + gradient_[other * row_ + i]; });
  }

  void Finish(Accumulator& accumulator) {
    const Shape shape = WithDim(gradient_.shape, 0, std::ssize(indices_));
    accumulator.Update(Store(Array<Real>{gradient_.dtype, shape, std::move(merged_)}), std::move(indices_),
                       std::move(counts_));
  }

 private:
  template <class F>
  void Append(int64_t index, int64_t count, const F& element) {
    indices_.push_back(index);
    counts_.push_back(count);
    for (int64_t i = 0; i < row_; ++i) merged_.push_back(element(i));
  }

  const int64_t row_;
  const Array<Real> sum_, gradient_;
  std::vector<Real> merged_;
  std::vector<int64_t> indices_, counts_;
};

void AddRows(Accumulator& accumulator, std::span<const int64_t> new_indices, const Value& values) {
  ForKind<Real>(values.tensor.dtype(), [](auto) {});
  const std::vector<int64_t>&indices = accumulator.indices(), &counts = accumulator.row_counts();
  Merge merge(accumulator, values);
  size_t i = 0, j = 0;
  while (i < indices.size() || j < new_indices.size()) {
    if (j == new_indices.size() || (i < indices.size() && indices[i] < new_indices[j])) {
      merge.TakeSum(static_cast<int64_t>(i), indices[i], counts[i]);
      ++i;
    } else if (i == indices.size() || new_indices[j] < indices[i]) {
      merge.TakeGradient(static_cast<int64_t>(j), new_indices[j]);
      ++j;
    } else {
      merge.TakeBoth(static_cast<int64_t>(i), static_cast<int64_t>(j), indices[i], counts[i]);
      ++i;
      ++j;
    }
  }
  merge.Finish(accumulator);
}

void ApplyGradient(OpContext& c) {
  const auto accumulator = AccumulatorOf(c);
  RequireKind(*accumulator, c.tensor(3).dtype(), /*is_sparse=*/true);
  if (!IsWanted(c, *accumulator)) return;
  CheckGradient(c, *accumulator);
  const auto indices = c.tensor(2).data<int64_t>();
  if (accumulator->count() > 0) return AddRows(*accumulator, indices, c.input(3));
  accumulator->Update(Detached(c.input(3)), {indices.begin(), indices.end()}, std::vector<int64_t>(indices.size(), 1));
}

void TakeGradient(OpContext& c) {
  const auto accumulator = AccumulatorOf(c);
  const auto taken = Taken(c, accumulator, /*is_sparse=*/true, c.output_type(1));
  if (!taken) return;
  const Value& sum = taken->values[0];
  std::vector<int64_t> shape = sum.tensor.shape().ToVector();
  shape[0] = Known(accumulator->shape, 0);
  c.Output(0, taken->values[2]);
  c.Output(1, accumulator->is_mean ? Divided(sum, taken->values[3].tensor.data<int64_t>()) : sum);
  c.Output(2, MakeTensor<int64_t>({std::ssize(shape)}, std::span<const int64_t>(shape)));
}

constexpr KernelRow kRows[] = {
    {"SparseConditionalAccumulator", MakeSparse},
    {"SparseAccumulatorApplyGradient", ApplyGradient},
    {"SparseAccumulatorTakeGradient", TakeGradient},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowSparseAccumulator() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
