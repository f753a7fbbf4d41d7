#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Math, QuantisedValuesAreCastAsTheirIntegers) {
  const KernelCall cast{"Cast", {MakeVector<Qint8>({Qint8{-3}})}, {{"DstT", DType::kFloat}, {"Truncate", false}}};
  EXPECT_THAT(Floats(cast()), ElementsAre(-3));
  const KernelCall back{"Cast", {Vector({200, -1})}, {{"DstT", DType::kQuint8}, {"Truncate", false}}, {DType::kQuint8}};
  EXPECT_EQ(back().tensor.data<Quint8>()[0].value, 200);
  EXPECT_EQ(back().tensor.data<Quint8>()[1].value, 255);
}

TEST(Math, CastRoundsWrapsAndTruncates) {
  const auto cast = [](Tensor x, DType to, bool truncate = false) {
    return KernelCall{"Cast", {x}, {{"DstT", to}, {"Truncate", truncate}}, {to}}();
  };
  EXPECT_THAT(Integers(cast(Vector({255, -1.9f, 3e9f, NAN}), DType::kInt8)), ElementsAre(-1, -1, 0, 0));
  EXPECT_THAT(Integers(cast(Vector({2.9f, 3e9f, -3e9f}), DType::kInt32)), ElementsAre(2, INT32_MIN, INT32_MIN));
  EXPECT_THAT(Integers(cast(Vector({0, 0.1f, NAN}), DType::kBool)), ElementsAre(0, 1, 1));
  EXPECT_THAT(Floats(cast(Ints({16777217}), DType::kFloat)), ElementsAre(16777216));
  EXPECT_THAT(Floats(cast(Vector({1.00390625f}), DType::kBfloat16)), ElementsAre(1));
  EXPECT_THAT(Floats(cast(Vector({1.0078f}), DType::kBfloat16, true)), ElementsAre(1));
  EXPECT_THAT(Floats(cast(Vector({3.4e38f}), DType::kBfloat16)), ElementsAre(INFINITY));
  EXPECT_EQ(
      (KernelCall{"Cast", {MakeScalar<std::string>("1")}, {{"DstT", DType::kFloat}, {"Truncate", false}}}.Fails()),
      Code::kUnimplemented);
}

}  // namespace
}  // namespace plumb::reference
