// What an exception says, as a status.
#pragma once

#include "spec/core/status.h"

namespace plumb::fast {

// Of the exception that is being handled. For whoever may let none out: what runs kernels, and what answers other
// kernels on its own thread.
Status CaughtStatus();

}  // namespace plumb::fast
