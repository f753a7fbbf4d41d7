// Decoding of sequences whose classes are given time by time, with a blank between them (connectionist temporal
// classification).
#include <algorithm>

#include "reference/numbers/numbers_io.h"
#include "reference/ops/loss/ctc_sequences.h"

namespace plumb::reference {
namespace {

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
