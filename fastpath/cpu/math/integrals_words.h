// The words of the formulas of functions that are integrals, for plain numbers, in double.
#pragma once

namespace plumb::fast::cpu {

double DawsnOf(double x);
double ExpintOf(double x);
double SpenceOf(double x);
double FresnelCosOf(double x);
double FresnelSinOf(double x);

inline float DawsnOf(float x) { return static_cast<float>(DawsnOf(double{x})); }
inline float ExpintOf(float x) { return static_cast<float>(ExpintOf(double{x})); }
inline float SpenceOf(float x) { return static_cast<float>(SpenceOf(double{x})); }
inline float FresnelCosOf(float x) { return static_cast<float>(FresnelCosOf(double{x})); }
inline float FresnelSinOf(float x) { return static_cast<float>(FresnelSinOf(double{x})); }

}  // namespace plumb::fast::cpu
