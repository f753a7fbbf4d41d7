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

// Calls f(TypeTag) with a type to move elements of `type` with: a word of their size, or the object type itself.
template <class F>
void VisitStorage(DType type, const F& f) {
  switch (type) {
    case DType::kString:
      return f(TypeTag<std::string>());
    case DType::kResource:
      return f(TypeTag<ResourceHandle>());
    case DType::kVariant:
      return f(TypeTag<Variant>());
    default:
      return VisitWord(type, f);
  }
}

}  // namespace plumb::fast::cpu
