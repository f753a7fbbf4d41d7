// What a backend of somebody else declares, so that generators draw nothing else.
#pragma once

#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "spec/core/attr.h"
#include "spec/graph/builder.h"
#include "spec/graph/graph_def.h"

namespace plumb::property {

// Whether the backend takes nodes of this op with these types. Null: it takes every row of the catalogue.
using Declares = std::function<bool(std::string_view op, const AttrMap& types)>;

// Whether it takes a node with these attributes, of which the types count.
bool Takes(const Declares& declares, std::string_view op, const AttrMap& attrs);

// What it does not take of the graph's nodes: "Merge (T=float32)", each once.
std::set<std::string> Undeclared(const Declares& declares, const GraphDef& graph);

// Whether it takes all nodes that `build` adds to an empty graph.
template <class Build>
bool TakesAll(const Declares& declares, const Build& build) {
  if (!declares) return true;
  GraphBuilder builder;
  build(builder);
  return Undeclared(declares, builder.ToGraphDef()).empty();
}

// Thrown where a backend declares too little for a case to be drawn; says what is lacking.
class NothingToCompare : public std::runtime_error {
 public:
  // "of conditionals, the backend does not declare Merge (T=float32), Switch (T=bool)"
  NothingToCompare(std::string_view whose, const std::set<std::string>& lacking);
};

}  // namespace plumb::property
