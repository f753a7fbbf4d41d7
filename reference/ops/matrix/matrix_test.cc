#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsNan;

KernelCall MatMul(Value a, Value b, bool transpose_a = false, bool transpose_b = false) {
  return {.op = "MatMul",
          .inputs = {a, b},
          .attrs = {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}},
          .accuracy = Summation()};
}

const Value kA = MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}), kB = MakeTensor<float>({3, 1}, {1, 0, -1});

TEST(Matrix, MultipliesAsTheTransposesSay) {
  EXPECT_THAT(Floats(MatMul(kA, kB)()), ElementsAre(-2, -2));
  EXPECT_THAT(Floats(MatMul(kA, kA, true)()), ElementsAre(17, 22, 27, 22, 29, 36, 27, 36, 45));
  EXPECT_THAT(Floats(MatMul(kA, kA, false, true)()), ElementsAre(14, 32, 32, 77));
}

TEST(Matrix, SizesMustFit) {
  EXPECT_EQ(MatMul(kA, kA).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(MatMul(kA, Vector({1, 2, 3})).Fails(), Code::kInvalidArgument);
}

TEST(Matrix, AnEmptyInnerDimensionGivesZeros) {
  const Value product = MatMul(MakeTensor<float>({2, 0}, {}), MakeTensor<float>({0, 1}, {}))();
  EXPECT_THAT(Floats(product), ElementsAre(0, 0));
}

// N6: TensorFlow answers 0.
TEST(Matrix, SubnormalFactorsMayBeTakenForZero) {
  const float small = std::numeric_limits<float>::denorm_min() * 1000;
  const Value sums = MatMul(MakeTensor<float>({1, 2}, {small, small}), MakeTensor<float>({2, 1}, {0x1p80f, 0x1p80f}))();
  ASSERT_GT(Floats(sums)[0], SmallestNormal(DType::kFloat));
  EXPECT_GE(Bounds(sums)[0], Floats(sums)[0]);
  const float normal = std::numeric_limits<float>::min();
  const Value of_normals = MatMul(MakeTensor<float>({1, 1}, {normal}), MakeTensor<float>({1, 1}, {0x1p80f}))();
  EXPECT_LT(Bounds(of_normals)[0], Floats(of_normals)[0]);
}

TEST(Matrix, IntegersWrap) {
  const Value big = MakeTensor<int64_t>({1, 2}, {INT64_MAX, INT64_MAX}), small = MakeTensor<int64_t>({2, 1}, {2, 2});
  EXPECT_THAT(Integers(MatMul(big, small)()), ElementsAre(-4));
}

TEST(Matrix, ZerosOfASparseSideMeetNothing) {  // as TensorFlow answers
  const Value zeros = MakeTensor<float>({2, 2}, {0, 1, -0.0F, 2}), other = MakeTensor<float>({2, 2}, {NAN, NAN, 1, 2});
  const auto product = [](const Value& a, const Value& b, bool a_is_sparse, bool b_is_sparse) {
    const AttrMap attrs = {
        {"transpose_a", false}, {"transpose_b", false}, {"a_is_sparse", a_is_sparse}, {"b_is_sparse", b_is_sparse}};
    return Floats(KernelCall{.op = "SparseMatMul", .inputs = {a, b}, .attrs = attrs, .accuracy = Summation()}());
  };
  EXPECT_THAT(product(zeros, other, true, true), ElementsAre(1, 2, 2, 4));
  EXPECT_THAT(product(zeros, other, false, true), Each(IsNan())) << "b has no zeros";
  EXPECT_THAT(product(zeros, other, false, false), Each(IsNan()));
  EXPECT_THAT(product(other, zeros, false, true), ElementsAre(0, IsNan(), 0, 5));
  EXPECT_THAT(product(other, zeros, true, true), ElementsAre(IsNan(), IsNan(), 0, 5)) << "a alone is gone through";
}

TEST(Matrix, BatchesBroadcastAndAdjointsConjugate) {
  using C = std::complex<float>;
  const Value x = MakeTensor<C>({1, 1, 1}, {C(0, 1)}), y = MakeTensor<C>({2, 1, 1}, {C(1, 0), C(0, 2)});
  const Value z = KernelCall{"BatchMatMulV2", {x, y}, {{"adj_x", true}, {"adj_y", false}}}();
  EXPECT_EQ(z.tensor.shape(), Shape({2, 1, 1}));
  EXPECT_EQ(z.tensor.data<C>()[0], C(0, -1));
  EXPECT_EQ(z.tensor.data<C>()[1], C(2, 0));
  EXPECT_EQ((KernelCall{"BatchMatMul", {x, y}, {{"adj_x", true}, {"adj_y", false}}}.Fails()), Code::kInvalidArgument);
}

TEST(Matrix, BoundsCoverMovedInputsAndFloatArithmetic) {
  const Value a = WithBound(MakeTensor<float>({1, 3}, {1.1f, 2.3f, -3.7f}), {1e-3, 1e-3, 1e-3});
  const Value b = MakeTensor<float>({3, 1}, {0.7f, -0.9f, 1.3f});
  const Value c = MatMul(a, b)();
  const float moved = ((1.1f + 0.9e-3f) * 0.7f + (2.3f - 0.9e-3f) * -0.9f) + (-3.7f + 0.9e-3f) * 1.3f;
  const double error = std::fabs(moved - Floats(c)[0]);
  EXPECT_LE(error, Bounds(c)[0]);
  EXPECT_GT(error, 0.8 * Bounds(c)[0]) << "the bound is of the size of what it bounds";
}

TEST(Matrix, TangentsFollowTheProductRule) {
  const Value a = WithTangent(MakeTensor<float>({1, 2}, {1, 2}), {1, 0});
  const Value b = WithTangent(MakeTensor<float>({2, 1}, {3, 4}), {0, 1});
  EXPECT_THAT(Tangents(MatMul(a, b)()), ElementsAre(3 + 2));
}

}  // namespace
}  // namespace plumb::reference
