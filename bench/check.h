// Errors of sessions as exceptions: a bench whose graph does not run has nothing to time.
#pragma once

#include "spec/core/status.h"

namespace plumb::bench {

// Throws the error that `status` is.
inline void Check(const Status& status) {
  if (!status.ok()) throw Error(status);
}

}  // namespace plumb::bench
