// The one place that names every implementation.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "spec/session/session.h"

namespace plumb {

// "reference": the meaning, slow and exact. "cpu": the fast path. "sim": the fast path with a simulated accelerator,
// which gets everything that it can take. "mpi": the fast path over the ranks that mpirun started; not among
// BackendNames, for a process is a rank of one run (mpi/session/mpi_session.h). A name with a '/', or that ends in
// ".so", is the path of a library (backends/library/), which may throw. Throws kNotFound for another name, listing
// these.
std::unique_ptr<Session> OpenSession(std::string_view backend, const SessionOptions& options = {});
std::span<const std::string_view> BackendNames();

// Whether the backend can run nodes of this op (for some types).
bool IsImplemented(std::string_view backend, std::string_view op);

}  // namespace plumb
