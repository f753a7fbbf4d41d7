// A shared library that is a backend (plumb_backend.h): found, checked, asked.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backends/library/plumb_backend.h"
#include "spec/core/attr.h"
#include "spec/session/session.h"

namespace plumb::library {

// What is wrong with an answer of a library, whatever was asked. No op fails with this code, so a judge that expects a
// failure never takes it for one.
constexpr Code kFault = Code::kUnknown;

// Whether a backend's name is the path of a library: it has a '/', or ends in ".so".
bool IsLibrary(std::string_view backend);

class Library {
 public:
  // Loads the library, once per process and path; it stays for ever. Throws kNotFound when there is no such file, and
  // kFailedPrecondition when it is no backend that can be used here: the message has the path and the reason.
  static const Library& Open(std::string_view path);

  // Whether it declares a kernel for nodes of `op` with these types; other attributes are left out.
  bool HasKernel(std::string_view op, const AttrMap& types) const;
  const PlumbBackend& functions() const { return functions_; }
  bool has_callables() const { return functions_.make_callable != nullptr; }
  bool has_partial_runs() const { return functions_.partial_setup != nullptr; }

  // kFault: "backend library ./libmine.so answered …".
  template <class... Pieces>
  Error Fault(const Pieces&... pieces) const {
    return Error(kFault, Str("backend library ", path_, " answered ", pieces...));
  }

 private:
  explicit Library(std::string path);

  const std::string path_;
  PlumbBackend functions_ = {};
};

// A session of the library at `path`. Throws what Open throws, and what the library answers.
std::unique_ptr<Session> NewLibrarySession(std::string_view path, const SessionOptions& options);

}  // namespace plumb::library
