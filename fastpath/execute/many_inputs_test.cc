#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

// Adds up so many inputs, which are fed or constants, in three steps.
void ExpectSums(int inputs, const std::function<bool(int)>& is_fed) {
  TestGraph graph;
  std::vector<std::string> terms;
  int32_t constants = 0;
  for (int i = 0; i < inputs; ++i) {
    terms.push_back(is_fed(i) ? graph.Placeholder(Str("x", i), DType::kInt32) : graph.Int(Str("c", i), i));
    if (!is_fed(i)) constants += i;
  }
  graph.Add("sum", "AddN", terms, {{"T", DType::kInt32}, {"N", inputs}});
  TestSession session(graph);
  for (const int32_t step : {1, 2, 3}) {
    std::vector<Feed> feeds;
    int32_t sum = constants;
    for (int i = 0; i < inputs; ++i) {
      if (!is_fed(i)) continue;
      feeds.emplace_back(Str("x", i), MakeScalar<int32_t>(step * i * i));
      sum += step * i * i;
    }
    EXPECT_EQ(session.Scalar<int32_t>(feeds, "sum"), sum) << inputs << " inputs, step " << step;
  }
}

// A plan has a bit for each of a node's first 64 inputs, whether it is a constant, and looks the others up: on either
// side of that, constants stay and fed values are replaced from step to step.
TEST(ManyInputs, ConstantOnesStayAndFedOnesChange) {
  for (const int inputs : {2, 62, 63, 64, 65, 130}) {
    ExpectSums(inputs, [](int i) { return i % 2 == 1; });
    ExpectSums(inputs, [=](int i) { return i < inputs / 2; });
    ExpectSums(inputs, [=](int i) { return i >= inputs / 2; });
  }
}

}  // namespace
}  // namespace plumb::fast
