#include <gtest/gtest.h>

#include "fastpath/execute/counter_testing.h"

namespace plumb::fast::cpu {
namespace {

constexpr DType kInt = DType::kInt32;

AttrMap Named(const std::string& name) {
  return {{"dtype", kInt}, {"shape", PartialShape(Shape())}, {"var_name", name}};
}

// R14: in iterations of one loop that overlap.
TEST(TemporaryVariable, OfEachIterationIsItsOwn) {
  constexpr int kTrips = 5;
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Int("limit", kTrips);
  AddCounter(graph, "loop", "zero", "limit");
  graph.Add("made", "TemporaryVariable", {"^loop/body"}, Named("v"));
  graph.Op("written", "Assign", kInt, {"made", "loop/body"});  // until the step ends
  graph.Add("second", "TemporaryVariable", {"^written"}, Named("v"));
  graph.Op("other", "Identity", kInt, {"second"});
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<int32_t>({}, "loop/exit", {"written"}), kTrips);
  EXPECT_EQ(session.Try({}, {"loop/exit"}, {"other"}), Code::kAlreadyExists);
}

TEST(TemporaryVariable, IsDestroyedInItsIteration) {  // R14
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Int("limit", 3);
  AddCounter(graph, "loop", "zero", "limit");
  graph.Add("made", "TemporaryVariable", {"^loop/body"}, Named("v"));
  graph.Op("written", "Assign", kInt, {"made", "loop/body"});
  graph.Add("gone", "DestroyTemporaryVariable", {"written"}, {{"T", kInt}, {"var_name", std::string("v")}});
  graph.Add("wrong", "DestroyTemporaryVariable", {"written"}, {{"T", kInt}, {"var_name", std::string("w")}});
  TestSession session(graph);
  EXPECT_EQ(session.Scalar<int32_t>({}, "loop/exit", {"gone"}), 3);
  EXPECT_EQ(session.Try({}, {"loop/exit"}, {"wrong"}), Code::kNotFound);
}

}  // namespace
}  // namespace plumb::fast::cpu
