#include "fastpath/cpu/math/integrals_words.h"

#include <cmath>
#include <limits>

namespace plumb::fast::cpu {

#define PLUMB_INLINE
#include "fastpath/formulas/math/integrals_words-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::cpu
