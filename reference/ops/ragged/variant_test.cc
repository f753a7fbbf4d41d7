#include <gmock/gmock.h>

#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

AttrMap Encoding(int64_t rank, bool is_batch) {
  return {{"RAGGED_RANK", rank}, {"Tvalues", DType::kFloat}, {"Tsplits", DType::kInt64}, {"batched_input", is_batch}};
}
AttrMap Decoding(int64_t input_rank, int64_t output_rank, DType type = DType::kFloat) {
  return {{"input_ragged_rank", input_rank},
          {"output_ragged_rank", output_rank},
          {"Tvalues", type},
          {"Tsplits", DType::kInt64}};
}
template <class T>
std::vector<T> Elements(const Tensor& tensor) {
  return {tensor.data<T>().begin(), tensor.data<T>().end()};
}

// [[[1], [2, 3]], [[4]]]
TestGraph Nested() {
  TestGraph graph;
  graph.Value("outer", MakeVector<int64_t>({0, 2, 3})).Value("inner", MakeVector<int64_t>({0, 1, 3, 4}));
  graph.Value("values", MakeVector<float>({1, 2, 3, 4}));
  graph.Add("rows", "RaggedTensorToVariant", {"outer", "inner", "values"}, Encoding(2, true));
  graph.Add("whole", "RaggedTensorToVariant", {"outer", "inner", "values"}, Encoding(2, false));
  return graph;
}

TEST(RaggedVariant, OfABatchHoldsARowEach) {
  TestGraph graph = Nested();
  graph.Value("second", MakeVector<int32_t>({1})).Const("axis", 0);
  graph.Add("one", "GatherV2", {"rows", "second", "axis"},
            {{"Tparams", DType::kVariant}, {"Tindices", DType::kInt32}, {"Taxis", DType::kInt32}});
  graph.Add("back", "RaggedTensorFromVariant", {"one"}, Decoding(1, 2));
  graph.Add("all", "RaggedTensorFromVariant", {"rows"}, Decoding(-1, 2));
  graph.Add("no_rows", "RaggedTensorToVariant", {"values"}, Encoding(0, true));
  graph.Add("dense", "RaggedTensorFromVariant", {"no_rows"}, Decoding(0, 0));
  graph.Add("uncut", "RaggedTensorFromVariant", {"whole"}, Decoding(2, 2));
  TestSession session(graph);
  EXPECT_THAT(Elements<int64_t>(session.Run({"back:0"}).outputs.at(0)), ElementsAre(0, 1));
  EXPECT_THAT(Elements<int64_t>(session.Run({"back:1"}).outputs.at(0)), ElementsAre(0, 1));
  EXPECT_THAT(Elements<float>(session.Run({"back:2"}).outputs.at(0)), ElementsAre(4));
  EXPECT_THAT(Elements<float>(session.Run({"dense:0"}).outputs.at(0)), ElementsAre(1, 2, 3, 4));
  for (const char* const each : {"all", "uncut"}) {
    EXPECT_THAT(Elements<int64_t>(session.Run({Str(each, ":0")}).outputs.at(0)), ElementsAre(0, 2, 3));
    EXPECT_THAT(Elements<int64_t>(session.Run({Str(each, ":1")}).outputs.at(0)), ElementsAre(0, 1, 3, 4));
    EXPECT_THAT(Elements<float>(session.Run({Str(each, ":2")}).outputs.at(0)), ElementsAre(1, 2, 3, 4));
  }
}

TEST(RaggedVariant, IsTakenOutAsWhatItIs) {
  TestGraph graph = Nested();
  graph.Add("other_rank", "RaggedTensorFromVariant", {"whole"}, Decoding(1, 1));
  graph.Add("other_sum", "RaggedTensorFromVariant", {"rows"}, Decoding(2, 2));
  graph.Add("other_type", "RaggedTensorFromVariant", {"whole"}, Decoding(2, 2, DType::kInt32));
  graph.Add("none", "OptionalNone").Add("other_kind", "RaggedTensorFromVariant", {"none"}, Decoding(0, 0));
  TestSession session(graph);
  for (const char* const bad : {"other_rank:0", "other_sum:0", "other_type:0", "other_kind:0"}) {
    EXPECT_EQ(session.Run({bad}).code(), Code::kInvalidArgument) << bad;
  }
}

// As TensorFlow answers.
TEST(RaggedVariant, OfABatchWithEmptyOutermostSplitsIsInternal) {
  TestGraph graph = Nested();
  graph.Add("splits", "Placeholder", {}, {{"dtype", DType::kInt64}});
  graph.Add("unsplit", "RaggedTensorToVariant", {"splits", "values"}, Encoding(1, true));
  TestSession session(graph);
  EXPECT_EQ(session.Run({"unsplit:0"}, {{"splits", MakeVector<int64_t>({})}}).code(), Code::kInternal);
}

// Rows without elements take no memory, so that two variants of them hold more than int64 counts.
TEST(RaggedVariant, RefusesMoreRowsThanItsSplitsCount) {
  TestGraph graph;
  graph.Value("many", Tensor(DType::kFloat, {int64_t{1} << 62, 0}));
  graph.Add("whole", "RaggedTensorToVariant", {"many"}, Encoding(0, false));
  graph.Add("one", "Pack", {"whole"}, {{"N", int64_t{1}}, {"T", DType::kVariant}});
  graph.Add("two", "Pack", {"whole", "whole"}, {{"N", int64_t{2}}, {"T", DType::kVariant}});
  graph.Add("rows_of_one", "RaggedTensorFromVariant", {"one"}, Decoding(0, 1));
  graph.Add("rows_of_two", "RaggedTensorFromVariant", {"two"}, Decoding(0, 1));
  TestSession session(graph);
  EXPECT_EQ(session.Run({"rows_of_one:0"}).code(), Code::kOk);
  EXPECT_EQ(session.Run({"rows_of_two:0"}).code(), Code::kInvalidArgument);
}

