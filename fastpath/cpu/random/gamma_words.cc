#include "fastpath/cpu/random/gamma_words.h"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

namespace plumb::fast::cpu {

#define PLUMB_INLINE
#include "fastpath/formulas/random/gamma_words-inl.h"
#undef PLUMB_INLINE

// Large terms cancel each other: float would lose digits that double has to spare.
float GammaSlopeOf(float alpha, float sample) {
  return static_cast<float>(GammaSlopeOf(static_cast<double>(alpha), static_cast<double>(sample)));
}

}  // namespace plumb::fast::cpu
