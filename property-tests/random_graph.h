// Random graphs without cycles, decoded from a tape.
#pragma once

#include <string>
#include <vector>

#include "property-tests/tape.h"
#include "spec/graph/graph_def.h"
#include "spec/session/session.h"

namespace plumb::property {

struct RandomCase {
  GraphDef graph;
  std::vector<Feed> feeds;
  std::vector<std::string> fetches;  // at least one
  std::vector<std::string> targets;
};

struct RandomGraphOptions {
  int max_nodes = 30;
  bool special_values = true;  // NaN, infinities, zeros of both signs, extremes among the inputs
  bool smooth = false;         // only ops with a derivative everywhere that the inputs can reach
};

// Placeholders and constants of float32, float64 and int32, and ops over them whose shapes are known: elementwise with
// broadcasting, comparison and selection, reductions, matrix products, data movement. Feeds sometimes replace a value
// in the middle of the graph, fetches name some of the values, control edges are drawn where they make no cycle.
RandomCase RandomAcyclic(Tape& tape, const RandomGraphOptions& options);

// The graph as text, with what is fed and fetched: what a failing law prints.
std::string Describe(const RandomCase& random_case);

}  // namespace plumb::property
