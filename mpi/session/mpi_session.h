// The session of a process that mpirun started.
#pragma once

#include <memory>

#include "spec/session/session.h"

namespace plumb::dist {

// Every rank runs the same program through this. The first call makes the process a task of the cluster:
//   PLUMB_CLUSTER   "ps=1,worker=3": which rank is which task; without it all are workers
//   PLUMB_CLIENTS   "workers": each worker runs the program (between-graph replicas); "first": the first worker does,
//                   and the others serve it (one graph that names all tasks)
//   PLUMB_WIRE      "exact", "bfloat16" or "bfloat16-rounded": how float32 values travel to other tasks
// A rank that has no client serves inside of the call until all that have one have ended; then its process ends well.
// Throws kInvalidArgument where the cluster does not fit the ranks, kFailedPrecondition where ranks disagree, and as
// OpenMpi.
std::unique_ptr<Session> OpenMpiSession(const SessionOptions& options);

}  // namespace plumb::dist
