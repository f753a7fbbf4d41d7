// Elements as words: what moves numbers of any type needs to know their size alone.
#pragma once

#include <cstdint>

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

struct Wide {
  uint64_t halves[2];
};

// Calls f(TypeTag) with a word as wide as an element of `type`, which is no object.
template <class F>
void VisitWord(DType type, const F& f) {
  switch (ElementSize(type)) {
    case 1:
      return f(TypeTag<uint8_t>());
    case 2:
      return f(TypeTag<uint16_t>());
    case 4:
      return f(TypeTag<uint32_t>());
    case 8:
      return f(TypeTag<uint64_t>());
    default:
      return f(TypeTag<Wide>());
  }
}

}  // namespace plumb::fast::cpu
