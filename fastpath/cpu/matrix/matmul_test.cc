#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <random>

#include "fastpath/cpu/lib/gemm.h"
#include "fastpath/cpu/lib/kernel_harness.h"
#include "fastpath/cpu/lib/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Complex = std::complex<float>;

TEST(MatMul, MultipliesRowsByColumns) {
  const Tensor a = MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}), b = MakeTensor<float>({3, 2}, {1, 0, 0, 1, 1, 1});
  EXPECT_EQ(Values<float>(RunKernel1("MatMul", {a, b})), Floats({4, 5, 10, 11}));
  const Tensor at = MakeTensor<float>({3, 2}, {1, 4, 2, 5, 3, 6}), bt = MakeTensor<float>({2, 3}, {1, 0, 1, 0, 1, 1});
  const AttrMap both = {{"transpose_a", true}, {"transpose_b", true}};
  EXPECT_EQ(Values<float>(RunKernel1("MatMul", {at, bt}, both)), Floats({4, 5, 10, 11}));
}

template <class T>
void ExpectSmallProduct() {
  const Tensor a = MakeTensor<T>({2, 2}, {T(1), T(2), T(3), T(4)}), b = MakeTensor<T>({2, 1}, {T(5), T(6)});
  const Tensor product = RunKernel1("MatMul", {a, b});
  EXPECT_TRUE(product.BitwiseEquals(MakeTensor<T>({2, 1}, {T(17), T(39)}))) << product.ToString();
}
TEST(MatMul, KnowsItsTypes) {
  ExpectSmallProduct<double>();
  ExpectSmallProduct<Half>();
  ExpectSmallProduct<BFloat16>();
  ExpectSmallProduct<int32_t>();
  ExpectSmallProduct<int64_t>();
  ExpectSmallProduct<Complex>();
  ExpectSmallProduct<std::complex<double>>();
}

TEST(MatMul, AnEmptySumIsZero) {
  const Tensor product = RunKernel1("MatMul", {Tensor(DType::kFloat, {2, 0}), Tensor(DType::kFloat, {0, 3})});
  EXPECT_EQ(Values<float>(product), Floats(6, 0));
  EXPECT_EQ(RunKernel1("MatMul", {Tensor(DType::kFloat, {0, 4}), Tensor(DType::kFloat, {4, 3})}).shape(),
            Shape({0, 3}));
}

