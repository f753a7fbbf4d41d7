// Random sessions, decoded from a tape: one graph with variables on two devices, and several steps that feed, fetch and
// aim at any part of it.
#pragma once

#include <vector>

#include "conformance/compare/oracle.h"
#include "property-tests/generators/declared.h"
#include "property-tests/generators/smoothness.h"
#include "property-tests/generators/tape.h"
#include "spec/graph/graph_def.h"

namespace plumb::property {

struct RandomSession {
  GraphDef graph;
  std::vector<conformance::StepRequest> steps;
};

// What touches one variable is a chain of control edges, so that every step has one outcome. Some nodes fail when they
// run: they must run only in steps that need them. `functions`: at least, as in random_graph.h. Of a backend that
// declares what it takes, nothing else is drawn; NothingToCompare where it lacks what variables of either form need.
RandomSession RandomSteps(Tape& tape, Smoothness functions = Smoothness::kBends, const Declares& declares = nullptr);

// The nodes that a step needs (rule F23): those from which a fetch or a target is reachable, once feeds have cut their
// edges. Found by search, without regard to how a session does it.
std::vector<bool> NeededBy(const GraphDef& graph, const conformance::StepRequest& step);

std::string Describe(const RandomSession& session);

}  // namespace plumb::property
