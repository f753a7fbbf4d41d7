// The session of a process that mpirun started.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mpi/protocol/statement.h"
#include "mpi/transport/transport.h"
#include "spec/session/session.h"

namespace plumb::dist {

// Every rank runs the same program through this. The first call makes the process a task of the cluster:
//   PLUMB_CLUSTER   "ps=1,worker=3": which rank is which task; without it all are workers
//   PLUMB_CLIENTS   "workers": each worker runs the program (between-graph replicas); "first": the first worker does,
//                   and the others serve it (one graph that names all tasks)
//   PLUMB_WIRE      "exact", "bfloat16" or "bfloat16-rounded": how float32 values travel to other tasks
//   PLUMB_PROGRAM   any text, such as a version: what the ranks' programs have alike
// All ranks have the same settings.
// A rank that has no client serves inside of the call until all that have one have ended; then its process ends well.
// Throws kInvalidArgument where the cluster does not fit the ranks, kFailedPrecondition where ranks disagree, what the
// run has failed of on a rank that serves, and as OpenMpi.
// A run lives as long as all of its ranks do. When one dies, falls silent, or ends with an exit code other than 0,
// every step fails on all others, and no process of the run ends with 0.
std::unique_ptr<Session> OpenMpiSession(const SessionOptions& options);

// The program of this rank fails, and is about to end with another exit code than 0: the others are told why, at once.
// Where the run has failed before, that failure counts. From the first session on; before it nobody is waiting.
void AbandonRun(const Status& status);

// Before the first session: what all ranks have to say alike of their programs, or else the call above throws on every
// rank, with the first difference and both sides' values.
void StateProgram(Statement statement);

// What the processes of a run know of each other beside the steps. From the first session on.
struct Fellows {
  int rank = 0;
  std::vector<std::string> tasks = {};  // by rank: "/job:worker/replica:0/task:1"
  std::vector<std::string> hosts = {};  // by rank
};
Fellows FellowsOfThisProcess();
// What went through its wires since it joined the run.
Traffic TrafficOfThisProcess();
// Tells a rank a text on a topic; by rank what each has told this one last.
void TellRank(int rank, const std::string& topic, std::string text);
std::map<int, std::string> ToldByRanks(const std::string& topic);
// By how many nanoseconds a rank's clock is ahead of this one's, and how far that may be wrong. Throws kUnavailable
// where the rank is lost.
struct RankClock {
  int64_t ahead_ns = 0;
  int64_t error_ns = 0;
};
RankClock ClockOfRank(int rank);

}  // namespace plumb::dist
