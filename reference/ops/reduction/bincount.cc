// How often numbers occur.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// Bins of each row of numbers: how often, or the sum of the weights, or whether at all.
struct Counting {
  int64_t rows = 1, size = 0;
  bool binary = false;
  Shape shape;
};

void Count(OpContext& c, const Counting& counting) {
  const int64_t count = c.tensor(0).elements(), weighted = c.tensor(2).elements();
  Require(counting.size >= 0, "size must not be negative: ", counting.size);
  const int64_t width = counting.rows == 0 ? 0 : count / counting.rows;
  const Reader<Integer> numbers(c.input(0));
  CheckResultSize(counting.shape);
  ForKind<Real, Integer>(c.tensor(2).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> weights(c.input(2));
    std::vector<SumOf<N>> sums(counting.shape.elements());
    std::vector<bool> found(counting.shape.elements(), false);
    for (int64_t i = 0; i < count; ++i) {
      const Integer number = numbers[i];
      Require(number >= 0, "element ", i, " must not be negative: ", static_cast<int64_t>(number));
      if (number >= counting.size) continue;
      const int64_t bin = i / width * counting.size + static_cast<int64_t>(number);
      if (!counting.binary || !found[bin]) sums[bin].Add(weighted == 0 || counting.binary ? N(1) : weights[i]);
      found[bin] = true;
    }
    Writer<N> bins(c.tensor(2).dtype(), counting.shape);
    for (int64_t i = 0; i < bins.size(); ++i) bins.Set(i, sums[i].Result());
    c.Output(0, bins.Take());
  });
}

void Bincount(OpContext& c) {
  const int64_t size = ScalarOf(c.tensor(1), "size");
  const int64_t count = c.tensor(0).elements(), weighted = c.tensor(2).elements();
  Require(weighted == 0 || weighted == count, "there must be as many weights as numbers, ", count, ", or none, not ",
          weighted);
  Require(size >= 0, "size must not be negative: ", size);
  Count(c, {1, size, false, Shape({size})});
}

void DenseBincount(OpContext& c) {
  const int64_t size = ScalarOf(c.tensor(1), "size");
  const Shape &shape = c.tensor(0).shape(), &weights = c.tensor(2).shape();
  Require(shape.rank() <= 2, "the input must be a vector or a matrix, not of shape ", shape.ToString());
  Require(weights.elements() == 0 || weights == shape, "the weights must have the shape of the input, ",
          shape.ToString(), ", or be none; they have the shape ", weights.ToString());
  Require(size >= 0, "size must not be negative: ", size);
  if (shape.rank() == 0) throw Internal("a scalar is counted in no bins: the output stays unset");  // rule T5
  const bool is_matrix = shape.rank() == 2;
  Count(c, {is_matrix ? shape.dim(0) : 1, size, c.attr<bool>("binary_output"),
            is_matrix ? Shape({shape.dim(0), size}) : Shape({size})});
}

constexpr KernelRow kRows[] = {
    {"Bincount", Bincount},
    {"DenseBincount", DenseBincount},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ReductionBincount() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
