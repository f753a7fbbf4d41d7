// Philox4x32-10, the counter-based generator behind all random ops (rules R70, R75, R80).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace plumb::reference {

class Philox {
 public:
  using Block = std::array<uint32_t, 4>;

  // R70: key and counter from the two seeds of an op.
  Philox(uint64_t seed, uint64_t seed2);

  // The next 128 bits.
  Block Next();
  // Passes over `blocks` of them.
  void Skip(uint64_t blocks);

  // Counter and key: all there is to it.
  using State = std::array<uint32_t, 6>;
  State state() const;
  void set_state(const State& state);

 private:
  Block counter_;
  std::array<uint32_t, 2> key_;
};

// R80: the words of a generator one at a time.
class PhiloxWords {
 public:
  explicit PhiloxWords(Philox generator) : generator_(generator) {}
  uint32_t Next() {
    if (used_ == 4) {
      block_ = generator_.Next();
      used_ = 0;
    }
    return block_[used_++];
  }

 private:
  Philox generator_;
  Philox::Block block_ = {};
  size_t used_ = 4;
};

}  // namespace plumb::reference
