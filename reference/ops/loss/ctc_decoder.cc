// Decoding of sequences whose classes are given time by time, with a blank between them (connectionist temporal
// classification).
#include <algorithm>

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

struct Sequences {
  int64_t batch, classes;
  std::vector<int64_t> lengths;
  int64_t At(int64_t time, int64_t b) const { return (time * batch + b) * classes; }
};

Sequences SequencesOf(const OpContext& c) {
  const Shape& inputs = c.tensor(0).shape();
  Require(inputs.rank() == 3, "inputs must be [time, batch, class], not of shape ", inputs.ToString());
  Require(inputs.dim(0) > 0 && inputs.dim(2) > 0, "inputs must have times and classes, not the shape ",
          inputs.ToString());
  Require(c.tensor(1).rank() == 1, "sequence_length must be a vector, not of shape ", c.tensor(1).shape().ToString());
  Sequences sequences{inputs.dim(1), inputs.dim(2), IntegersOf(c.tensor(1), "sequence_length")};
  if (std::ssize(sequences.lengths) != sequences.batch) {
    throw FailedPrecondition("sequence_length must have ", sequences.batch, " entries, not ", sequences.lengths.size());
  }
  for (const int64_t length : sequences.lengths) {
    Require(length >= 0, "sequence_length must not be negative: ", length);
    if (length > inputs.dim(0)) throw FailedPrecondition("sequence_length ", length, " is beyond ", inputs.dim(0));
  }
  return sequences;
}

Tensor Matrix(const std::vector<int64_t>& values, const Shape& shape) {
  return MakeTensor<int64_t>(shape, std::span<const int64_t>(values));
}

void CtcGreedyDecoder(OpContext& c) {
  const Sequences sequences = SequencesOf(c);
  int64_t blank = c.attr<int64_t>("blank_index");
  if (blank < 0) blank += sequences.classes;
  Require(0 <= blank && blank < sequences.classes, "blank_index must be one of ", sequences.classes,
          " classes, counted from the end where negative, not ", c.attr<int64_t>("blank_index"));
  const bool merges = c.attr<bool>("merge_repeated");
  const DType dtype = c.tensor(0).dtype();
  std::vector<int64_t> indices, values;
  int64_t longest = 0;
  ForKind<Real>(dtype, [&](auto) {
    const Reader<Real> inputs(c.input(0));
    Writer<Real> cost(dtype, Shape({sequences.batch, 1}));
    for (int64_t b = 0; b < sequences.batch; ++b) {
      Sum sum;
      int64_t decoded = 0, before = -1;
      for (int64_t time = 0; time < sequences.lengths[b]; ++time) {
        const int64_t row = sequences.At(time, b);
        int64_t best = 0;
        for (int64_t k = 1; k < sequences.classes; ++k) best = inputs[row + k] > inputs[row + best] ? k : best;
        sum.Add(-inputs[row + best]);
        if (best != blank && !(merges && best == before)) {
          indices.insert(indices.end(), {b, decoded++});
          values.push_back(best);
        }
        before = best;
      }
      cost.Set(b, sum.Result());
      longest = std::max(longest, decoded);
    }
    c.Output(3, cost.Take());
  });
  const int64_t count = std::ssize(values);
  c.Output(0, Matrix(indices, Shape({count, 2})));
  c.Output(1, Matrix(values, Shape({count})));
  c.Output(2, Matrix({sequences.batch, longest}, Shape({2})));
}

constexpr KernelRow kRows[] = {
    {"CTCGreedyDecoder", CtcGreedyDecoder},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LossCtcDecoder() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
