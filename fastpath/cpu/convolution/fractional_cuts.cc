#include "fastpath/cpu/convolution/fractional_cuts.h"

#include <cmath>
#include <utility>

namespace plumb::fast::cpu {

uint64_t BlocksForCuts(int64_t output, bool regular) { return regular ? 1 : (static_cast<uint64_t>(output) + 3) / 4; }

std::vector<int64_t> DrawCuts(int64_t input, int64_t output, bool regular, Philox generator) {
  const int64_t size = input / output;
  std::vector<int64_t> cuts(static_cast<size_t>(output) + 1, 0);
  cuts.back() = input;
  PhiloxWords words(generator);
  if (regular) {
    // u is kept so small that the first and the last cell are no larger than the others.
    const double alpha = static_cast<double>(input) / static_cast<double>(output);
    const double most = std::min(static_cast<double>(size + 2) / alpha - 1,
                                 static_cast<double>(input + 1 - size) / alpha - static_cast<double>(output - 1));
    const uint32_t word = words.Next();
    const double u = UniformDouble(word, words.Next()) * most;
    for (int64_t i = 1; i < output; ++i) {
      cuts[i] = static_cast<int64_t>(std::ceil(alpha * (static_cast<double>(i) + u))) - 1;
    }
    return cuts;
  }
  std::vector<int64_t> sizes(static_cast<size_t>(output), size);
  std::fill_n(sizes.begin(), input % output, size + 1);
  for (int64_t i = 0; i + 1 < output; ++i) {
    std::swap(sizes[i], sizes[i + words.Next() % static_cast<uint64_t>(output - i)]);
  }
  for (int64_t i = 0; i < output; ++i) cuts[i + 1] = cuts[i] + sizes[i];
  return cuts;
}

}  // namespace plumb::fast::cpu
