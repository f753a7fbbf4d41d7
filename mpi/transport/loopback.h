// All ranks in one process, each with a thread of its own: what tests run on.
#pragma once

#include <memory>
#include <vector>

#include "mpi/transport/transport.h"

namespace plumb::dist {

// One end per rank. Payloads go by reference: none is copied, and no receiver is asked for a place. Ranks that share
// memory have areas, as ranks of one host do; by reference they need none.
std::vector<std::unique_ptr<Transport>> NewLoopback(int ranks, bool shares_memory = false);

// For tests: ends this end, which NewLoopback made, as SIGKILL ends a process: without a word, and what had not arrived
// is lost. The others are told that it is gone.
void Crash(Transport& end);

}  // namespace plumb::dist
