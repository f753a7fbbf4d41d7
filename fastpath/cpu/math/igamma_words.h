// The words of the incomplete gamma functions' formulas, for plain numbers: Eigen's, in double.
#pragma once

namespace plumb::fast::cpu {

double IgammaOf(double a, double x);
double IgammacOf(double a, double x);
double IgammaSlopeOf(double a, double x);  // of IgammaOf by a

// Powers and logarithms cancel each other: float would lose digits that double has to spare.
inline float IgammaOf(float a, float x) { return static_cast<float>(IgammaOf(double{a}, double{x})); }
inline float IgammacOf(float a, float x) { return static_cast<float>(IgammacOf(double{a}, double{x})); }
inline float IgammaSlopeOf(float a, float x) { return static_cast<float>(IgammaSlopeOf(double{a}, double{x})); }

}  // namespace plumb::fast::cpu
