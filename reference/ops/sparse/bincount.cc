#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// A number that counts for a bin of a row.
struct Entry {
  int64_t row, bin;
};

int64_t SizeOf(const OpContext& c, int i) {
  const int64_t size = ScalarOf(c.tensor(i), "size");
  Require(size >= 0, "size must not be negative, but is ", size);
  return size;
}

// The weights, one for each of the values, or none.
void CheckWeights(const Tensor& weights, const Tensor& values) {
  Require(weights.elements() == 0 || weights.shape() == values.shape(), "there must be a weight for each value of ",
          values.shape().ToString(), ", or none, not weights of shape ", weights.shape().ToString());
}

// result[row, bin] = Σ of the weights of its entries, which are ones if there are none. Bins beyond `size` do not
// count.
void SumUp(OpContext& c, const Shape& shape, const std::vector<Entry>& entries, const Value& weights) {
  const int64_t size = shape.dim(shape.rank() - 1);
  const bool is_binary = c.attr<bool>("binary_output"), has_weights = weights.tensor.elements() > 0;
  ForKind<Real, Integer>(weights.tensor.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> weight(weights);
    auto result = MakeArray<N>(weights.tensor.dtype(), shape);
    std::vector<SumOf<N>> sums(result.at.size());
    for (size_t i = 0; i < entries.size(); ++i) {
      const Entry& entry = entries[i];
      Require(entry.bin >= 0, "value ", i, " is ", entry.bin, ", but must not be negative");
      if (entry.bin >= size) continue;
      const int64_t at = entry.row * size + entry.bin;
      sums[static_cast<size_t>(at)].Add(has_weights ? weight[static_cast<int64_t>(i)] : N(1));
      if (is_binary) result[at] = N(1);
    }
    for (size_t i = 0; i < sums.size() && !is_binary; ++i) result.at[i] = sums[i].Result();
    c.Output(0, Store(result));
  });
}

void SparseBincount(OpContext& c) {
  const SparseTensor tensor = SparseInput(c, 0);
  const Shape shape = tensor.dense_shape();
  const int64_t size = SizeOf(c, 3);
  Require(shape.rank() >= 1, "the tensor must have one dimension at least");
  tensor.CheckBounds();
  CheckWeights(c.tensor(4), c.tensor(1));
  std::vector<Entry> entries;
  const Reader<Integer> x(c.input(1));
  for (int64_t i = 0; i < x.size(); ++i) {
    const auto bin = static_cast<int64_t>(x[i]);
    Require(shape.rank() == 1 || bin < size, "value ", i, " is ", bin, ", which is not below ", size);
    entries.push_back({shape.rank() == 1 ? 0 : tensor.at(i, 0), bin});
  }
  SumUp(c, shape.rank() == 1 ? Shape{size} : Shape{shape.dim(0), size}, entries, c.input(4));
}

void RaggedBincount(OpContext& c) {
  const std::vector<int64_t> splits = ToInt64s(c.tensor(0));  // in whatever shape
  const Tensor& values = c.tensor(1);
  const int64_t size = SizeOf(c, 2);
  Require(!splits.empty() && splits.front() == 0 && splits.back() == values.elements(), "splits must begin with 0 and ",
          "end with the number of values, ", values.elements());
  CheckWeights(c.tensor(3), values);
  std::vector<Entry> entries;
  const Reader<Integer> x(c.input(1));
  size_t next = 0;
  for (int64_t i = 0; i < x.size(); ++i) {
    while (i >= splits[next]) ++next;
    entries.push_back({static_cast<int64_t>(next) - 1, static_cast<int64_t>(x[i])});
  }
  SumUp(c, {std::ssize(splits) - 1, size}, entries, c.input(3));
}

constexpr KernelRow kRows[] = {
    {"SparseBincount", SparseBincount},
    {"RaggedBincount", RaggedBincount},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseBincount() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
