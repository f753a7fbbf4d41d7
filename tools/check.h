// Errors of sessions as exceptions: main.cc prints them and sets the exit code.
#pragma once

#include "spec/core/status.h"

namespace plumb::tools {

// Throws the error that `status` is.
inline void Check(const Status& status) {
  if (!status.ok()) throw Error(status);
}

}  // namespace plumb::tools
