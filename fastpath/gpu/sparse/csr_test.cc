// Values of matrices by rows lie on the device, and travel with the matrix.
#include <gmock/gmock.h>

#include "fastpath/testing/list_graph.h"

namespace plumb::fast {
namespace {

using testing::IsSupersetOf;

const std::vector<Feed> kFeeds = {{"x", MakeVector<float>({1, 2, 3})}};
const std::vector<std::string> kFetches = {"parts", "sum", "parts:2"};

TestGraph CsrGraph(const std::string& made_on, const std::string& taken_on, int64_t column = 1) {
  ListGraph graph;
  graph.Placeholder("x", DType::kFloat);
  graph.Const("at", MakeTensor<int64_t>({3, 2}, {0, 2, 2, 0, 2, column}));
  graph.Const("shape", MakeVector<int64_t>({3, 4}));
  graph.Op("twice", "AddV2", DType::kFloat, {"x", "x"});
  graph.Add("matrix", "SparseTensorToCSRSparseMatrix", {"at", "twice", "shape"}, {{"T", DType::kFloat}}, made_on);
  graph.Add("parts", "CSRSparseMatrixToSparseTensor", {"matrix"}, {{"type", DType::kFloat}}, taken_on);
  graph.Op("sum", "AddV2", DType::kFloat, {"parts:1", "x"});
  return graph;
}

TEST(GpuCsr, KeepsItsValuesOnTheDevice) {
  const ListAnswers wanted = AnswersOf(CsrGraph("", ""), kFeeds, kFetches, kOnHost);
  const ListAnswers got = AnswersOf(CsrGraph("", ""), kFeeds, kFetches, kBesideGpu);
  ExpectSameAnswers(got, wanted, kFetches);
  EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"matrix", "parts", "sum"}));
  ExpectSameAnswers(AnswersOf(CsrGraph("", ""), kFeeds, kFetches, kBesideSim), wanted, kFetches);
  EXPECT_EQ(AnswersOf(CsrGraph("", "", 4), kFeeds, kFetches, kBesideGpu).status.code(), Code::kInvalidArgument);
}

TEST(GpuCsr, TravelsWithItsValues) {
  ExpectTravels([](const char* made_on, const char* taken_on) { return CsrGraph(made_on, taken_on); }, kFeeds,
                kFetches);
}

}  // namespace
}  // namespace plumb::fast
