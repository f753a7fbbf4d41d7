// Random graphs without cycles, decoded from a tape.
#pragma once

#include <string>
#include <vector>

#include "property-tests/generators/declared.h"
#include "property-tests/generators/smoothness.h"
#include "property-tests/generators/tape.h"
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
  // Of the functions that are applied to values of the graph, at least. Behind a jump, a difference that is allowed
  // (the sign of a zero, a rounding) grows to any size, so what is judged by bounds is to be continuous.
  Smoothness functions = Smoothness::kBends;
  int percent_large = 0;  // of the graphs: one has a value of more than 100,000 elements, and others made of it
  Declares declares = nullptr;
};

// Placeholders and constants, and any rows of the catalogue that can stand alone (rows.h): on the inputs that a row's
// sample describes, and in their place values of the graph, wherever the sample lets any stand. Feeds sometimes replace
// a value in the middle of the graph, fetches name some of the values, control edges are drawn where they make no
// cycle. Of a backend that declares what it takes, nothing else is drawn; NothingToCompare unless it takes Placeholder
// and Identity of one of the types of sources, float32, float64 and int32.
RandomCase RandomAcyclic(Tape& tape, const RandomGraphOptions& options);

// The graph as text, with what is fed and fetched: what a failing law prints.
std::string Describe(const RandomCase& random_case);

}  // namespace plumb::property
