// The words of the special functions' formulas, for plain numbers: Eigen's.
#pragma once

namespace plumb::fast::cpu {

#define PLUMB_SPECIAL_UNARY(word) \
  float word(float x);            \
  double word(double x);
#define PLUMB_SPECIAL_BINARY(word) \
  float word(float x, float y);    \
  double word(double x, double y);

PLUMB_SPECIAL_UNARY(LgammaOf)
PLUMB_SPECIAL_UNARY(DigammaOf)
PLUMB_SPECIAL_UNARY(ErfcOf)
PLUMB_SPECIAL_BINARY(PolygammaOf)
PLUMB_SPECIAL_BINARY(ZetaOf)

#undef PLUMB_SPECIAL_UNARY
#undef PLUMB_SPECIAL_BINARY

// The regularised incomplete beta function.
float BetaincOf(float a, float b, float x);
double BetaincOf(double a, double b, double x);

}  // namespace plumb::fast::cpu
