// Tensors as people write them on a command line.
#pragma once

#include <string>
#include <string_view>

#include "spec/session/session.h"

namespace plumb::tools {

// "float32[2,2]{1,2,3,4}", "int32{5}" (a scalar), "string[2]{a,b}", "float32[1000]{0}" (one value for all), with spaces
// or without. A text may stand in quotes, as it is printed: string[2] {"a, b", "\x0a"}. Throws kInvalidArgument with
// the position of the mistake.
Tensor ParseLiteral(std::string_view text);
// "x:0=float32{1}", "x:0=@FILE.npy" (NumPy's array file), or "x:0=@bytes:FILE" (a file's content, a string scalar).
Feed ParseFeed(std::string_view text);

}  // namespace plumb::tools
