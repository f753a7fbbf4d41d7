#include "conformance/compare/row_order.h"

#include <gmock/gmock.h>

namespace plumb::conformance {
namespace {

using testing::ElementsAre;

TEST(RowOrder, FindsEachRowOnceAndPutsTheOthersInBetween) {
  const Tensor actual = MakeVector<int32_t>({7, 5, 7, 3}).Reshaped(Shape({4, 1}));
  EXPECT_THAT(OrderOfRows(actual, MakeVector<int32_t>({7, 3, 7, 5})), ElementsAre(0, 3, 2, 1));
  EXPECT_THAT(OrderOfRows(actual, MakeVector<int32_t>({7, 3, 9, 7})), ElementsAre(0, 3, 1, 2)) << "there is no 9";
  EXPECT_THAT(OrderOfRows(actual, MakeVector<int32_t>({5, 7, 7, 7})), ElementsAre(1, 0, 2, 3)) << "and two 7";
}

TEST(RowOrder, RowsAreWhole) {
  const Tensor actual = MakeVector<std::string>({"a", "bc", "ab", "c"}).Reshaped(Shape({2, 2}));
  const Tensor expected = MakeVector<std::string>({"ab", "c", "a", "bc"}).Reshaped(Shape({2, 2}));
  const std::vector<int64_t> order = OrderOfRows(actual, expected);
  EXPECT_THAT(order, ElementsAre(1, 0));
  EXPECT_TRUE(RowsInOrder(actual, order).BitwiseEquals(expected));
}

TEST(RowOrder, LeavesATensorWithOtherRows) {
  const Tensor tensor = MakeVector<float>({1, 2, 3});
  EXPECT_TRUE(RowsInOrder(tensor, {2, 0, 1}).BitwiseEquals(MakeVector<float>({3, 1, 2})));
  EXPECT_TRUE(RowsInOrder(tensor, {1, 0}).BitwiseEquals(tensor));
}

}  // namespace
}  // namespace plumb::conformance
