// Shapes of calls, through the bodies of functions (clause FN10).
#pragma once

#include "spec/graph/function_library.h"
#include "spec/validate/shapes.h"

namespace plumb {

// What is known of the outputs of a node that calls functions of `library`, which may be null and must outlive this:
// what the bodies make of the inputs, and what the node promises where that does not contradict them. Throws where the
// node's own rule does. Remembers what it found out, and follows a bounded number of nodes in all.
CallShapeFn ShapesOfCalls(const FunctionLibrary* library);

}  // namespace plumb
