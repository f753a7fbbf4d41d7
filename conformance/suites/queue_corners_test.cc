// Queues of kinds that are rare, on both sides: what is not padded (rule Q41), and what is drawn anew for each queue
// (R70).
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backends.h"
#include "spec/graph/function_testing.h"

namespace plumb::conformance {
namespace {

class QueueCorners : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Backends, QueueCorners, ::testing::Values("reference", "cpu"));

// What a queue of `element`'s type gives back of all rows of it, put in one by one or row by row.
Status TakenTogether(std::string_view backend, const std::string& op, AttrMap attrs, const PartialShape& shape,
                     const Tensor& element, bool by_rows, int32_t count, Tensor* taken) {
  const std::vector<DType> types = {element.dtype()};
  attrs["component_types"] = types;
  attrs["shapes"] = std::vector{shape};
  const auto session = OpenSession(backend);
  Status status = session->Extend(MakeGraph({
      MakeNode("q", op, {}, attrs),
      MakeConst("element", element),
      MakeConst("count", MakeScalar(count)),
      MakeNode("put", by_rows ? "QueueEnqueueManyV2" : "QueueEnqueueV2", {"q", "element"}, {{"Tcomponents", types}}),
      MakeNode("take", "QueueDequeueManyV2", {"q", "count"}, {{"component_types", types}}),
  }));
  std::vector<Tensor> outputs;
  if (status.ok()) status = session->Run({.timeout_ms = 60'000}, {}, {}, {{"put"}}, &outputs, nullptr);
  if (status.ok()) status = session->Run({.timeout_ms = 60'000}, {}, {{"take"}}, {}, &outputs, nullptr);
  if (status.ok()) *taken = outputs.at(0);
  return status;
}

TEST_P(QueueCorners, ElementsOfMoreThanFourDimensionsAreNotPadded) {
  for (const int rank : {4, 5}) {
    const std::vector<int64_t> open(static_cast<size_t>(rank), -1), ones(static_cast<size_t>(rank), 1);
    Tensor taken;
    const Status status = TakenTogether(GetParam(), "PaddingFIFOQueueV2", {}, PartialShape(open),
                                        Tensor(DType::kInt32, Shape(ones)), /*by_rows=*/false, 1, &taken);
    EXPECT_EQ(status.code(), rank == 4 ? Code::kOk : Code::kUnimplemented) << rank << ": " << status.ToString();
  }
}

TEST_P(QueueCorners, QuantisedElementsAreNotPadded) {
  for (const DType type : {DType::kUint8, DType::kQuint8}) {
    Tensor taken;
    const Status status =
        TakenTogether(GetParam(), "PaddingFIFOQueueV2", {}, PartialShape({-1}), Tensor(type, Shape{2}),
                      /*by_rows=*/false, 1, &taken);
    EXPECT_EQ(status.code(), type == DType::kUint8 ? Code::kOk : Code::kUnimplemented) << status.ToString();
  }
}

// Without seeds each queue has an order of its own: of 32 elements, all but one in 32! ways are another.
TEST_P(QueueCorners, QueuesWithoutSeedsAreShuffledAnew) {
  std::vector<int32_t> numbers(32);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const int64_t seed : {0, 7}) {
    std::set<std::vector<int32_t>> orders;
    for (int queue = 0; queue < 3; ++queue) {
      Tensor taken;
      const Status status = TakenTogether(GetParam(), "RandomShuffleQueueV2", {{"seed", seed}}, PartialShape(Shape()),
                                          MakeTensor<int32_t>({32}, numbers), /*by_rows=*/true, 32, &taken);
      ASSERT_EQ(status.ToString(), "OK");
      const auto order = taken.data<int32_t>();
      orders.emplace(order.begin(), order.end());
    }
    EXPECT_EQ(orders.size(), seed == 0 ? 3u : 1u) << seed;
  }
}

}  // namespace
}  // namespace plumb::conformance
