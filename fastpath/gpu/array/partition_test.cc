#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Numbers below `lists`, in no obvious order.
Tensor Numbers(int64_t rows, int64_t lists) {
  Tensor numbers(DType::kInt32, Shape({rows}));
  int64_t i = 0;
  for (int32_t& number : numbers.mutable_data<int32_t>()) {
    number = static_cast<int32_t>((i * 7919 + i / 13) % lists);
    ++i;
  }
  return numbers;
}

Question Partition(int64_t rows, int64_t lists, int64_t inner) {
  return {"DynamicPartition",
          {Digits(Shape({rows, inner})), Numbers(rows, lists)},
          {{"T", DType::kFloat}, {"num_partitions", lists}},
          static_cast<int>(lists)};
}

// Less than a thread deals out, several times that, more threads than a block has; more lists than that many rows.
TEST(GpuDynamicPartition, KeepsTheOrderOfRows) {
  for (const int64_t rows : {1, 63, 65, 1000, 40000}) ExpectSameOnBoth(Partition(rows, 3, 2));
  ExpectSameOnBoth(Partition(3000, 200, 1));
}

TEST(GpuDynamicStitch, TheLastOfTwoStays) {
  const AttrMap attrs = {{"N", int64_t{2}}, {"T", DType::kFloat}};
  ExpectSameOnBoth({"DynamicStitch",
                    {Numbers(900, 700), Numbers(300, 1000), Digits(Shape({900, 3})), Digits(Shape({300, 3}))},
                    attrs});
}

// Rows of the result that one thread lists, and that many do.
TEST(GpuWhere, ListsElementsInTheirOrder) {
  for (const int64_t columns : {3, 500}) {
    ExpectSameOnBoth({"Where", {Digits(Shape({40, columns}), 1)}, {{"T", DType::kFloat}}});
  }
}

}  // namespace
}  // namespace plumb::fast
