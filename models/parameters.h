// How large a model is.
#pragma once

#include <cstdint>

#include "client/scope.h"

namespace plumb::models {

// The numbers that training changes: the sum over the declared shapes of the scope's trainable variables. The graph
// need not run.
int64_t ParameterCount(Scope& scope);

}  // namespace plumb::models
