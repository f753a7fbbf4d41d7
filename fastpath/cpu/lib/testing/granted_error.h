// How far an answer may be from the function that an op's row names.
#pragma once

#include <cmath>
#include <limits>
#include <string_view>

#include "spec/ops/catalogue.h"

namespace plumb::fast::cpu {

// Of one in double, where the function has this value (N4). `height`: of waves, by whose units it errs near their
// zeros.
inline double GrantedError(std::string_view op, double value, double height = 0) {
  return GetOp(op).accuracy.ulps * std::numeric_limits<double>::epsilon() * (std::fabs(value) + height);
}

// What a function no steeper than `slope` may show of a step between x and the number before it.
inline double GrantedStep(std::string_view op, double x, double value, double slope, double height = 0) {
  return 2 * GrantedError(op, value, height) + slope * (x - std::nextafter(x, 0));
}

}  // namespace plumb::fast::cpu
