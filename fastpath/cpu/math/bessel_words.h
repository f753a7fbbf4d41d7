// The words of the formulas of Bessel functions, for plain numbers, in double.
#pragma once

namespace plumb::fast::cpu {

double BesselJ0Of(double x);
double BesselJ1Of(double x);
double BesselY0Of(double x);
double BesselY1Of(double x);
double BesselK0Of(double x);
double BesselK1Of(double x);
double BesselK0eOf(double x);
double BesselK1eOf(double x);

inline float BesselJ0Of(float x) { return static_cast<float>(BesselJ0Of(double{x})); }
inline float BesselJ1Of(float x) { return static_cast<float>(BesselJ1Of(double{x})); }
inline float BesselY0Of(float x) { return static_cast<float>(BesselY0Of(double{x})); }
inline float BesselY1Of(float x) { return static_cast<float>(BesselY1Of(double{x})); }
inline float BesselK0Of(float x) { return static_cast<float>(BesselK0Of(double{x})); }
inline float BesselK1Of(float x) { return static_cast<float>(BesselK1Of(double{x})); }
inline float BesselK0eOf(float x) { return static_cast<float>(BesselK0eOf(double{x})); }
inline float BesselK1eOf(float x) { return static_cast<float>(BesselK1eOf(double{x})); }

}  // namespace plumb::fast::cpu
