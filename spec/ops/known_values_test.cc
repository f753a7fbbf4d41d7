// What is known of values before the run ends at a size, of what goes in and of what comes out.
#include "spec/ops/known_values.h"

#include <gtest/gtest.h>

#include "spec/ops/shape_test_context.h"

namespace plumb {
namespace {

Tensor Ones(int64_t count) {
  Tensor ones(DType::kInt32, {count});
  for (int32_t& one : ones.mutable_data<int32_t>()) one = 1;
  return ones;
}

// The output of an op of int32 with these inputs; unset where nothing is known of it.
Tensor Known(std::string_view op, const std::vector<Tensor>& inputs, AttrMap attrs = {}) {
  std::vector<PartialShape> shapes;
  std::map<int, Tensor> values;
  for (const Tensor& input : inputs) {
    values.emplace(static_cast<int>(shapes.size()), input);
    shapes.emplace_back(input.shape());
  }
  attrs.emplace("T", DType::kInt32);
  const TestShapeContext context(GetOp(op), std::move(shapes), std::move(attrs), std::move(values));
  const DType type[] = {DType::kInt32};
  const std::vector<Tensor> known = FoldKnownValues(context, type);
  return known.empty() ? Tensor() : known[0];
}

TEST(KnownValues, AreOfNoMoreElementsThanAreFollowed) {
  const Tensor two = MakeScalar<int32_t>(2);
  EXPECT_EQ(Known("Mul", {Ones(kMaxKnownElements), two}).elements(), kMaxKnownElements);
  EXPECT_FALSE(Known("Mul", {Ones(kMaxKnownElements + 1), two}).IsSet());
  const Tensor axis = MakeVector<int32_t>({0});
  EXPECT_EQ(Known("Sum", {Ones(kMaxKnownElements), axis}).elements(), 1);
  EXPECT_FALSE(Known("Sum", {Ones(kMaxKnownElements + 1), axis}).IsSet()) << "though it is one number";
}

TEST(KnownValues, GiveNoMoreElementsThanAreFollowed) {
  const auto joined = [](int64_t a, int64_t b) {
    return Known("ConcatV2", {Ones(a), Ones(b), MakeScalar<int32_t>(0)}, {{"N", 2}, {"Tidx", DType::kInt32}});
  };
  EXPECT_EQ(joined(kMaxKnownElements - 1, 1).elements(), kMaxKnownElements);
  EXPECT_FALSE(joined(kMaxKnownElements, 1).IsSet());
  const auto range = [](int64_t limit) {
    return Known("Range", {MakeScalar<int32_t>(0), MakeScalar(static_cast<int32_t>(limit)), MakeScalar<int32_t>(1)});
  };
  EXPECT_EQ(range(kMaxKnownElements).elements(), kMaxKnownElements);
  EXPECT_FALSE(range(kMaxKnownElements + 1).IsSet());
}

}  // namespace
}  // namespace plumb
