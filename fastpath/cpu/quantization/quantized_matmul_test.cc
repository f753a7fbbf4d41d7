// The product of matrices of codes, whose sums are made codes of a smaller range by Requantize.
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

template <class Q>
Tensor CodeTensor(const Shape& shape, const std::vector<int>& values) {
  Tensor tensor(DTypeOf<Q>, shape);
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.mutable_data<Q>()[i].value = static_cast<decltype(Q::value)>(values[i]);
  }
  return tensor;
}

template <class Q>
std::vector<int> CodeValues(const Tensor& tensor) {
  std::vector<int> values;
  for (const Q code : tensor.data<Q>()) values.push_back(code.value);
  return values;
}

const AttrMap kQuint8Product = {{"T1", DType::kQuint8}, {"T2", DType::kQuint8}, {"Toutput", DType::kQint32}};

// From −128 to 127 the code of 0 is 128: b is {{1, 0}, {−2, 1}, {3, −1}}. The first row times the first column is 1·1 +
// 2·(−2) + 0·3 = −3, then 1·0 + 2·1 + 0·(−1) = 2, 3·1 + 4·(−2) + 1·3 = −2 and 3·0 + 4·1 + 1·(−1) = 3.
TEST(QuantizedMatMul, CountsFromTheCodeOfZero) {
  const auto a = [](bool transposed) {
    return transposed ? CodeTensor<Quint8>({3, 2}, {1, 3, 2, 4, 0, 1}) : CodeTensor<Quint8>({2, 3}, {1, 2, 0, 3, 4, 1});
  };
  const auto b = [](bool transposed) {
    return transposed ? CodeTensor<Quint8>({2, 3}, {129, 126, 131, 128, 129, 127})
                      : CodeTensor<Quint8>({3, 2}, {129, 128, 126, 129, 131, 127});
  };
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      AttrMap attrs = kQuint8Product;
      attrs.insert_or_assign("transpose_a", transpose_a);
      attrs.insert_or_assign("transpose_b", transpose_b);
      const auto product = RunKernel("QuantizedMatMul",
                                     {a(transpose_a), b(transpose_b), MakeScalar<float>(0), MakeScalar<float>(255),
                                      MakeScalar<float>(-128), MakeScalar<float>(127)},
                                     attrs);
      EXPECT_EQ(CodeValues<Qint32>(product[0]), std::vector<int>({-3, 2, -2, 3})) << transpose_a << transpose_b;
      EXPECT_EQ(Values<float>(product[1]), std::vector<float>({-0x1p31F})) << "2^31 products of one unit by one";
      EXPECT_EQ(Values<float>(product[2]), std::vector<float>({0x1p31F}));
    }
  }
  EXPECT_EQ(CodeOfKernel("QuantizedMatMul",
                         {a(false), b(true), MakeScalar<float>(0), MakeScalar<float>(255), MakeScalar<float>(-128),
                          MakeScalar<float>(127)},
                         kQuint8Product),
            Code::kInvalidArgument);
}

// 2^28 codes of the range from −8 to 8 are 1. In the range from 0 to 1 a code of a byte is 1/255: 1/16, 1/4 and 3/4 are
// 15.9, 63.75 and 191.25, rounded, and 128 less with a sign; 2 and −1/16 go to the ends. From −1 to 1 the unit is
// 1/127.5: 1 1/16, 1 1/4, 1 3/4, 15/16 and 1 above the lower end are 135.47, 159.4, 223.1, 119.5 and 127.5, rounded.
TEST(Requantize, MovesCodesToTheNearestOfTheRequestedRange) {
  const Tensor codes = CodeTensor<Qint32>({6}, {1 << 24, 1 << 26, 3 << 26, 1 << 29, -(1 << 24), 0});
  const auto in_range = [&](float low, DType type) {
    return RunKernel("Requantize",
                     {codes, MakeScalar<float>(-8), MakeScalar<float>(8), MakeScalar<float>(low), MakeScalar<float>(1)},
                     {{"Tinput", DType::kQint32}, {"out_type", type}});
  };
  const auto positive = in_range(0, DType::kQuint8);
  EXPECT_EQ(CodeValues<Quint8>(positive[0]), std::vector<int>({16, 64, 191, 255, 0, 0}));
  EXPECT_EQ(Values<float>(positive[1]), std::vector<float>({0}));
  EXPECT_EQ(Values<float>(positive[2]), std::vector<float>({1}));
  EXPECT_EQ(CodeValues<Qint8>(in_range(0, DType::kQint8)[0]), std::vector<int>({-112, -64, 63, 127, -128, -128}));
  EXPECT_EQ(CodeValues<Quint8>(in_range(-1, DType::kQuint8)[0]), std::vector<int>({135, 159, 223, 255, 120, 128}));
}

}  // namespace
}  // namespace plumb::fast::cpu
