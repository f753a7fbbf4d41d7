// The logarithm of the gamma function's size.
#pragma once

#include <math.h>  // lgamma_r, which keeps its sign to itself

namespace plumb::reference {

inline double LgammaOf(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

}  // namespace plumb::reference
