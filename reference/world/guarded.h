// The one place where exceptions become statuses (rule ER9).
#pragma once

#include <new>
#include <stdexcept>

#include "spec/core/status.h"

namespace plumb::reference {

template <class F>
Status Guarded(F&& f) {
  try {
    f();
    return OkStatus();
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return Status(Code::kResourceExhausted, "out of memory");
  } catch (const std::length_error&) {  // what no vector could hold
    return Status(Code::kResourceExhausted, "more than memory can hold");
  }
}

inline void ThrowUnlessOk(const Status& status) {
  if (!status.ok()) throw Error(status);
}

}  // namespace plumb::reference
