#include "reference/numbers/philox.h"

#include <algorithm>

namespace plumb::reference {
namespace {

constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

}  // namespace

Philox::Philox(uint64_t seed, uint64_t seed2)
    : counter_{0, 0, static_cast<uint32_t>(seed2), static_cast<uint32_t>(seed2 >> 32)},
      key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)} {}

Philox::Block Philox::Next() {
  Block x = counter_;
  std::array<uint32_t, 2> key = key_;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t product0 = uint64_t{kMultiplier0} * x[0];
    const uint64_t product1 = uint64_t{kMultiplier1} * x[2];
    x = {static_cast<uint32_t>(product1 >> 32) ^ x[1] ^ key[0], static_cast<uint32_t>(product1),
         static_cast<uint32_t>(product0 >> 32) ^ x[3] ^ key[1], static_cast<uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  Skip(1);
  return x;
}

void Philox::Skip(uint64_t blocks) {
  const uint64_t low = counter_[0] | uint64_t{counter_[1]} << 32;
  const uint64_t sum = low + blocks;
  counter_[0] = static_cast<uint32_t>(sum);
  counter_[1] = static_cast<uint32_t>(sum >> 32);
  if (sum < low && ++counter_[2] == 0) ++counter_[3];  // R70: with carry
}

Philox::State Philox::state() const {
  State state;
  std::copy(counter_.begin(), counter_.end(), state.begin());
  std::copy(key_.begin(), key_.end(), state.begin() + 4);
  return state;
}

void Philox::set_state(const State& state) {
  std::copy_n(state.begin(), 4, counter_.begin());
  std::copy_n(state.begin() + 4, 2, key_.begin());
}

}  // namespace plumb::reference
