// The words of the inverse error function's formulas, for plain numbers, in double.
#pragma once

namespace plumb::fast::cpu {

double ErfinvOf(double x);
double NdtriOf(double p);

inline float ErfinvOf(float x) { return static_cast<float>(ErfinvOf(double{x})); }
inline float NdtriOf(float p) { return static_cast<float>(NdtriOf(double{p})); }

}  // namespace plumb::fast::cpu
