// Normally distributed numbers out of random words (rules R73, R77).
#pragma once

#include "reference/numbers/number.h"
#include "reference/ops/lib/random_stream.h"

namespace plumb::reference {

// Two from two uniforms: how far an implementation's logarithm, root and sine may be off is what the bound says.
struct Normals {
  Real first, second;
};
Normals NormalsFromWords(uint32_t w0, uint32_t w1);                            // in float
Normals NormalsFromWords(uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3);  // in double

// Arithmetic for normals of this type: double, or else float.
void ComputeNormalsIn(DType dtype);

}  // namespace plumb::reference
