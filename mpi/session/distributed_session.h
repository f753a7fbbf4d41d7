// A session whose steps run on all ranks of a cluster. Each rank that has clients is the master of its own graphs;
// variables that lie on one task are shared by all of them, by container and name (rule R1).
#pragma once

#include <memory>

#include "mpi/worker/server.h"
#include "spec/session/session.h"

namespace plumb::dist {

// `options`: threads and devices are the server's.
std::unique_ptr<Session> NewDistributedSession(std::shared_ptr<Server> server, const SessionOptions& options);

}  // namespace plumb::dist
