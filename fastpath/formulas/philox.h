// Philox4x32-10, the counter-based generator behind every seeded random op (rules R70–R75). All of it is constexpr, so
// that kernels of GPUs may call it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace plumb::fast {

class Philox {
 public:
  using Block = std::array<uint32_t, 4>;

  Philox() = default;
  // R70.
  constexpr Philox(uint64_t seed, uint64_t seed2)
      : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)},
        counter_{0, 0, static_cast<uint32_t>(seed2), static_cast<uint32_t>(seed2 >> 32)} {}

  // Leaves out `blocks` blocks.
  constexpr void Skip(uint64_t blocks) {
    const uint64_t low = counter_[0] | static_cast<uint64_t>(counter_[1]) << 32;
    const uint64_t sum = low + blocks;
    counter_[0] = static_cast<uint32_t>(sum);
    counter_[1] = static_cast<uint32_t>(sum >> 32);
    if (sum < low && ++counter_[2] == 0) ++counter_[3];
  }

  // Counter and key: all there is to it, in the order in which it is saved (rule S10).
  using State = std::array<uint32_t, 6>;
  constexpr State state() const { return {counter_[0], counter_[1], counter_[2], counter_[3], key_[0], key_[1]}; }
  constexpr void set_state(const State& state) {
    counter_ = {state[0], state[1], state[2], state[3]};
    key_ = {state[4], state[5]};
  }

  constexpr Block Next() {
    Block block = counter_;
    std::array<uint32_t, 2> key = key_;
    for (int round = 0; round < 10; ++round) {
      const uint64_t a = uint64_t{0xD2511F53} * block[0], b = uint64_t{0xCD9E8D57} * block[2];
      block = {static_cast<uint32_t>(b >> 32) ^ block[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ block[3] ^ key[1], static_cast<uint32_t>(a)};
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
    Skip(1);
    return block;
  }

 private:
  std::array<uint32_t, 2> key_{};
  Block counter_{};
};

// A generator with this key and this counter, low word first.
constexpr Philox PhiloxAt(uint64_t key, uint64_t counter_low, uint64_t counter_high) {
  const auto low = [](uint64_t number) { return static_cast<uint32_t>(number); };
  Philox generator;
  generator.set_state(
      {low(counter_low), low(counter_low >> 32), low(counter_high), low(counter_high >> 32), low(key), low(key >> 32)});
  return generator;
}

// The words of consecutive blocks, one at a time (rule R80).
class PhiloxWords {
 public:
  constexpr explicit PhiloxWords(Philox generator) : generator_(generator) {}
  constexpr uint32_t Next() {
    if (used_ == 4) {
      block_ = generator_.Next();
      used_ = 0;
    }
    return block_[used_++];
  }

 private:
  Philox generator_;
  Philox::Block block_{};
  int used_ = 4;
};

// R80: evenly from [0, n), n > 0. Numbers below the remainder of the whole range are left out.
template <class T, class Next>
constexpr T UniformBelow(T n, const Next& next) {
  if ((n & (n - 1)) == 0) return next() & (n - 1);
  const T least = static_cast<T>(~T{0}) % n + 1;
  T number = next();
  while (number < least) number = next();
  return number % n;
}
constexpr uint32_t UniformBelow(PhiloxWords& words, uint32_t n) {
  return UniformBelow(n, [&] { return words.Next(); });
}
constexpr uint64_t UniformBelow64(PhiloxWords& words, uint64_t n) {
  return UniformBelow(n, [&] {
    const uint64_t low = words.Next(), high = words.Next();
    return low | high << 32;
  });
}

// R72, R77: a number in [0, 1) from the low bits of a word.
constexpr float UniformFloat(uint32_t word) {
  return std::bit_cast<float>((word & 0x7fffff) | uint32_t{127} << 23) - 1.0f;
}
constexpr double UniformDouble(uint32_t word0, uint32_t word1) {
  const uint64_t mantissa = static_cast<uint64_t>(word0 & 0xfffff) << 32 | word1;
  return std::bit_cast<double>(mantissa | uint64_t{1023} << 52) - 1.0;
}

}  // namespace plumb::fast
