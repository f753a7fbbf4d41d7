// Gradients of functions, as functions (clause FN8).
#pragma once

#include "spec/graph/function_library.h"

namespace plumb {

// Whether the reference is to the gradient of a function, and of which.
bool IsGradient(const FunctionRef& function);
const FunctionRef& Differentiated(const FunctionRef& gradient);

// D1: whether values of a type have gradients.
bool HasGradient(DType type);

// Takes the arguments of `function`, which may be an op of the catalogue, and the gradients of its results; gives the
// gradients of its arguments, zeros where no result depends on one. Computes the function again. Throws kUnimplemented
// for an op without gradient and for the second derivative of a loop.
FunctionBody MakeGradientBody(const FunctionLibrary& library, const FunctionRef& function);

// The gradient of a call of a function, or of a loop: a SymbolicGradient. None for inputs whose type has none.
Differentiation FunctionGradient();
Differentiation LoopGradient();

// How nodes of an op are differentiated: by the gradient of its row, or by that of its function if the row has that
// trait. A function that is called by its name, and so has no row, has its own.
Differentiation DifferentiationOf(const OpDef& op);

}  // namespace plumb
