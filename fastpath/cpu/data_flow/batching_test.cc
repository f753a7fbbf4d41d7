// Parts of batches between the steps of one session, and sessions that are saved with them (rules BT1–BT4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fastpath/testing/test_graph.h"
#include "spec/session/hand_over.h"

namespace plumb::fast {
namespace {

using ::testing::ElementsAre;

// Rows {1, 2, 3}, of which the first is part 7 and the others part 8, asked for by whoever is 7 or 8.
TestGraph Graph() {
  TestGraph graph;
  graph.Const("rows", MakeVector<int64_t>({1, 2, 3}));
  graph.Const("none", Tensor(DType::kInt64, {0}));
  graph.Const("index", MakeTensor<int64_t>({2, 3}, {7, 0, 1, 8, 1, 3}));
  graph.Const("no_index", Tensor(DType::kInt64, {0, 3}));
  graph.Const("seven", MakeScalar<int64_t>(7));
  graph.Const("eight", MakeScalar<int64_t>(8));
  const AttrMap attrs = {
      {"timeout_micros", int64_t{1000}}, {"T", DType::kInt64}, {"shared_name", std::string("parts")}};
  graph.Add("eighth", "Unbatch", {"rows", "index", "eight"}, attrs);
  graph.Add("seventh", "Unbatch", {"none", "no_index", "seven"}, attrs);
  return graph;
}

Status Fetched(Session& session, const std::string& name, std::vector<int64_t>* numbers) {
  const std::vector<std::string> fetches = {name}, none;
  std::vector<Tensor> outputs;
  const Status status = session.Run({.timeout_ms = 60'000}, {}, fetches, none, &outputs, nullptr);
  if (status.ok()) *numbers = ToInt64s(outputs[0]);
  return status;
}

TEST(Batching, APartIsThereForAnotherStep) {
  const auto session = NewFastSession({.threads = 2});
  ASSERT_TRUE(session->Extend(Graph().def()).ok());
  std::vector<int64_t> numbers;
  EXPECT_EQ(Fetched(*session, "seventh:0", &numbers).code(), Code::kDeadlineExceeded);
  EXPECT_TRUE(Fetched(*session, "eighth:0", &numbers).ok());
  EXPECT_THAT(numbers, ElementsAre(2, 3));
  EXPECT_TRUE(Fetched(*session, "seventh:0", &numbers).ok());
  EXPECT_THAT(numbers, ElementsAre(1));
}

TEST(Batching, PartsAreSavedWithTheirSession) {
  const auto session = NewFastSession({.threads = 1}), other = NewFastSession({.threads = 1});
  for (const auto* each : {&session, &other}) ASSERT_TRUE((*each)->Extend(Graph().def()).ok());
  std::vector<int64_t> numbers;
  ASSERT_TRUE(Fetched(*session, "eighth:0", &numbers).ok());
  ASSERT_EQ(HandOver(*session, *other).ToString(), "OK");
  ASSERT_TRUE(Fetched(*other, "seventh:0", &numbers).ok());
  EXPECT_THAT(numbers, ElementsAre(1));
}

}  // namespace
}  // namespace plumb::fast
