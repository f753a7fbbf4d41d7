// The words of the formulas of functions that are integrals, for plain numbers.
#pragma once

namespace plumb::fast::cpu {

double DawsnOf(double x);
float DawsnOf(float x);
double ExpintOf(double x);
float ExpintOf(float x);
double SpenceOf(double x);
float SpenceOf(float x);
double FresnelCosOf(double x);
float FresnelCosOf(float x);
double FresnelSinOf(double x);
float FresnelSinOf(float x);

}  // namespace plumb::fast::cpu
