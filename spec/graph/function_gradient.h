// Gradients of functions, as functions (clause FN8).
#pragma once

#include "spec/graph/function_library.h"

namespace plumb {

// Whether the reference is to the gradient of a function, and of which.
bool IsGradient(const FunctionRef& function);
const FunctionRef& Differentiated(const FunctionRef& gradient);

// Takes the arguments of `body` and the gradients of its results; gives the gradients of its arguments, zeros where no
// result depends on one. Computes `body` again. Throws kUnimplemented for an op without gradient and for loops.
FunctionBody MakeGradientBody(const FunctionBody& body);

// The gradient of a call of a function by its name: a SymbolicGradient.
Differentiation FunctionGradient();

}  // namespace plumb
