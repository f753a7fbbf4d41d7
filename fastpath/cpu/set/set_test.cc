#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;
using L = std::vector<int64_t>;

std::vector<Tensor> Operated(const char* operation, const Tensor& a, const Tensor& b) {
  return RunKernel("DenseToDenseSetOperation", {a, b}, {{"set_operation", operation}});
}

TEST(Sets, RowsAreComparedInPairs) {
  const Tensor a = MakeTensor<int32_t>({2, 3}, {5, 1, 5, 7, 8, 9}), b = MakeTensor<int32_t>({2, 2}, {1, 2, 9, 9});
  const auto common = Operated("Intersection", a, b);
  EXPECT_EQ(Values<int64_t>(common[0]), (L{0, 0, 1, 0}));
  EXPECT_EQ(Ints(common[1]), (I{1, 9}));
  EXPECT_EQ(Values<int64_t>(common[2]), (L{2, 1}));
  EXPECT_EQ(Ints(Operated("union", a, b)[1]), (I{1, 2, 5, 7, 8, 9}));
  EXPECT_EQ(Ints(Operated("a-b", a, b)[1]), (I{5, 7, 8}));
  EXPECT_EQ(Ints(Operated("b-a", a, b)[1]), (I{2}));
}

TEST(Sets, OtherOperationsAndShapesAreRefused) {
  const Tensor a = MakeTensor<int32_t>({2, 1}, {1, 2}), row = MakeTensor<int32_t>({1, 2}, {1, 2});
  const AttrMap operation = {{"set_operation", "union"}};
  EXPECT_EQ(CodeOfKernel("DenseToDenseSetOperation", {a, a}, {{"set_operation", "xor"}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DenseToDenseSetOperation", {a, row}, operation), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DenseToDenseSetOperation", {Vector({1}), Vector({1})}, operation), Code::kInvalidArgument);
}

TEST(Sets, SizesCountDifferentValues) {
  const Tensor at = MakeTensor<int64_t>({4, 2}, {0, 0, 0, 1, 2, 0, 2, 5}), shape = MakeVector<int64_t>({3, 6});
  EXPECT_EQ(Ints(RunKernel1("SetSize", {at, Vector({4, 4, 1, 2}), shape})), (I{1, 0, 2}));
  const Tensor narrow = MakeVector<int64_t>({3, 5});
  EXPECT_EQ(CodeOfKernel("SetSize", {at, Vector({4, 4, 1, 2}), narrow}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SetSize", {at, Vector({4, 4, 1, 2}), narrow}, {{"validate_indices", false}}),
            Code::kInternal);
}

// 300 members from [-5, 5), then as many that lie far apart.
TEST(Sets, AreTheSameHoweverFarTheirMembersLieApart) {
  for (const int32_t step : {1, 100000000}) {
    Tensor a(DType::kInt32, {1, 300});
    for (int32_t i = 0; i < 300; ++i) a.mutable_data<int32_t>()[static_cast<size_t>(i)] = (i * 7 % 10 - 5) * step;
    const Tensor b = MakeTensor<int32_t>({1, 2}, {4 * step, -5 * step});
    EXPECT_EQ(Ints(Operated("a-b", a, b)[1]), (I{-4 * step, -3 * step, -2 * step, -step, 0, step, 2 * step, 3 * step}));
    EXPECT_EQ(Ints(Operated("intersection", a, b)[1]), (I{-5 * step, 4 * step}));
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
