#include "fastpath/device/caught.h"

#include <exception>
#include <new>
#include <stdexcept>

namespace plumb::fast {

Status CaughtStatus() {
  try {
    throw;
  } catch (const Error& error) {
    return error.status();
  } catch (const std::bad_alloc&) {
    return Status(Code::kResourceExhausted, "out of memory");
  } catch (const std::length_error&) {  // what no vector could hold
    return Status(Code::kResourceExhausted, "more than memory can hold");
  } catch (const std::exception& error) {
    return Status(Code::kInternal, error.what());
  }
}

}  // namespace plumb::fast
