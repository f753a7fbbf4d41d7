// The word of RandomGammaGrad's formula, for plain numbers: the derivative of the incomplete gamma function.
#pragma once

namespace plumb::fast::cpu {

float GammaSlopeOf(float alpha, float sample);
double GammaSlopeOf(double alpha, double sample);

}  // namespace plumb::fast::cpu
