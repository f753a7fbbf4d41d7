#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(Bincount, CountsOrAddsWeights) {
  const Tensor numbers = Vector({1, 5, 1, 0}), size = MakeScalar<int32_t>(3);
  EXPECT_EQ(Ints(RunKernel1("Bincount", {numbers, size, Vector({})})), (I{1, 2, 0}));
  EXPECT_EQ(Ints(RunKernel1("Bincount", {numbers, size, Vector({10, 20, 30, 40})})), (I{40, 40, 0}));
  EXPECT_EQ(CodeOfKernel("Bincount", {Vector({-1}), size, Vector({})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Bincount", {numbers, size, Vector({1})}), Code::kInvalidArgument);
}

TEST(Bincount, OfRowsSaysWhatIsThereAtAll) {
  const Tensor numbers = MakeTensor<int32_t>({2, 3}, {1, 1, 0, 2, 2, 2}), size = MakeScalar<int32_t>(3);
  const auto counted = [&](bool binary) {
    return Ints(RunKernel1("DenseBincount", {numbers, size, Vector({})}, {{"binary_output", binary}}));
  };
  EXPECT_EQ(counted(false), (I{1, 2, 0, 0, 0, 3}));
  EXPECT_EQ(counted(true), (I{1, 1, 0, 0, 0, 1}));
}

// As TensorFlow 2.12.1 answers, whose kernel looks at vectors and matrices alone; what is wrong besides comes first.
TEST(Bincount, AScalarLeavesTheOutputUnset) {
  const Tensor scalar = MakeScalar<int32_t>(1), size = MakeScalar<int32_t>(3);
  EXPECT_EQ(CodeOfKernel("DenseBincount", {scalar, size, Vector({})}), Code::kInternal);
  EXPECT_EQ(CodeOfKernel("DenseBincount", {scalar, MakeScalar<int32_t>(-1), Vector({})}), Code::kInvalidArgument);
  EXPECT_EQ(Ints(RunKernel1("Bincount", {scalar, size, Vector({})})), (I{0, 1, 0}));
}

TEST(Bincount, OfALongRowSaysWhatIsThereAtAll) {
  const Tensor numbers = Zeros(DType::kInt32, {200'000}), size = MakeScalar<int32_t>(3);
  EXPECT_EQ(Ints(RunKernel1("DenseBincount", {numbers, size, Vector({})}, {{"binary_output", true}})), (I{1, 0, 0}));
}

TEST(Bincount, CountsLongRowsInPieces) {
  Tensor numbers(DType::kInt32, {200'000});
  for (int i = 0; i < 200'000; ++i) numbers.mutable_data<int32_t>()[static_cast<size_t>(i)] = i % 7;
  const Tensor bins = RunKernel1("Bincount", {numbers, MakeScalar<int32_t>(5), Vector({})}, {}, /*threads=*/2);
  EXPECT_EQ(Ints(bins), (I{28572, 28572, 28572, 28571, 28571}));
}

TEST(Histogram, PutsTheRestAtTheEnds) {
  const Tensor values = MakeVector<float>({-1, 0, 1.5, 2, 5, 15}), range = MakeVector<float>({0, 5});
  EXPECT_EQ(Ints(RunKernel1("HistogramFixedWidth", {values, range, MakeScalar<int32_t>(5)})), (I{2, 1, 1, 0, 2}));
  const Tensor nan = MakeVector<float>({NAN}), empty = MakeVector<float>({5, 5});
  EXPECT_EQ(CodeOfKernel("HistogramFixedWidth", {nan, range, MakeScalar<int32_t>(5)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("HistogramFixedWidth", {values, empty, MakeScalar<int32_t>(5)}), Code::kInvalidArgument);
}

// Of whole numbers the distances have room: from the least to the largest is more than their type holds.
template <class T>
std::vector<int32_t> SpreadOverAll() {
  constexpr T kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  const Tensor values = MakeVector<T>({kLeast, -7, 0, kMost - 1, kMost}), range = MakeVector<T>({kLeast + 1, kMost});
  return Ints(RunKernel1("HistogramFixedWidth", {values, range, MakeScalar<int32_t>(5)}));
}
TEST(Histogram, RangesMayBeAsWideAsTheirType) {
  EXPECT_EQ(SpreadOverAll<int32_t>(), (I{1, 0, 2, 0, 2}));
  EXPECT_EQ(SpreadOverAll<int64_t>(), (I{1, 0, 2, 0, 2}));
}

// Vectors, and what is left; one bin, and several.
template <class T>
void ExpectHistogramsOfEveryLength() {
  const Tensor range = MakeVector<T>({0, 4});
  for (int64_t n = 1; n <= 67; ++n) {
    Tensor values(DTypeOf<T>, {n});
    for (int64_t i = 0; i < n; ++i) values.mutable_data<T>()[static_cast<size_t>(i)] = static_cast<T>(i % 6) - 1;
    I expected(4, 0);
    for (int64_t i = 0; i < n; ++i) ++expected[static_cast<size_t>(std::clamp<int64_t>(i % 6 - 1, 0, 3))];
    EXPECT_EQ(Ints(RunKernel1("HistogramFixedWidth", {values, range, MakeScalar<int32_t>(4)})), expected) << n;
    const Tensor one = MakeScalar<int32_t>(1);
    EXPECT_EQ(Ints(RunKernel1("HistogramFixedWidth", {values, range, one})), I{static_cast<int32_t>(n)});
    values.mutable_data<T>()[static_cast<size_t>(n - 1)] = static_cast<T>(NAN);
    EXPECT_EQ(CodeOfKernel("HistogramFixedWidth", {values, range, one}), Code::kInvalidArgument) << n;
  }
}
TEST(Histogram, TakesValuesOfEveryNumber) {
  ExpectHistogramsOfEveryLength<float>();
  ExpectHistogramsOfEveryLength<double>();
}

// Where the range is infinite each distance is a part of an infinite step.
TEST(Histogram, OfAnInfiniteRangeHasNoPlaceForInfinity) {
  const Tensor range = MakeVector<float>({0, INFINITY}), one = MakeScalar<int32_t>(1);
  EXPECT_EQ(Ints(RunKernel1("HistogramFixedWidth", {MakeVector<float>({-1, 2}), range, one})), (I{2}));
  EXPECT_EQ(CodeOfKernel("HistogramFixedWidth", {MakeVector<float>({INFINITY}), range, one}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
