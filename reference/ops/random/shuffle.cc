#include <numeric>
#include <utility>
#include <vector>

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {
namespace {

// R78.
void RandomShuffle(OpContext& c) {
  const Value& value = c.input(0);
  const Shape& shape = value.tensor.shape();
  if (shape.elements() <= 1 || shape.dim(0) <= 1) return c.Output(0, value);
  const int64_t rows = shape.dim(0), row_size = shape.elements() / rows;
  std::vector<int64_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), 0);
  PhiloxWords words(ReserveBlocks(c, static_cast<uint64_t>(rows - 1 + 3) / 4));
  for (int64_t i = 0; i + 1 < rows; ++i) {
    std::swap(order[i], order[i + words.Next() % static_cast<uint32_t>(rows - i)]);
  }
  std::vector<int64_t> positions;
  for (const int64_t row : order) {
    for (int64_t i = 0; i < row_size; ++i) positions.push_back(row * row_size + i);
  }
  c.Output(0, Gathered(value, shape, positions));
}

constexpr KernelRow kRows[] = {
    {"RandomShuffle", RandomShuffle},
};

}  // namespace

namespace topics {
std::span<const KernelRow> RandomShuffle() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
