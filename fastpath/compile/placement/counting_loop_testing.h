// For tests: a loop that counts to five, and computes beside it.
#pragma once

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {

// Counts by int32 ("i", "i_now", "less", "goes_on", "i_switch", "i_sum", "i_next") and takes Tanh of "x" in each
// iteration ("start", "v", "v_now", "v_switch", "v_tanh", "v_next"); "v_exit" is what comes out.
inline TestGraph CountingLoop() {
  constexpr DType kFloat = DType::kFloat, kInt = DType::kInt32;
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Int("zero", 0);
  graph.Int("limit", 5);
  graph.Int("unit", 1);
  graph.Op("start", "Tanh", kFloat, {"x"});
  graph.Enter("i", kInt, {"zero"}, "loop");
  graph.Enter("most", kInt, {"limit"}, "loop", true);
  graph.Enter("one", kInt, {"unit"}, "loop", true);
  graph.Enter("v", kFloat, {"start"}, "loop");
  graph.Merge("i_now", kInt, {"i", "i_next"}, 2);
  graph.Merge("v_now", kFloat, {"v", "v_next"}, 2);
  graph.Op("less", "Less", kInt, {"i_now", "most"});
  graph.Add("goes_on", "LoopCond", {"less"});
  graph.Op("i_switch", "Switch", kInt, {"i_now", "goes_on"});
  graph.Op("v_switch", "Switch", kFloat, {"v_now", "goes_on"});
  graph.Op("i_sum", "Add", kInt, {"i_switch:1", "one"});
  graph.Op("v_tanh", "Tanh", kFloat, {"v_switch:1"});
  graph.Op("i_next", "NextIteration", kInt, {"i_sum"});
  graph.Op("v_next", "NextIteration", kFloat, {"v_tanh"});
  graph.Op("v_exit", "Exit", kFloat, {"v_switch"});
  return graph;
}

}  // namespace plumb::fast
