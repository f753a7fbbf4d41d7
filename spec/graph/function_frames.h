// Loops of control-flow ops in the bodies of functions, as loops that call functions (clause FN8).
#pragma once

#include "spec/graph/function_library.h"

namespace plumb {

// Whether a loop of Enter, Merge, Switch and Exit runs in the body.
bool HasFrames(const FunctionBody& body);

// `body`, which is that of `function`, with a While in the place of each loop. Throws kUnimplemented for a loop that is
// not built as TensorFlow's client builds loops.
FunctionBody WithoutFrames(const FunctionBody& body, const FunctionRef& function);

// Whether the reference is to the condition or the body of such a loop, and the function itself.
bool IsFrameFunction(const FunctionRef& function);
FunctionBody MakeFrameFunction(const FunctionLibrary& library, const FunctionRef& function);

}  // namespace plumb
