#include "fastpath/formulas/array/split_sizes.h"

namespace plumb::fast {
namespace {

std::vector<int64_t> NumbersIn(const Tensor& sizes) {
  if (sizes.dtype() != DType::kInt8) return ToInt64s(sizes);
  const auto numbers = sizes.data<int8_t>();
  return {numbers.begin(), numbers.end()};
}

}  // namespace

std::vector<int64_t> SplitSizes(const Tensor& sizes, int64_t pieces, int64_t total) {
  Require(sizes.rank() <= 1 && sizes.elements() == pieces, "size_splits must hold num_split = ", pieces,
          " sizes, not have the shape ", sizes.shape().ToString());
  std::vector<int64_t> settled = NumbersIn(sizes);
  Require(pieces > 1 || settled[0] == total, "a single part has the size ", total, " of the input, not ", settled[0]);
  int64_t sum = 0, open = -1;
  for (int64_t i = 0; i < pieces; ++i) {
    const int64_t size = settled[static_cast<size_t>(i)];
    if (size == -1) {
      Require(open < 0, "only one size may be -1, not ", open, " and ", i);
      open = i;
      continue;
    }
    Require(size >= 0 && size <= total - sum, "the split sizes do not add up to ", total);
    sum += size;
  }
  Require(open >= 0 || sum == total, "the split sizes add up to ", sum, ", not to ", total);
  if (open >= 0) settled[static_cast<size_t>(open)] = total - sum;
  return settled;
}

}  // namespace plumb::fast
