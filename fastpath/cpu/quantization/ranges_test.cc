// The range of what is in a tensor, wherever its ends are: a large one is searched in parts.
#include <gtest/gtest.h>

#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

Tensor Number(float x) { return MakeScalar(x); }

// Elements that are zero, but for one.
Tensor CodesWithOne(const Shape& shape, int64_t place, int32_t code) {
  Tensor codes = Zeros(DType::kQint32, shape);
  codes.mutable_data<Qint32>()[static_cast<size_t>(place)].value = code;
  return codes;
}

// Both sides of where parts of 2^15 and 2^16 meet.
std::vector<int64_t> PlacesIn(int64_t n) {
  std::vector<int64_t> places;
  for (const int64_t cut : {int64_t{0}, int64_t{1} << 15, int64_t{1} << 16, n / 2, n}) {
    for (const int64_t place : {cut - 1, cut, cut + 1}) {
      if (place >= 0 && place < n) places.push_back(place);
    }
  }
  return places;
}

// As of two codes alone, of which each is an end.
TEST(RequantizationRange, FindsACodeWhereverItIs) {
  const auto ends = [](int64_t n, int64_t place, int32_t code) {
    const auto found = RunKernel("RequantizationRange", {CodesWithOne({n}, place, code), Number(-2), Number(2)});
    return Floats{found[0].scalar<float>(), found[1].scalar<float>()};
  };
  for (const int64_t n : {40'000, 1 << 16, (1 << 16) + 1, 140'000}) {
    for (const int64_t place : PlacesIn(n)) {
      for (const int32_t code : {-(1 << 30), 1 << 30}) {
        ASSERT_EQ(ends(n, place, code), ends(2, 1, code)) << place << " of " << n;
      }
    }
  }
}

// 2^30 is half of a channel's range.
TEST(RequantizationRangePerChannel, FindsACodeWhereverItIs) {
  const Tensor low = MakeVector<float>({-2, -4}), high = MakeVector<float>({2, 4});
  for (const int64_t rows : {int64_t{20'000}, int64_t{1} << 15, (int64_t{1} << 15) + 1, int64_t{70'000}}) {
    for (const int64_t place : PlacesIn(2 * rows)) {
      for (const int32_t code : {-(1 << 30), 1 << 30}) {
        const auto ends =
            RunKernel("RequantizationRangePerChannel", {CodesWithOne({1, rows, 1, 2}, place, code), low, high},
                      {{"clip_value_max", 100.0}});
        const float far = place % 2 == 0 ? 1 : 2;
        ASSERT_EQ(Values<float>(ends[0])[0], code < 0 ? -far : 0) << place << " of " << rows << " rows";
        ASSERT_EQ(Values<float>(ends[1])[0], far) << place << " of " << rows << " rows";
      }
    }
  }
}

TEST(RequantizationRangePerChannel, TakesEndsThroughFloat) {  // as TensorFlow answers
  const auto ends = [](const std::vector<int32_t>& codes) {
    const auto size = static_cast<int64_t>(codes.size());
    Tensor images = Zeros(DType::kQint32, {1, size, 1, 1});
    for (size_t i = 0; i < codes.size(); ++i) images.mutable_data<Qint32>()[i].value = codes[i];
    const auto found = RunKernel("RequantizationRangePerChannel",
                                 {images, MakeVector<float>({-1}), MakeVector<float>({1})}, {{"clip_value_max", 6.0}});
    return Floats{found[0].scalar<float>(), found[1].scalar<float>()};
  };
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(ends({kMost, 7}), (Floats{0, 7 * 0x1p-31F}));
  EXPECT_EQ(ends({-7, kMost}), (Floats{-7 * 0x1p-31F, 7 * 0x1p-31F}));
  EXPECT_EQ(ends({kMost - 64, kMost - 63}), (Floats{0, 1 - 0x1p-24F})) << "the last code that rounds down";
}

// Units are a third of the greatest number: of 6 they are 2, and 3 moves to 4; without the 6 it would stay.
TEST(QuantizeAndDequantize, FindsANumberWhereverItIs) {
  const AttrMap attrs = {{"range_given", false}, {"signed_input", false}, {"num_bits", int64_t{2}}};
  for (const int64_t n : {40'000, 1 << 16, (1 << 16) + 1, 140'000}) {
    for (const int64_t place : PlacesIn(n)) {
      Tensor x(DType::kFloat, {n});
      for (float& number : x.mutable_data<float>()) number = 3;
      x.mutable_data<float>()[static_cast<size_t>(place)] = 6;
      const Tensor y = RunKernel1("QuantizeAndDequantizeV2", {x, Number(0), Number(0)}, attrs);
      ASSERT_EQ(y.data<float>()[static_cast<size_t>(place)], 6) << place << " of " << n;
      ASSERT_EQ(y.data<float>()[place == 0 ? 1 : 0], 4) << place << " of " << n;
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
