// What TensorFlow writes into a node instead of a name of its own.
#pragma once

#include <string_view>

namespace plumb {

// R40: the shared name that asks for a variable of its own at each execution. It lives as long as the step.
inline constexpr std::string_view kAnonymousName = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";

}  // namespace plumb
