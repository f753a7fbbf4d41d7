// The larger or smaller of two numbers that come one after the other (rule N12).
#pragma once

#include "reference/numbers/element.h"

namespace plumb::reference {

// Of equals the last counts, and of NaN and a number whichever comes later.
template <bool is_max>
Real Later(Real best, Real value) {
  if (IsNan(best) || IsNan(value)) return value;
  return is_max ? Max(value, best) : Min(value, best);
}
template <bool is_max>
Integer Later(Integer best, Integer value) {
  return is_max ? Max(value, best) : Min(value, best);
}

}  // namespace plumb::reference
