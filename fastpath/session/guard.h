// What leaves a session is a status: around each of its calls.
#pragma once

#include <exception>

#include "fastpath/device/caught.h"

namespace plumb::fast {

template <class Body>
Status Guard(const Body& body) {
  try {
    return body();
  } catch (const std::exception&) {
    return CaughtStatus();
  }
}

}  // namespace plumb::fast
