// The words of the formulas of Bessel functions, for plain numbers.
#pragma once

namespace plumb::fast::cpu {

double BesselJ0Of(double x);
float BesselJ0Of(float x);
double BesselJ1Of(double x);
float BesselJ1Of(float x);
double BesselY0Of(double x);
float BesselY0Of(float x);
double BesselY1Of(double x);
float BesselY1Of(float x);
double BesselK0Of(double x);
float BesselK0Of(float x);
double BesselK1Of(double x);
float BesselK1Of(float x);
double BesselK0eOf(double x);
float BesselK0eOf(float x);
double BesselK1eOf(double x);
float BesselK1eOf(float x);

}  // namespace plumb::fast::cpu
