// Random calls of functions: what a random graph computes, computed by a function.
#pragma once

#include "property-tests/random_graph.h"

namespace plumb::property {

// The same feeds, fetches and targets, of a graph in which a function computes them: its body is the part of the graph
// that the request needs. It is called by its name, by reference, on one of two equal branches, or by another function.
RandomCase InFunction(Tape& tape, const RandomCase& original);

}  // namespace plumb::property
