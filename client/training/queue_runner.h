// Fills a queue from threads beside the training loop.
#pragma once

#include <vector>

#include "client/training/coordinator.h"
#include "spec/graph/meta_graph.h"
#include "spec/session/session.h"

namespace plumb {

// Runs each of the runner's enqueue nodes again and again, on a thread each, until the coordinator stops, which runs
// the cancel node and so wakes an enqueue that waits. A status that says that the data is at its end finishes one of
// the threads; the last one closes the queue, so that its readers get what is left and then kOutOfRange. Any other
// failure stops all. The session outlives the coordinator's Join.
void StartQueueRunner(const QueueRunnerNodes& runner, Session& session, Coordinator& coordinator);
// Those of all input pipelines that were built in a scope, whose graph the session has.
void StartQueueRunners(const std::vector<QueueRunnerNodes>& runners, Session& session, Coordinator& coordinator);

}  // namespace plumb
