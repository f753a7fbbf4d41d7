// Sizes that ops are told as int32: the largest is taken, and one beyond is refused or computed by the graph.
#include <gtest/gtest.h>

#include "client/dimensions.h"
#include "client/initializers.h"
#include "client/input/batch.h"
#include "client/input/bucket.h"
#include "client/rnn/cell.h"
#include "client/tensor_array.h"
#include "spec/core/status_testing.h"
#include "spec/ops/catalogue.h"

namespace plumb {
namespace {

constexpr int64_t kMost = INT32_MAX;

template <class Make>
void ExpectTakenUpTo32Bits(const Make& make) {
  EXPECT_EQ(StatusOf([&] { make(kMost); }).ToString(), "OK");
  const Status status = StatusOf([&] { make(kMost + 1); });
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_NE(status.message().find("2147483648"), std::string::npos) << status.message();
}

TEST(Int32Sizes, OfShapesAndStates) {
  Scope scope;
  ExpectTakenUpTo32Bits([&](int64_t size) { Filled(scope, DType::kFloat, Shape{size, 0}, 1); });
  ExpectTakenUpTo32Bits([&](int64_t size) { ZerosForBatch(scope, Constant(scope, 1), size, DType::kFloat); });
}

TEST(Int32Sizes, OfBatches) {
  Scope scope;
  const Output example = Constant(scope, 1.0F), which = Constant(scope, 0);
  ExpectTakenUpTo32Bits([&](int64_t size) { Batch(scope, {example}, {.batch_size = size}); });
  ExpectTakenUpTo32Bits([&](int64_t size) { Bucket(scope, {example}, which, 1, {.batch_sizes = {size}}); });
}

TEST(Int32Sizes, AreConstantsWhereTheyAreKnown) {
  Scope scope;
  const auto ops_of = [&](int64_t size) {
    const AttrMap attrs = {{"dtype", DType::kFloat}, {"shape", PartialShape{size, 2}}};
    const Output value = scope.Call("Placeholder", {}, attrs);
    const auto op_of = [&](Output number) { return scope.builder().graph().node(number.endpoint.node).op->name; };
    EXPECT_EQ(op_of(DimensionOf(scope, value, 0)), op_of(FirstDimension(value)));
    return op_of(DimensionOf(scope, value, 0));
  };
  EXPECT_EQ(ops_of(kMost), "Const");
  EXPECT_EQ(ops_of(kMost + 1), "StridedSlice");
}

}  // namespace
}  // namespace plumb
