// Steps over the ranks of a cluster, for laws: where nodes lie, and what is between the ranks.
#pragma once

#include <functional>
#include <memory>

#include "mpi/session/cluster_testing.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/generators/tape.h"

namespace plumb::property {

// Asks for a task, a CPU of it, or nothing, node by node.
GraphDef SpreadOverTasks(GraphDef graph, Tape& tape, int ranks);

// Workers with so many CPUs each: over loopback, or over links with delays that are drawn, in virtual time or by the
// clock.
std::unique_ptr<dist::TestCluster> AnyCluster(Tape& tape, int ranks, int threads, int cpus);

// One to four ranks; any of them has the client, and takes the step of the case twice.
void CheckSpread(Tape& tape, const RandomCase& random_case);
// The same in a session that `open` opens over so many ranks.
using Opened = std::function<std::unique_ptr<Session>(const SessionOptions& options)>;
void CheckSpreadOver(int ranks, Tape& tape, const RandomCase& random_case, const Opened& open);
// A step is traced on the client's rank; then nodes lie where PlaceByCost says, over links that cost next to nothing.
void CheckPlacedByCost(Tape& tape, const RandomCase& random_case);
// A step during which a rank dies, or is cut off, at any point: it gives what the reference allows, or says which
// rank was lost; and it ends.
void CheckLosses(Tape& tape, const RandomCase& random_case);

}  // namespace plumb::property
