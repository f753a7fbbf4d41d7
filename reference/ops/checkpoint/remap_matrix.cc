// Rows and columns of a stored matrix in another order.
#include <algorithm>
#include <set>

#include "reference/kernel/op_context.h"
#include "reference/numbers/elements.h"
#include "reference/ops/checkpoint/assemble.h"

namespace plumb::reference {
namespace {

const std::string& OneText(const OpContext& c, int input) {
  Require(c.tensor(input).elements() == 1, "input ", input, " is one string, not of shape ",
          c.tensor(input).shape().ToString());
  return c.tensor(input).data<std::string>()[0];
}

// For each new index the old one, or a negative number. Each old one may occur once.
std::vector<int64_t> Remapping(const OpContext& c, int input, int64_t size) {
  const Tensor& tensor = c.tensor(input);
  Require(tensor.rank() == 1 && tensor.elements() == size, "input ", input, " is a vector of ", size,
          " indices, not of shape ", tensor.shape().ToString());
  const auto values = tensor.data<int64_t>();
  std::set<int64_t> seen;
  for (const int64_t old : values) {
    if (old >= 0 && !seen.insert(old).second) throw Unimplemented("the old index ", old, " is taken twice");
  }
  return {values.begin(), values.end()};
}

// The rows of the stored matrix from the first to the last that is taken, and the first's number; of no rows where none
// is.
std::pair<int64_t, Value> OldRows(BundleReader& reader, const BundleEntry& entry, const std::vector<int64_t>& rows) {
  int64_t first = entry.shape[0], last = -1;
  for (const int64_t row : rows) {
    if (row < 0) continue;
    first = std::min(first, row);
    last = std::max(last, row);
  }
  if (last >= entry.shape[0]) {
    throw Internal("'", entry.name, "' has ", entry.shape[0], " rows, and none of the number ", last);
  }
  if (last < 0) return {0, Value(Tensor(DType::kFloat, Shape{0, entry.shape[1]}))};
  TensorSlice wanted = TensorSlice::Whole(2);
  wanted.extents[0] = {first, last + 1 - first};
  return {first, Value(ReadSlice(reader, entry, wanted))};
}

void LoadAndRemapMatrix(OpContext& c) {
  const int64_t num_rows = c.attr<int64_t>("num_rows"), num_columns = c.attr<int64_t>("num_cols");
  const std::vector<int64_t> rows = Remapping(c, 2, num_rows);
  Require(c.tensor(3).rank() == 1, "input 3 is a vector, not of shape ", c.tensor(3).shape().ToString());
  const bool remaps_columns = c.tensor(3).elements() > 0;
  std::vector<int64_t> columns = Remapping(c, 3, remaps_columns ? num_columns : 0);
  BundleReader reader(Files(), OneText(c, 0));
  const BundleEntry entry = reader.Find(OneText(c, 1));
  Require(entry.dtype == DType::kFloat && entry.shape.rank() == 2, "'", entry.name, "' is ", DTypeName(entry.dtype),
          entry.shape.ToString(), " in the checkpoint, not a matrix of float32");
  if (!remaps_columns) {
    Require(entry.shape[1] == num_columns, "'", entry.name, "' has ", entry.shape[1], " columns, not ", num_columns);
    for (int64_t j = 0; j < num_columns; ++j) columns.push_back(j);
  }
  const auto [first, old_rows] = OldRows(reader, entry, rows);
  const Reader<Real> old(old_rows), initial(c.input(4));
  Writer<Real> result(DType::kFloat, Shape{num_rows, num_columns});
  int64_t used = 0;
  for (int64_t i = 0; i < num_rows; ++i) {
    for (int64_t j = 0; j < num_columns; ++j) {
      if (rows[i] < 0 || columns[j] < 0) {
        Require(used < initial.size(), "there are only ", initial.size(), " initializing values");
        result.Set(i * num_columns + j, initial[used++]);
        continue;
      }
      Require(columns[j] < entry.shape[1], "'", entry.name, "' has ", entry.shape[1],
              " columns, and none of the number ", columns[j]);
      result.Set(i * num_columns + j, old[(rows[i] - first) * entry.shape[1] + columns[j]]);
    }
  }
  Require(used == initial.size(), "of ", initial.size(), " initializing values only ", used, " are needed");
  c.Output(0, result.Take());
}

constexpr KernelRow kRows[] = {
    {"LoadAndRemapMatrix", LoadAndRemapMatrix},
};

}  // namespace

namespace topics {
std::span<const KernelRow> CheckpointRemapMatrix() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
