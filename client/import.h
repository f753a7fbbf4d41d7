// A graph that was written down, as part of a graph under construction.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "client/scope.h"
#include "spec/graph/graph_def.h"

namespace plumb {

struct ImportOptions {
  std::string name = {};  // the imported nodes are called "name/…", made unique; empty: they keep their names
  // Instead of an output of the imported graph ("x", "x:1"), its consumers use an output of the scope.
  std::map<std::string, Output> replace = {};
};

class ImportedGraph {
 public:
  // "node" or "node:1", by its name in the GraphDef. Throws kInvalidArgument when there is none.
  Output operator[](std::string_view output) const;
  NodeId Node(std::string_view name) const;

 private:
  friend ImportedGraph ImportGraph(Scope& scope, const GraphDef& def, const ImportOptions& options);
  GraphBuilder* builder_ = nullptr;
  std::map<std::string, NodeId, std::less<>> nodes_;
};

// Checks `def` as a session does (Graph::Load), then builds its nodes in `scope`, inside the current scopes of names,
// devices and order. The scope's graph becomes one of the older of both producers, for an older graph may hold ops that
// newer ones may not (rules V2, V3). Its functions join those of the scope under their names, so that two of one name
// must be equal (rule FN2). Loops come without what gradients need to know of them: they run, but `Gradients` refuses
// to pass through them. Throws kInvalidArgument, too, for a replacement of an output that is not there or of another
// type.
ImportedGraph ImportGraph(Scope& scope, const GraphDef& def, const ImportOptions& options = {});

}  // namespace plumb
