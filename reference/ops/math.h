// Kernels of the math family that have a file of their own.
#pragma once

#include "reference/number.h"
#include "reference/op_context.h"

namespace plumb::reference {

void AddStrings(OpContext& context);  // math_compare.cc
void Equal(OpContext& context);       // math_compare.cc
void NotEqual(OpContext& context);    // math_compare.cc
void Cast(OpContext& context);        // math_cast.cc
void Select(OpContext& context);      // math_select.cc
void AddN(OpContext& context);        // math_add_n.cc

// math_division.cc: whole numbers fail with kInvalidArgument where the divisor is zero or the exponent negative.
Integer Divide(Integer x, Integer y);
Integer FloorDivide(Integer x, Integer y);
Integer FloorModulo(Integer x, Integer y);
Integer Pow(Integer x, Integer y);
Real FloorDivide(Real x, Real y);
Real FloorModulo(Real x, Real y);

}  // namespace plumb::reference
