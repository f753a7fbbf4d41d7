#include "fastpath/cpu/math/igamma_words.h"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

#include "fastpath/cpu/random/gamma_words.h"

namespace plumb::fast::cpu {

#define PLUMB_INLINE
#include "fastpath/formulas/math/igamma_words-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::cpu
