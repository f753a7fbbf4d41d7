// The words of the inverse error function's formulas, for plain numbers.
#pragma once

namespace plumb::fast::cpu {

double ErfinvOf(double x);
float ErfinvOf(float x);
double NdtriOf(double p);
float NdtriOf(float p);

}  // namespace plumb::fast::cpu
