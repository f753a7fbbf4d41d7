// Every rank a process that mpirun started.
#pragma once

#include <chrono>
#include <memory>

#include "mpi/transport/transport.h"

namespace plumb::dist {

struct MpiOptions {
  // A rank from which nothing is heard for so long is lost, though its process may live.
  std::chrono::milliseconds patience{4000};
  // What is small goes to ranks of the same host through memory that they share, past MPI. All ranks alike.
  bool uses_shared_memory = true;
};

// This process's end. MPI is initialised by the first and finalised when the process ends; all ranks open together, as
// often as each other, one at a time. The thread that ends the process is the one that opened the first. A process that
// mpirun did not start is rank 0 of 1. Throws kUnimplemented where Plumb was built without MPI, kFailedPrecondition
// where MPI cannot serve.
std::unique_ptr<Transport> OpenMpi(const MpiOptions& options = {});

}  // namespace plumb::dist
