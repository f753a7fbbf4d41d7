#include "reference/step/batched_call.h"

#include <algorithm>

#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "spec/graph/function_calls.h"

namespace plumb::reference {
namespace {

// How many of the inputs, or results, hold rows.
std::span<Item> RowsOf(const Node& node, std::vector<Item>& inputs) {
  return std::span(inputs).first(GetAttr<std::vector<DType>>(node.attrs, "Tin").size());
}

int64_t SizeOfBatch(const Node& node, int64_t rows) {
  const auto most = GetAttr<int64_t>(node.attrs, "max_batch_size");
  Require(rows <= most, "node '", node.name, "': there are ", rows, " rows, but a batch has ", most, " at most");
  const auto& allowed = GetAttr<std::vector<int64_t>>(node.attrs, "allowed_batch_sizes");
  if (allowed.empty()) return rows;
  for (size_t i = 0; i < allowed.size(); ++i) {
    Require(allowed[i] > (i == 0 ? 0 : allowed[i - 1]), "node '", node.name,
            "': allowed_batch_sizes must be positive and ascend");
  }
  Require(allowed.back() == most || GetAttr<bool>(node.attrs, "enable_large_batch_splitting"), "node '", node.name,
          "': allowed_batch_sizes must end with max_batch_size, ", most);
  if (rows > allowed.back()) {
    throw Unimplemented("node '", node.name, "': ", rows, " rows would have to be split into batches of ",
                        allowed.back(), " at most");
  }
  return *std::lower_bound(allowed.begin(), allowed.end(), rows);
}

// The first `rows` of a value; where it has fewer, its first one again and again.
Value Resized(const Value& value, int64_t rows) {
  const int64_t has = value.tensor.dim(0), each = has == 0 ? 0 : value.tensor.elements() / has;
  Assembly result(value.tensor.dtype(), WithDim(value.tensor.shape(), 0, rows));
  for (int64_t row = 0; row < rows; ++row) result.Copy(row * each, value, row < has ? row * each : 0, each);
  return result.Take();
}

}  // namespace

std::vector<Item> WithPadding(const Node& node, std::vector<Item> inputs) {
  const std::span<Item> batch = RowsOf(node, inputs);
  for (const Item& input : batch) {
    const Shape& shape = input.value.tensor.shape();
    Require(shape.rank() > 0, "node '", node.name, "': a scalar has no rows that could be batched");
    Require(shape.dim(0) == batch[0].value.tensor.dim(0), "node '", node.name,
            "': the inputs must have one number of rows, not ", batch[0].value.tensor.dim(0), " and ", shape.dim(0));
  }
  const int64_t rows = batch[0].value.tensor.dim(0), size = SizeOfBatch(node, rows);
  if (size == rows) return inputs;
  Require(rows > 0, "node '", node.name, "': there is no row to copy ", size, " times");
  for (Item& input : batch) input = {Resized(input.value, size), nullptr};
  return inputs;
}

std::vector<Token> WithoutPadding(const Node& node, const std::vector<Item>& inputs, const std::vector<Item>& args,
                                  std::vector<Token> results) {
  const int64_t rows = inputs[0].value.tensor.dim(0), size = args[0].value.tensor.dim(0);
  for (Token& result : results) {
    if (result.dead) continue;
    const Shape& shape = result.item.value.tensor.shape();
    if (shape.rank() == 0 || shape.dim(0) != size) {
      throw FailedPrecondition("node '", node.name, "': its function gives a result of the shape ", shape.ToString(),
                               " for ", size, " rows");
    }
    if (rows < size) result.item = {Resized(result.item.value, rows), nullptr};
  }
  return results;
}

}  // namespace plumb::reference
