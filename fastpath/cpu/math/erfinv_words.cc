#include "fastpath/cpu/math/erfinv_words.h"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

namespace plumb::fast::cpu {

#define PLUMB_INLINE
#include "fastpath/formulas/math/erfinv_words-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::cpu
