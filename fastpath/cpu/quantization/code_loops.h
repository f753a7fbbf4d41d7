// Vector loops from numbers of one range to their codes of 8 or 16 bits.
#pragma once

#include <cstdint>

namespace plumb::fast::cpu {

enum class CodeRounding { kToEven, kAway, kTowardsZero };

// The place of a number among codes: (the number within [low, high] − first) · scale + offset.
struct CodePlaces {
  float low, high, first, scale, offset;
};

// to = the places of n numbers, rounded, modulo the codes there are; 0 for what no int32 holds, such as NaN.
using CodeLoop = void (*)(const CodePlaces& places, const float* from, void* to, int64_t n);
CodeLoop FindCodeLoop(CodeRounding rounding, bool has_16_bits);

}  // namespace plumb::fast::cpu
