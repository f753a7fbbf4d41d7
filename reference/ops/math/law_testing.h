// For the laws of formulas.
#pragma once

namespace plumb::reference {

// So many times what it has to be, a bound may be: twice for taking either side's slope, and as much again for a slope
// that is the largest one around.
inline constexpr double kMostStated = 5;

}  // namespace plumb::reference
