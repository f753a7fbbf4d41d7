// What rows of single ops are made of.
#pragma once

#include <string>
#include <vector>

#include "bench/graphs/graphs.h"
#include "client/ops.h"
#include "client/scope.h"

namespace plumb::bench {

inline constexpr int kCalls = 100;  // of a node that takes no time by itself

// The row of an op: a step runs `target`, and holds so many units of work.
inline BenchGraph Named(const std::string& name, const std::string& family, const Scope& scope, NodeId target,
                        double items = 1) {
  BenchGraph bench;
  bench.name = name;
  bench.family = family;
  bench.items = items;
  bench.graph = scope.ToGraphDef();
  bench.targets = {scope.NameOf(target)};
  return bench;
}

inline Output Text(Scope& scope, const std::string& text) { return Constant(scope, text); }

inline Tensor Texts(const std::vector<std::string>& texts) {
  return MakeTensor<std::string>({std::ssize(texts)}, texts);
}

// The rows of ops that read texts and messages; files that they read are written into the folder.
std::vector<BenchGraph> ParsingGraphs(const std::string& folder);

}  // namespace plumb::bench
