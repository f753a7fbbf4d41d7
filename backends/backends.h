// The one place that names every implementation.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "spec/session/session.h"

namespace plumb {

// "reference": the meaning, slow and exact. "cpu": the fast path. "sim": the fast path with a simulated accelerator,
// which gets everything that it can take. "gpu": the fast path with this machine's CUDA cards, "gpu:N" with those up to
// number N; kUnavailable where they are missing. "gpu-emulated": with a card that is emulated on the host. "mpi": the
// fast path over the ranks that mpirun started; not among BackendNames, for a process is a rank of one run
// (mpi/session/mpi_session.h). A name with a '/', or that ends in
// ".so", is the path of a library (backends/library/), which may throw. Throws kNotFound for another name, listing
// these.
std::unique_ptr<Session> OpenSession(std::string_view backend, const SessionOptions& options = {});
// Those that run here whatever the machine has; a bundle has no emulated GPUs.
std::span<const std::string_view> BackendNames();

// Whether the backend can run nodes of this op (for some types).
bool IsImplemented(std::string_view backend, std::string_view op);
// Whether a GPU can (for some types), so that "gpu" and "gpu-emulated" need not leave it to the CPU.
bool HasGpuKernel(std::string_view op);
// Whether it does for these values of its attributes of kind type.
bool HasGpuKernelFor(std::string_view op, const AttrMap& types);

// The device that a backend has besides the CPU, by a part of its name; empty where it has none.
std::string DeviceOf(std::string_view backend);

}  // namespace plumb
