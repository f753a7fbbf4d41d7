// The laws of the vector loops on every instruction set that this machine has, not only on its best.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "fastpath/cpu/lib/half_convert.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

class InstructionSets : public testing::Test {
 protected:
  // Calls law() once for each set; kernels made inside use that set.
  template <class Law>
  void OnEach(const Law& law) {
    for (const int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SCALAR}) {
      if (target != HWY_SCALAR && (hwy::SupportedTargets() & target) == 0) continue;
      hwy::SetSupportedTargetsForTest(target);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
      SCOPED_TRACE(hwy::TargetName(target));
      law();
      hwy::SetSupportedTargetsForTest(0);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
  }
};

Tensor Digits(const Shape& shape) {
  Tensor x(DType::kFloat, shape);
  int64_t i = 0;
  for (float& value : x.mutable_data<float>()) value = static_cast<float>(i++ * 7 % 10);
  return x;
}
double UlpsFrom(float value, double exact) {
  const float size = std::abs(static_cast<float>(exact));
  return std::abs(value - exact) / (std::nextafter(size, std::numeric_limits<float>::infinity()) - size);
}

TEST_F(InstructionSets, ComputeEveryTailLength) {
  OnEach([] {
    for (int64_t n = 0; n <= 67; ++n) {
      const Tensor x = Digits({n}), y = RunKernel1("AddV2", {x, x}), z = RunKernel1("Sub", {MakeScalar(1.0f), x});
      for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        ASSERT_EQ(y.data<float>()[i], 2 * x.data<float>()[i]);
        ASSERT_EQ(z.data<float>()[i], 1 - x.data<float>()[i]);
      }
    }
  });
}

