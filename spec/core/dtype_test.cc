#include "spec/core/dtype.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

// As numpy, TensorFlow's Python and its messages spell them.
TEST(DTypes, AreReadInEverySpelling) {
  EXPECT_EQ(ParseDType("float32"), DType::kFloat);
  EXPECT_EQ(ParseDType("float"), DType::kFloat);
  EXPECT_EQ(ParseDType("DT_FLOAT"), DType::kFloat);
  EXPECT_EQ(ParseDType("DT_INT16"), DType::kInt16);
  EXPECT_EQ(ParseDType("DT_UINT64"), DType::kUint64);
  EXPECT_EQ(ParseDType("DT_COMPLEX64"), DType::kComplex64);
  EXPECT_EQ(ParseDType("DT_INT16_REF"), MakeRef(DType::kInt16));
  EXPECT_EQ(ParseDType("int16_ref"), MakeRef(DType::kInt16));
  for (int number = 1; IsValid(DType(number)); ++number) {
    for (const DType type : {DType(number), MakeRef(DType(number))}) EXPECT_EQ(ParseDType(DTypeName(type)), type);
  }
}

TEST(DTypes, AreNotGuessed) {
  for (const char* name : {"", "DT_", "DT_FLOAX", "DT_INT17", "DT_float32x", "FLOAT", "flo", "_ref"}) {
    EXPECT_EQ(ParseDType(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace plumb
