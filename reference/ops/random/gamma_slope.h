// How a sample of the gamma distribution moves with its parameter, where the share below it stays the same.
#pragma once

#include "reference/numbers/number.h"

namespace plumb::reference {

Real GammaSampleSlope(Real alpha, Real sample);

}  // namespace plumb::reference
