#include <gmock/gmock.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;
using Types = std::vector<DType>;

// Two rows: {a, b} and {c}, by 1 and 2, with a sparse 9 in the second row.
TestGraph Inputs() {
  TestGraph graph;
  graph.Value("ragged", MakeVector<std::string>({"a", "b", "c"})).Value("splits", MakeVector<int32_t>({0, 2, 3}));
  graph.Value("indices", MakeTensor<int64_t>({1, 2}, {1, 0})).Value("sparse", MakeVector<int64_t>({9}));
  graph.Value("shape", MakeVector<int64_t>({2, 1})).Value("dense", MakeTensor<int64_t>({2, 2}, {1, 2, 1, 2}));
  return graph;
}

AttrMap Crossing(const std::string& order, const Types& ragged, const Types& sparse, const Types& dense, DType out) {
  return {{"Nsparse", static_cast<int64_t>(sparse.size())},
          {"input_order", order},
          {"hashed_output", out == DType::kInt64},
          {"num_buckets", int64_t{100}},
          {"hash_key", int64_t{7}},
          {"ragged_values_types", ragged},
          {"ragged_splits_types", Types(ragged.size(), DType::kInt32)},
          {"sparse_values_types", sparse},
          {"dense_types", dense},
          {"out_values_type", out},
          {"out_row_splits_type", DType::kInt64}};
}

template <class T>
std::vector<T> Elements(const RunResult& result) {
  const auto elements = result.outputs.at(0).data<T>();
  return {elements.begin(), elements.end()};
}

const Types kStrings = {DType::kString}, kInts = {DType::kInt64};

TEST(RaggedCross, TakesInputsInTheirOrder) {
  TestGraph graph = Inputs();
  graph.Add("two", "RaggedCross", {"ragged", "splits", "dense"}, Crossing("DR", kStrings, {}, kInts, DType::kString));
  graph.Add("all", "RaggedCross", {"ragged", "splits", "indices", "sparse", "shape", "dense"},
            Crossing("RSD", kStrings, kInts, kInts, DType::kString));
  TestSession session(graph);
  EXPECT_THAT(Elements<std::string>(session.Run({"two:0"})),
              ElementsAre("1_X_a", "1_X_b", "2_X_a", "2_X_b", "1_X_c", "2_X_c"));
  EXPECT_THAT(Elements<int64_t>(session.Run({"two:1"})), ElementsAre(0, 4, 6));
  EXPECT_THAT(Elements<std::string>(session.Run({"all:0"})), ElementsAre("c_X_9_X_1", "c_X_9_X_2"));
  EXPECT_THAT(Elements<int64_t>(session.Run({"all:1"})), ElementsAre(0, 0, 2));
}

// Matrices have the same crosses as those of SparseCross.
TEST(RaggedCross, HashesAsSparseCrossDoes) {
  TestGraph graph = Inputs();
  graph.Add("ragged_cross", "RaggedCross", {"dense"}, Crossing("D", {}, {}, kInts, DType::kInt64));
  graph.Add("sparse_cross", "SparseCross", {"dense"},
            {{"N", int64_t{0}},
             {"hashed_output", true},
             {"num_buckets", int64_t{100}},
             {"hash_key", int64_t{7}},
             {"sparse_types", Types()},
             {"dense_types", kInts},
             {"out_type", DType::kInt64},
             {"internal_type", DType::kInt64}});
  TestSession session(graph);
  EXPECT_EQ(Elements<int64_t>(session.Run({"ragged_cross:0"})), Elements<int64_t>(session.Run({"sparse_cross:1"})));
}

TEST(RaggedCross, RefusesRowsThatDoNotMatch) {
  TestGraph graph = Inputs();
  graph.Value("short", MakeVector<int32_t>({0, 3})).Value("beyond", MakeVector<int32_t>({0, 2, 4}));
  const AttrMap attrs = Crossing("RD", kStrings, {}, kInts, DType::kString);
  graph.Add("fewer", "RaggedCross", {"ragged", "short", "dense"}, attrs);
  graph.Add("more", "RaggedCross", {"ragged", "beyond", "dense"}, attrs);
  graph.Add("letters", "RaggedCross", {"ragged", "splits", "dense"},
            Crossing("RX", kStrings, {}, kInts, DType::kString));
  graph.Add("twice", "RaggedCross", {"ragged", "splits", "dense"}, Crossing("RR", kStrings, {}, kInts, DType::kString));
  TestSession session(graph);
  for (const char* const bad : {"fewer:0", "more:0", "letters:0", "twice:0"}) {
    EXPECT_EQ(session.Run({bad}).code(), Code::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace plumb::reference
