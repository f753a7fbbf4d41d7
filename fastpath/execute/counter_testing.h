// The loop that tests of frames begin with.
#pragma once

#include <string>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {

// while (i < limit) i = i + 1, from `start`, in the frame `name`. Nodes are called name/….
inline void AddCounter(TestGraph& graph, const std::string& name, const std::string& start, const std::string& limit,
                       int parallel_iterations = 10) {
  const auto n = [&](const char* part) { return name + "/" + part; };
  graph.Enter(n("enter"), DType::kInt32, {start}, name, false, parallel_iterations);
  graph.Enter(n("limit"), DType::kInt32, {limit}, name, true, parallel_iterations);
  graph.Merge(n("merge"), DType::kInt32, {n("enter"), n("next")}, 2);
  graph.Op(n("less"), "Less", DType::kInt32, {n("merge"), n("limit")});
  graph.Add(n("cond"), "LoopCond", {n("less")});
  graph.Op(n("switch"), "Switch", DType::kInt32, {n("merge"), n("cond")});
  graph.Op(n("body"), "Identity", DType::kInt32, {n("switch") + ":1"});
  graph.Int(n("one"), 1, {"^" + n("body")});
  graph.Op(n("add"), "Add", DType::kInt32, {n("body"), n("one")});
  graph.Op(n("next"), "NextIteration", DType::kInt32, {n("add")});
  graph.Op(n("exit"), "Exit", DType::kInt32, {n("switch")});
}

}  // namespace plumb::fast