TEST(RaggedVariant, GradientsAreJoinedAgain) {
  TestGraph graph;
  graph.Value("splits", MakeVector<int64_t>({0, 2, 3})).Value("values", MakeVector<float>({5, 6, 7}));
  graph.Value("shape", MakeVector<int32_t>({3})).Value("long", MakeVector<int32_t>({4}));
  graph.Add("rows", "RaggedTensorToVariant", {"splits", "values"}, Encoding(1, true));
  const AttrMap types = {{"Tvalues", DType::kFloat}, {"Tsplits", DType::kInt64}};
  graph.Add("joined", "RaggedTensorToVariantGradient", {"rows", "splits", "shape"}, types);
  graph.Add("misfit", "RaggedTensorToVariantGradient", {"rows", "splits", "long"}, types);
  graph.Value("empty", MakeVector<Variant>({{}, {}}));
  graph.Add("missing", "RaggedTensorToVariantGradient", {"empty", "splits", "shape"}, types);
  TestSession session(graph);
  EXPECT_THAT(Elements<float>(session.Run({"joined:0"}).outputs.at(0)), ElementsAre(5, 6, 7));
  EXPECT_THAT(Elements<float>(session.Run({"missing:0"}).outputs.at(0)), ElementsAre(0, 0, 0));
  EXPECT_EQ(session.Run({"misfit:0"}).code(), Code::kInvalidArgument);
}

TEST(VariantArithmetic, AddsUpWhatHasTheSameParts) {
  TestGraph graph;
  graph.Value("x", MakeVector<float>({1, 2, 3})).Value("a", MakeVector<int64_t>({0, 1, 3}));
  graph.Value("b", MakeVector<int64_t>({0, 2, 3}));
  graph.Add("r", "RaggedTensorToVariant", {"a", "x"}, Encoding(1, false));
  graph.Add("s", "RaggedTensorToVariant", {"b", "x"}, Encoding(1, false));
  graph.Add("o", "OptionalFromValue", {"x"}, {{"Toutput_types", std::vector<DType>{DType::kFloat}}});
  graph.Add("none", "OptionalNone");
  const auto sum = [&](const std::string& name, const std::vector<std::string>& terms) {
    graph.Add(name, "AddN", terms, {{"N", static_cast<int64_t>(terms.size())}, {"T", DType::kVariant}});
  };
  sum("rr", {"r", "r", "r"});
  sum("oo", {"o", "o"});
  sum("nn", {"none", "none"});
  sum("rs", {"r", "s"});
  sum("ro", {"r", "o"});
  sum("on", {"o", "none"});
  graph.Add("zero", "ZerosLike", {"o"}, {{"T", DType::kVariant}});
  graph.Add("ragged", "RaggedTensorFromVariant", {"rr"}, Decoding(1, 1)).Add("is_there", "OptionalHasValue", {"nn"});
  const AttrMap parts = {{"output_types", std::vector<DType>{DType::kFloat}},
                         {"output_shapes", std::vector<PartialShape>{PartialShape{3}}}};
  graph.Add("doubled", "OptionalGetValue", {"oo"}, parts).Add("zeros", "OptionalGetValue", {"zero"}, parts);
  TestSession session(graph);
  EXPECT_THAT(Elements<float>(session.Run({"ragged:1"}).outputs.at(0)), ElementsAre(3, 6, 9));
  EXPECT_THAT(Elements<float>(session.Run({"doubled:0"}).outputs.at(0)), ElementsAre(2, 4, 6));
  EXPECT_THAT(Elements<float>(session.Run({"zeros:0"}).outputs.at(0)), ElementsAre(0, 0, 0));
  EXPECT_FALSE(session.Run({"is_there:0"}).scalar<bool>());
  for (const char* const bad : {"rs:0", "ro:0", "on:0"}) {
    EXPECT_EQ(session.Run({bad}).code(), Code::kInvalidArgument) << bad;
  }
}

TEST(VariantArithmetic, AddsNothingToAnotherKind) {
  TestGraph graph;
  graph.Value("x", MakeVector<float>({1, 2, 3})).Value("splits", MakeVector<int64_t>({0, 1, 3}));
  graph.Value("shape", MakeVector<int32_t>({})).Value("empty", MakeScalar(Variant()));
  graph.Add("ragged", "RaggedTensorToVariant", {"splits", "x"}, Encoding(1, false));
  graph.Add("list", "TensorListFromTensor", {"x", "shape"},
            {{"element_dtype", DType::kFloat}, {"shape_type", DType::kInt32}});
  graph.Add("optional", "OptionalNone");
  std::vector<std::string> sums;
  for (const std::string a : {"ragged", "list", "optional", "empty"}) {
    for (const std::string b : {"ragged", "list", "optional", "empty"}) {
      if (a == b) continue;
      sums.push_back(a + "_and_" + b);
      graph.Add(sums.back(), "AddN", {a, b}, {{"N", int64_t{2}}, {"T", DType::kVariant}});
    }
  }
  TestSession session(graph);
  for (const std::string& sum : sums) EXPECT_EQ(session.Run({sum + ":0"}).code(), Code::kInvalidArgument) << sum;
}

}  // namespace
}  // namespace plumb::reference
