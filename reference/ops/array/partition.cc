// Rows dealt out to partitions, and put together again.
#include <algorithm>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/shape_prefix.h"

namespace plumb::reference {
namespace {

void DynamicPartition(OpContext& context) {
  const Value& data = context.input(0);
  const Shape& shape = data.tensor.shape();
  const Tensor& partitions = context.tensor(1);
  const auto num = static_cast<int64_t>(context.outputs.size());
  Require(StartsWith(shape, partitions.shape()), "data.shape must start with partitions.shape: ", shape.ToString(),
          " and ", partitions.shape().ToString());
  const Shape row_shape = Subshape(shape, partitions.rank(), shape.rank());
  const auto target = partitions.data<int32_t>();
  std::vector<std::vector<int64_t>> rows(num);
  for (size_t i = 0; i < target.size(); ++i) {
    Require(0 <= target[i] && target[i] < num, "partitions[", i, "] = ", target[i], " is not in [0, ", num, ")");
    rows[target[i]].push_back(static_cast<int64_t>(i));
  }
  const int64_t row = shape.elements() == 0 ? 0 : row_shape.elements();
  for (int64_t part = 0; part < num; ++part) {
    const auto count = static_cast<int64_t>(rows[part].size());
    Assembly result(data.tensor.dtype(), WithInserted(row_shape, 0, count));
    for (int64_t i = 0; i < count; ++i) result.Copy(i * row, data, rows[part][i] * row, row);
    context.Output(static_cast<int>(part), result.Take());
  }
}

// Later pieces win where indices repeat; rows that no index names are zero (rule N15).
void DynamicStitch(OpContext& context) {
  const int count = context.num_inputs() / 2;
  const auto row_shape = [&](int i) {
    const Shape &all = context.tensor(count + i).shape(), &indices = context.tensor(i).shape();
    Require(StartsWith(all, indices), "data[", i, "].shape = ", all.ToString(), " does not start with indices[", i,
            "].shape = ", indices.ToString());
    return Subshape(all, indices.rank(), all.rank());
  };
  const Shape row = row_shape(0);
  int64_t rows = 0;
  for (int i = 0; i < count; ++i) {
    Require(row_shape(i) == row, "the pieces must agree beyond their indices: ", row.ToString(), " and ",
            row_shape(i).ToString());
    for (const int32_t index : context.tensor(i).data<int32_t>()) {
      Require(index >= 0 && index < INT32_MAX, "indices[", i, "] must be in [0, 2^31 - 1), and one is ", index);
      rows = std::max<int64_t>(rows, int64_t{index} + 1);
    }
  }
  Assembly result(context.tensor(count).dtype(), WithInserted(row, 0, rows));
  for (int i = 0; i < count; ++i) {
    int64_t from = 0;
    for (const int32_t index : context.tensor(i).data<int32_t>()) {
      result.Copy(index * row.elements(), context.input(count + i), from++ * row.elements(), row.elements());
    }
  }
  context.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"DynamicPartition", DynamicPartition},
    {"DynamicStitch", DynamicStitch},
    {"ParallelDynamicStitch", DynamicStitch},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayPartition() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
