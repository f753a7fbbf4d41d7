#include "fastpath/cpu/lib/half_convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr DType kHalves[] = {DType::kHalf, DType::kBfloat16};

// Every length up to some vectors, and those around the pieces in which 16-bit values pass through float.
std::vector<int64_t> Lengths() {
  std::vector<int64_t> lengths;
  for (int64_t n = 1; n <= 70; ++n) lengths.push_back(n);
  for (const int64_t n : {511, 512, 513, 1024, 1025, 3000}) lengths.push_back(n);
  return lengths;
}

float Number(int64_t i) { return static_cast<float>(i % 47 - 20); }  // neighbouring pieces differ

Tensor Numbers(DType type, int64_t n) {
  Tensor numbers(type, {n});
  VisitType(type, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    if constexpr (std::is_constructible_v<T, float>) {
      for (int64_t i = 0; i < n; ++i) numbers.mutable_data<T>()[static_cast<size_t>(i)] = T(Number(i));
    }
  });
  return numbers;
}

// `x`, which holds scale · Number(i) + offset.
void ExpectNumbers(const Tensor& x, int64_t n, float scale, float offset = 0) {
  const Tensor wide = x.dtype() == DType::kFloat ? x : RunKernel1("Cast", {x}, {{"DstT", DType::kFloat}});
  ASSERT_EQ(wide.elements(), n);
  for (int64_t i = 0; i < n; ++i) {
    ASSERT_EQ(wide.data<float>()[static_cast<size_t>(i)], scale * Number(i) + offset)
        << DTypeName(x.dtype()) << " at " << i << " of " << n;
  }
}

TEST(HalfConvert, EveryLengthIsConvertedWhole) {
  for (const DType half : kHalves) {
    for (const int64_t n : Lengths()) {
      ExpectNumbers(Numbers(half, n), n, 1);
      ExpectNumbers(RunKernel1("Cast", {Numbers(DType::kFloat, n)}, {{"DstT", half}}), n, 1);
      const Tensor ints = RunKernel1("Cast", {Numbers(half, n)}, {{"DstT", DType::kInt32}});
      ExpectNumbers(RunKernel1("Cast", {ints}, {{"DstT", half}}), n, 1);
    }
  }
}

// What is infinite, no number, or beyond the type stands among others in every place of a vector.
TEST(HalfConvert, SpecialNumbersAreConvertedInEveryPlace) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const DType half : kHalves) {
    const float beyond = std::numeric_limits<float>::max();
    for (const int64_t n : {1, 16, 19, 70}) {
      for (size_t place = 0; place < static_cast<size_t>(n); ++place) {
        for (const float special : {kInf, -kInf, beyond, -beyond, std::numeric_limits<float>::quiet_NaN()}) {
          Tensor x = Numbers(DType::kFloat, n);
          x.mutable_data<float>()[place] = special;
          const Tensor there = RunKernel1("Cast", {x}, {{"DstT", half}});
          const Tensor back = RunKernel1("Cast", {there}, {{"DstT", DType::kFloat}});
          const float to = back.data<float>()[place];
          ASSERT_TRUE(std::isnan(special) ? std::isnan(to) : to == std::copysign(kInf, special))
              << DTypeName(half) << " of " << special << " at " << place << " of " << n;
        }
      }
    }
  }
}

TEST(HalfConvert, TruncationReachesEveryLength) {
  for (const int64_t n : Lengths()) {
    const Tensor numbers = Numbers(DType::kFloat, n);
    Tensor cut(DType::kBfloat16, {n});
    Truncate(numbers.data<float>().data(), cut.mutable_data<BFloat16>().data(), n);
    ExpectNumbers(cut, n, 1);
  }
}

TEST(HalfConvert, KernelsComputeEveryPiece) {
  for (const DType half : kHalves) {
    const Tensor two = RunKernel1("Cast", {MakeScalar(2.0f)}, {{"DstT", half}});
    for (const int64_t n : Lengths()) {
      const Tensor x = Numbers(half, n);
      ExpectNumbers(RunKernel1("Neg", {x}), n, -1);
      ExpectNumbers(RunKernel1("AddV2", {x, x}), n, 2);
      ExpectNumbers(RunKernel1("Mul", {x, two}), n, 2);
      ExpectNumbers(RunKernel1("Sub", {two, x}), n, -1, 2);
      ExpectNumbers(RunKernel1("AddN", {x, x, x}), n, 3);
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
