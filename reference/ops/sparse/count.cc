#include <map>

#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// Numbers counted by row; a vector has no rows.
struct Counted {
  bool is_vector = false;
  int64_t rows = 1;
  std::vector<int64_t> row = {}, number = {};
};

// The entries are those of `weights`, or as many ones.
void Count(OpContext& c, const Counted& counted, const Value& weights) {
  const int64_t longest = c.attr<int64_t>("maxlength");
  const bool has_weights = weights.tensor.elements() > 0, is_binary = c.attr<bool>("binary_output");
  std::map<std::vector<int64_t>, std::vector<int64_t>> entries;  // by coordinates
  int64_t columns = 1;
  for (size_t i = 0; i < counted.number.size(); ++i) {
    const int64_t number = counted.number[i];
    Require(number >= 0, "value ", i, " is ", number, ", but must not be negative");
    if (longest >= 0 && number >= longest) continue;
    Require(number < INT64_MAX, "the number ", number, " is too large");
    columns = std::max(columns, number + 1);
    const auto at = counted.is_vector ? std::vector<int64_t>{number} : std::vector<int64_t>{counted.row[i], number};
    entries[at].push_back(static_cast<int64_t>(i));
  }
  columns = longest >= 0 ? longest : std::max(columns, c.attr<int64_t>("minlength"));
  const std::vector<int64_t> shape =
      counted.is_vector ? std::vector<int64_t>{columns} : std::vector<int64_t>{counted.rows, columns};
  Coordinates at{0, static_cast<int>(shape.size()), {}};
  ForKind<Real, Integer>(weights.tensor.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> weight(weights);
    Writer<N> values(weights.tensor.dtype(), {std::ssize(entries)});
    for (const auto& [coordinates, places] : entries) {
      SumOf<N> sum;
      for (const int64_t i : places) sum.Add(has_weights ? weight[i] : N(1));
      values.Set(at.count, is_binary ? N(1) : sum.Result());
      at.Append(coordinates);
    }
    SparseOutput(c, 0, at, values.Take(), shape);
  });
}

void CheckWeights(const Tensor& weights, const Tensor& values) {
  Require(weights.elements() == 0 || weights.shape() == values.shape(), "there must be a weight for each value of ",
          values.shape().ToString(), ", or none, not weights of shape ", weights.shape().ToString());
}

void DenseCount(OpContext& c) {
  const Tensor& values = c.tensor(0);
  Require(values.rank() == 1 || values.rank() == 2, "the values must be a vector or a matrix, not of shape ",
          values.shape().ToString());
  CheckWeights(c.tensor(1), values);
  Counted counted{.is_vector = values.rank() == 1};
  if (!counted.is_vector) counted.rows = values.dim(0);
  Require(counted.rows > 0, "there must be one row at least");
  for (const int64_t number : ToInt64s(values)) {
    counted.row.push_back(std::ssize(counted.number) / (values.elements() / counted.rows));
    counted.number.push_back(number);
  }
  Count(c, counted, c.input(1));
}

void SparseCount(OpContext& c) {
  const SparseTensor tensor = SparseInput(c, 0);
  Require(!tensor.shape.empty(), "the tensor must have one dimension at least");
  for (const int64_t size : tensor.shape) Require(size >= 0, "a size must not be negative, but is ", size);
  tensor.CheckBounds();
  CheckWeights(c.tensor(3), c.tensor(1));
  Counted counted{.is_vector = tensor.shape.size() == 1};
  if (!counted.is_vector) counted.rows = tensor.shape[0];
  Require(counted.rows > 0 && counted.rows < INT32_MAX, "there must be from 1 to ", INT32_MAX - 1, " rows, not ",
          counted.rows);
  for (int64_t i = 0; i < tensor.at.count; ++i) counted.row.push_back(tensor.at(i, 0));
  counted.number = ToInt64s(c.tensor(1));
  Count(c, counted, c.input(3));
}

constexpr KernelRow kRows[] = {
    {"DenseCountSparseOutput", DenseCount},
    {"SparseCountSparseOutput", SparseCount},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseCount() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
