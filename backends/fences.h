// Fences around the memory of tensors (spec/core/fences.h), for the court.
#pragma once

namespace plumb {

// From now on all memory of the host that this process's backends take has them, also what they would have kept for
// later. The caller has one thread.
void PutUpFences();

}  // namespace plumb
