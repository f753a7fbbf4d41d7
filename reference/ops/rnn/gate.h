// What the gates of recurrent cells share.
#pragma once

#include "reference/numbers/element.h"

namespace plumb::reference {

// What is below the smallest normal number may be lost, before it is multiplied.
inline Real Kept(Real x) { return {x.v, x.e + (std::fabs(x.v) - x.e < arithmetic.tiny ? std::fabs(x.v) : 0), x.d}; }

inline Real SigmoidOfSteps(Real x) { return Kept(Real(1) / (Real(1) + Exp(-x))); }

}  // namespace plumb::reference
