// The one place where exceptions become statuses: around each call of a session.
#pragma once

#include <exception>
#include <new>

#include "spec/core/status.h"

namespace plumb::fast {

template <class Body>
Status Guard(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return Status(Code::kResourceExhausted, "out of memory");
  } catch (const std::exception& error) {
    return Status(Code::kInternal, error.what());
  }
}

}  // namespace plumb::fast
