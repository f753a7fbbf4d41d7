// Answers that are one and the same (spec/ops/equivalence.h), brought to the form in which the reference gives its own.
#pragma once

#include <complex>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/numbers/value.h"
#include "spec/graph/graph.h"
#include "spec/ops/equivalence.h"

namespace plumb::conformance {

// What the fetch, "node:output", names.
Equivalence EquivalenceOf(const GraphDef& graph, const std::string& fetch);

// Of one step's answers: `actual` with its columns multiplied, and put in an order, so that they lie as close as can be
// to the reference's. Outputs of a node come in their order, so that the second knows what was done with the first.
class Alignment {
 public:
  explicit Alignment(const GraphDef& graph) : graph_(graph) {}
  Tensor Aligned(const std::string& fetch, const Tensor& answer, const Tensor& expected);

 private:
  using Phases = std::vector<std::complex<double>>;  // by matrix, then by column
  using Orders = std::vector<int64_t>;               // which element of its row stands there, by row
  const GraphDef& graph_;
  std::map<std::string, Phases, std::less<>> phases_;  // of the last output of a node
  std::map<std::string, Orders, std::less<>> orders_;
};

// A value whose bounds no longer hold what the equivalence leaves open. They held it, twice each component or the
// distance to the others of its row, for the sake of what is computed from them.
reference::Value Settled(const reference::Value& value, Equivalence equivalence);

}  // namespace plumb::conformance
