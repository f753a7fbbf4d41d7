// Many words of a generator at once.
#pragma once

#include <array>
#include <cstdint>

#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {

constexpr int64_t kChainBlocks = 64;
using ChainWords = std::array<uint32_t, 4 * kChainBlocks>;

// The words of the next kChainBlocks blocks, in the order of PhiloxWords, and moves behind them. The lower half of the
// counter must not wrap around in between.
void TakeWords(Philox& generator, ChainWords& words);

}  // namespace plumb::fast::cpu
