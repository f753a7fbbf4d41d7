// Traces of a run as one file that Chrome (chrome://tracing) and Perfetto show.
#pragma once

#include <map>
#include <string>

#include "spec/session/session.h"

namespace plumb::tools {

// What is known of one rank.
struct TracedRank {
  std::string task;  // "/job:worker/replica:0/task:1": what its devices' names begin with
  std::string host;
  double clock_error_us = 0;  // by which its times may lie beside those of the rank that writes
};

// One event for each node, in microseconds from the first; each rank is a process, each of its threads and each node
// that waits beside another one a row in it (mpi/worker/tracing.h says how traces show that a node waits). Devices of
// no rank are left out.
std::string ChromeTrace(const RunMetadata& metadata, const std::map<int, TracedRank>& ranks);

// Notes a whole step beside the nodes that `metadata` has of it.
void AddStep(RunMetadata& metadata, const std::string& task, int64_t number, int64_t begin_ns, int64_t end_ns);

}  // namespace plumb::tools