// Every upper half, above what is cut, a tie on either side, and what lies next to one.
TEST_F(InstructionSets, ConvertToBFloat16BitForBit) {
  OnEach([] {
    constexpr uint32_t kLower[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
    constexpr size_t kUpper = 1 << 16;
    for (const uint32_t lower : kLower) {
      std::vector<float> numbers, wide(kUpper);
      std::vector<BFloat16> rounded(kUpper), cut(kUpper);
      for (uint32_t upper = 0; upper < kUpper; ++upper) numbers.push_back(std::bit_cast<float>(upper << 16 | lower));
      FromFloat(DType::kBfloat16, numbers.data(), rounded.data(), kUpper);
      Truncate(numbers.data(), cut.data(), kUpper);
      ToFloat(DType::kBfloat16, cut.data(), wide.data(), kUpper);
      for (size_t i = 0; i < kUpper; ++i) {
        ASSERT_EQ(rounded[i].bits, BFloat16(numbers[i]).bits) << numbers[i];
        ASSERT_EQ(cut[i].bits, i) << numbers[i];
        ASSERT_EQ(std::bit_cast<uint32_t>(wide[i]), i << 16) << numbers[i];
      }
    }
  });
}

TEST_F(InstructionSets, KeepTheAccuracyOfElementaryFunctions) {
  struct Row {
    const char* op;
    double (*exact)(double);
    double ulps;  // N4
    float from;
  };
  const Row rows[] = {{"Exp", std::exp, 2, -80},
                      {"Log", std::log, 4, 0.01f},
                      {"Log1p", std::log1p, 4, -0.9f},
                      {"Tanh", std::tanh, 8, -9}};
  OnEach([&rows] {
    Tensor x(DType::kFloat, {1001});
    for (const Row& row : rows) {
      float value = row.from;
      for (float& element : x.mutable_data<float>()) element = value += 0.0371f;
      const Tensor y = RunKernel1(row.op, {x});
      for (size_t i = 0; i < 1001; ++i) {
        ASSERT_LE(UlpsFrom(y.data<float>()[i], row.exact(x.data<float>()[i])), row.ulps) << row.op << " " << i;
      }
    }
  });
}

TEST_F(InstructionSets, PropagateNaN) {
  const Tensor nan = MakeVector<float>({std::nanf(""), 1, 2}), one = MakeScalar(1.0f);
  OnEach([&] {
    for (const char* op : {"Exp", "Log", "Log1p", "Tanh", "Sigmoid", "Sqrt", "Rsqrt", "Relu", "Sign"}) {
      EXPECT_TRUE(std::isnan(RunKernel1(op, {nan}).data<float>()[0])) << op;
    }
    for (const char* op : {"Maximum", "Minimum"}) {
      EXPECT_TRUE(std::isnan(RunKernel1(op, {nan, one}).data<float>()[0])) << op;
      EXPECT_TRUE(std::isnan(RunKernel1(op, {one, nan}).data<float>()[0])) << op;
    }
    EXPECT_TRUE(std::isnan(RunKernel1("Max", {nan, MakeScalar(0)}).scalar<float>()));
  });
}

// Of runs and of columns, whichever of the loops it meets: N12.
TEST_F(InstructionSets, FoldsFindNaNWhereverItIs) {
  OnEach([] {
    for (const int64_t n : {1, 7, 33, 64, 150, 300}) {
      Tensor x = Digits({n});
      for (float& hole : x.mutable_data<float>()) {
        const float digit = std::exchange(hole, std::nanf(""));
        const Tensor column = x.Reshaped(Shape({n, 1})), pair = RunKernel1("ConcatV2", {column, column, MakeScalar(1)});
        for (const char* op : {"Max", "Min", "Sum", "Prod"}) {
          ASSERT_TRUE(std::isnan(RunKernel1(op, {x, MakeScalar(0)}).scalar<float>())) << op << " of " << n;
          for (const float of_column : Values<float>(RunKernel1(op, {pair, MakeScalar(0)}))) {
            ASSERT_TRUE(std::isnan(of_column)) << op << " of columns of " << n;
          }
        }
        hole = digit;
      }
    }
  });
}

TEST_F(InstructionSets, FoldExactlyWhereNothingRounds) {
  OnEach([] {
    for (const Shape& shape : {Shape({3, 5}), Shape({70, 33}), Shape({2, 20000}), Shape({9000, 3})}) {
      double total = 0;
      const Tensor x = Digits(shape);
      for (const float value : x.data<float>()) total += value;
      EXPECT_EQ(RunKernel1("Sum", {x, MakeVector<int32_t>({0, 1})}).scalar<float>(), total);
      const Tensor columns = RunKernel1("Sum", {x, MakeScalar(0)});
      EXPECT_EQ(RunKernel1("Sum", {columns, MakeScalar(0)}).scalar<float>(), total);
      EXPECT_EQ(RunKernel1("Max", {x, MakeVector<int32_t>({0, 1})}).scalar<float>(), 9);
    }
  });
}

TEST_F(InstructionSets, RoundToHalfAlike) {
  OnEach([] {
    Tensor x(DType::kFloat, {1000});
    float value = 1e-8f;
    for (float& element : x.mutable_data<float>()) element = value *= -1.03f;
    const Tensor halves = RunKernel1("Cast", {x}, {{"DstT", DType::kHalf}});
    const Tensor back = RunKernel1("Cast", {halves}, {{"DstT", DType::kFloat}});
    for (size_t i = 0; i < 1000; ++i) {
      const Half wanted(x.data<float>()[i]);
      ASSERT_EQ(halves.data<Half>()[i].bits, wanted.bits);
      ASSERT_EQ(back.data<float>()[i], static_cast<float>(wanted));
    }
  });
}

TEST_F(InstructionSets, SoftmaxOfEqualsIsUniform) {
  OnEach([] {
    for (const int64_t n : {1, 2, 4, 8, 16, 32, 64}) {
      const Tensor y = RunKernel1("Softmax", {Zeros(DType::kFloat, {2, n})});
      for (const float share : y.data<float>()) ASSERT_EQ(share, 1.0f / static_cast<float>(n));
    }
  });
}

TEST_F(InstructionSets, FoldRunsOfEveryLength) {
  OnEach([] {
    for (int64_t n = 1; n <= 300; ++n) {
      const Tensor x = Digits({2, n}), sums = RunKernel1("Sum", {x, MakeScalar(1)});
      for (size_t row = 0; row < 2; ++row) {
        const float* const values = x.data<float>().data() + row * static_cast<size_t>(n);
        ASSERT_EQ(sums.data<float>()[row], std::accumulate(values, values + n, 0.0f)) << n;
      }
    }
  });
}

TEST_F(InstructionSets, FoldColumnsOfEveryShape) {
  OnEach([] {
    for (int64_t rows = 1; rows <= 18; ++rows) {
      for (const int64_t columns : {2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2049}) {
        const Tensor x = Digits({rows, columns}), sums = RunKernel1("Sum", {x, MakeScalar(0)});
        for (int64_t column = 0; column < columns; ++column) {
          float sum = 0;
          for (int64_t row = 0; row < rows; ++row) sum += x.data<float>()[static_cast<size_t>(row * columns + column)];
          ASSERT_EQ(sums.data<float>()[static_cast<size_t>(column)], sum) << rows << "x" << columns;
        }
      }
    }
  });
}

// exp(−1000) is zero in float.
TEST_F(InstructionSets, SoftmaxOfAnyLengthFindsTheGreatest) {
  OnEach([] {
    for (int64_t n = 1; n <= 67; ++n) {
      for (int64_t place = 0; place < n; ++place) {
        Tensor x(DType::kFloat, {1, n});
        for (float& value : x.mutable_data<float>()) value = -1000;
        x.mutable_data<float>()[static_cast<size_t>(place)] = 0;
        const Tensor y = RunKernel1("Softmax", {x}), z = RunKernel1("LogSoftmax", {x});
        for (int64_t i = 0; i < n; ++i) {
          ASSERT_EQ(y.data<float>()[static_cast<size_t>(i)], i == place ? 1 : 0) << n;
          ASSERT_EQ(z.data<float>()[static_cast<size_t>(i)], i == place ? 0 : -1000) << n;
        }
      }
    }
  });
}

// Numbers of any size, of which no set may round or count one in its own way.
TEST_F(InstructionSets, GiveTheSameBits) {
  constexpr int64_t kCount = 67;
  Tensor words(DType::kInt32, {kCount}), numbers(DType::kFloat, {kCount});
  for (int64_t i = 0; i < kCount; ++i) {
    words.mutable_data<int32_t>()[i] = static_cast<int32_t>(0x9e3779b9U * static_cast<uint32_t>(i));
    numbers.mutable_data<float>()[i] = static_cast<float>(words.data<int32_t>()[i]) * 0x1.8p-20F;
  }
  const auto compute = [&] {
    return std::vector<Tensor>{
        RunKernel1("PopulationCount", {words}),
        RunKernel1("BitwiseXor", {words, MakeScalar<int32_t>(99)}),
        RunKernel1("Invert", {words}),
        RunKernel1("QuantizeAndDequantize", {numbers},
                   {{"signed_input", true}, {"num_bits", int64_t{5}}, {"range_given", false}}),
        RunKernel1("LinSpace", {MakeScalar(0.1F), MakeScalar(0.9F), MakeScalar<int32_t>(kCount)}),
        RunKernel1("Range", {MakeScalar(0.1), MakeScalar(9.7), MakeScalar(0.3)}),
        RunKernel1("StatelessRandomUniform", {MakeVector<int32_t>({kCount}), MakeVector<int64_t>({3, 4})})};
  };
  const std::vector<Tensor> expected = compute();
  OnEach([&] {
    const std::vector<Tensor> found = compute();
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(std::memcmp(found[i].raw(), expected[i].raw(), expected[i].bytes()), 0) << i;
    }
  });
}

}  // namespace
}  // namespace plumb::fast::cpu
