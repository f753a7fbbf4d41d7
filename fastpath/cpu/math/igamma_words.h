// The words of the incomplete gamma functions' formulas, for plain numbers: Eigen's.
#pragma once

namespace plumb::fast::cpu {

double IgammaOf(double a, double x);
float IgammaOf(float a, float x);
double IgammacOf(double a, double x);
float IgammacOf(float a, float x);
double IgammaSlopeOf(double a, double x);  // of IgammaOf by a
float IgammaSlopeOf(float a, float x);

}  // namespace plumb::fast::cpu