TEST(MatMul, RefusesShapesThatDoNotFit) {
  const Tensor a(DType::kFloat, {2, 3}), b(DType::kFloat, {2, 3}), v(DType::kFloat, {3});
  EXPECT_EQ(CodeOfKernel("MatMul", {a, b}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MatMul", {a, v}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MatMul", {v, b}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MatMul", {a, a}, {{"transpose_b", true}}), Code::kOk);
}

TEST(MatMul, NotANumberAndInfinityGoThrough) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor a = MakeTensor<float>({1, 2}, {inf, 1}), b = MakeTensor<float>({2, 2}, {0, 1, 1, 1});
  const auto product = Values<float>(RunKernel1("MatMul", {a, b}));
  EXPECT_TRUE(std::isnan(product[0]));
  EXPECT_EQ(product[1], inf);
}

TEST(BatchMatMul, MultipliesMatrixByMatrix) {
  const Tensor x = MakeTensor<float>({2, 1, 2}, {1, 2, 3, 4}), y = MakeTensor<float>({2, 2, 1}, {1, 1, 2, 2});
  EXPECT_EQ(Values<float>(RunKernel1("BatchMatMul", {x, y})), Floats({3, 14}));
}

TEST(BatchMatMul, TheSecondFormBroadcasts) {
  const Tensor x = MakeTensor<float>({2, 1, 1, 2}, {1, 2, 3, 4}), y = MakeTensor<float>({3, 2, 1}, {1, 0, 0, 1, 1, 1});
  const Tensor product = RunKernel1("BatchMatMulV2", {x, y});
  EXPECT_EQ(product.shape(), Shape({2, 3, 1, 1}));
  EXPECT_EQ(Values<float>(product), Floats({1, 2, 3, 3, 4, 7}));
  EXPECT_EQ(CodeOfKernel("BatchMatMul", {x, y}), Code::kInvalidArgument);
  const Tensor z(DType::kFloat, {2, 2, 1});
  EXPECT_EQ(CodeOfKernel("BatchMatMulV2", {Tensor(DType::kFloat, {3, 1, 2}), z}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("BatchMatMulV2", {Tensor(DType::kFloat, {2}), z}), Code::kInvalidArgument);
}

TEST(BatchMatMul, TheAdjointConjugates) {
  const Tensor x = MakeTensor<Complex>({1, 1, 1}, {Complex(1, 2)}), y = MakeTensor<Complex>({1, 1, 1}, {Complex(3, 4)});
  const auto product = Values<Complex>(RunKernel1("BatchMatMul", {x, y}, {{"adj_x", true}}));
  EXPECT_EQ(product[0], Complex(11, -2));  // (1 - 2i)(3 + 4i)
}

TEST(BatchMatMul, AHugeBatchOfNothingIsNothing) {
  const int64_t many = int64_t{1} << 40;
  EXPECT_EQ(
      RunKernel1("BatchMatMulV2", {Tensor(DType::kFloat, {many, 0, 2}), Tensor(DType::kFloat, {2, 3})}).elements(), 0);
}

Tensor Random(const Shape& shape, uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> values(-1, 1);
  Tensor tensor(DType::kFloat, shape);
  for (float& value : tensor.mutable_data<float>()) value = values(generator);
  return tensor;
}

TEST(MatMul, DoesNotDependOnTheNumberOfThreads) {
  for (const Shape& mnk : {Shape{300, 200, 150}, Shape{20, 900, 300}, Shape{1000, 9, 800}, Shape{1, 3000, 3000}}) {
    const Tensor a = Random({mnk[0], mnk[2]}, 1), b = Random({mnk[2], mnk[1]}, 2);
    const Tensor one = RunKernel1("MatMul", {a, b}, {}, 1);
    EXPECT_TRUE(one.BitwiseEquals(RunKernel1("MatMul", {a, b}, {}, 3))) << mnk.ToString();
  }
}

// Every path keeps γₖ·Σ|a·b| of the exact sum, which double precision gives here to well below a float's rounding.
struct Case {
  int64_t m, n, k;
  bool ta, tb;
};
void ExpectWithinBound(const Case& c, void (*gemm)(const GemmProblem&, const float*, const float*, float*)) {
  const GemmProblem p = DenseGemm(c.m, c.n, c.k, c.ta, c.tb);
  const Tensor a = Random({c.m, c.k}, 3), b = Random({c.k, c.n}, 4);
  const float *x = a.data<float>().data(), *y = b.data<float>().data();
  std::vector<float> product(static_cast<size_t>(c.m * c.n));
  gemm(p, x, y, product.data());
  const double unit = std::numeric_limits<float>::epsilon() / 2, terms = static_cast<double>(c.k);
  const double gamma = terms * unit / (1 - terms * unit);
  for (int64_t i = 0; i < c.m; ++i) {
    for (int64_t j = 0; j < c.n; ++j) {
      double exact = 0, magnitude = 0;
      for (int64_t l = 0; l < c.k; ++l) {
        const double term = static_cast<double>(c.ta ? x[l * c.m + i] : x[i * c.k + l]) *
                            static_cast<double>(c.tb ? y[j * c.k + l] : y[l * c.n + j]);
        exact += term;
        magnitude += std::abs(term);
      }
      ASSERT_LE(std::abs(product[i * c.n + j] - exact), gamma * magnitude)
          << c.m << "x" << c.n << "x" << c.k << " at " << i << "," << j;
    }
  }
}

TEST(Gemm, TheLibraryAndOurOwnKeepTheSameBound) {
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      for (const Case& size : {Case{1, 1, 1, ta, tb}, Case{7, 33, 300, ta, tb}, Case{1, 70, 50, ta, tb},
                               Case{97, 1, 40, ta, tb}, Case{50, 160, 20, ta, tb}, Case{150, 520, 9, ta, tb}}) {
        ExpectWithinBound(size, LibraryGemm);
        ExpectWithinBound(size, SimdGemm);
        ExpectWithinBound(size, SingleThreadedGemm<float>);
      }
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
