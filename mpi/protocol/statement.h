// What a rank says of its program before the first step. All ranks of a run say the same, or none of them begins.
#pragma once

#include <string>
#include <vector>

#include "spec/graph/graph_def.h"

namespace plumb::dist {

// One setting, or one node of a graph, in words that people read.
struct Term {
  std::string name, value;
  bool operator==(const Term&) const = default;
  static void Travel(auto& self, auto& io) { io(self.name, self.value); }
};

class Statement {
 public:
  Statement() = default;
  explicit Statement(std::vector<Term> terms) : terms_(std::move(terms)) {}

  void Add(std::string name, std::string value) { terms_.push_back({std::move(name), std::move(value)}); }
  // A term for each node, in their order: its op, inputs, device and attributes.
  void AddNodes(const GraphDef& graph);

  const std::vector<Term>& terms() const { return terms_; }
  // Equal for equal statements, and for others by rare chance alone. 0 for one that says nothing.
  int64_t Fingerprint() const;

 private:
  std::vector<Term> terms_;
};

// The first term in which two ranks differ, with both sides' values; "" where there is none.
std::string FirstDifference(int rank, const Statement& own, int other, const Statement& theirs);

}  // namespace plumb::dist
