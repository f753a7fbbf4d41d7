// Values of matrices by rows lie on the device, and travel with the matrix.
#include <gmock/gmock.h>

#include "fastpath/testing/list_graph.h"

namespace plumb::fast {
namespace {

using testing::IsSupersetOf;

const SessionOptions kHost = {.threads = 2, .allow_soft_placement = true},
                     kGpu = {.threads = 2, .emulated_gpus = 1, .allow_soft_placement = true},
                     kSim = {.threads = 2, .sim_devices = 1, .allow_soft_placement = true};
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
  const ListAnswers wanted = AnswersOf(CsrGraph("", ""), kFeeds, kFetches, kHost);
  const ListAnswers got = AnswersOf(CsrGraph("", ""), kFeeds, kFetches, kGpu);
  ExpectSameAnswers(got, wanted, kFetches);
  EXPECT_THAT(got.RanOn("GPU:0"), IsSupersetOf({"matrix", "parts", "sum"}));
  ExpectSameAnswers(AnswersOf(CsrGraph("", ""), kFeeds, kFetches, kSim), wanted, kFetches);
  EXPECT_EQ(AnswersOf(CsrGraph("", "", 4), kFeeds, kFetches, kGpu).status.code(), Code::kInvalidArgument);
}

TEST(GpuCsr, TravelsWithItsValues) {
  for (const auto& [options, device] : {std::pair(kGpu, "/device:GPU:0"), std::pair(kSim, "/device:SIM:0")}) {
    for (const bool there : {true, false}) {
      const TestGraph graph = CsrGraph(there ? "/cpu:0" : device, there ? device : "/cpu:0");
      const ListAnswers wanted = AnswersOf(graph, kFeeds, kFetches, kHost);
      ExpectSameAnswers(AnswersOf(graph, kFeeds, kFetches, options), wanted, kFetches);
    }
  }
}

}  // namespace
}  // namespace plumb::fast
