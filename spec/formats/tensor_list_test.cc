#include "spec/formats/tensor_list.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

TEST(TensorListRecord, NamesThePositionsWithoutAValue) {
  const EncodedVariant encoded = EncodeTensorList(DType::kFloat, {2, 0}, 5, {Tensor(), MakeVector<float>({1, 2})});
  EXPECT_EQ(encoded.type_name, "tensorflow::TensorList");
  ASSERT_EQ(encoded.tensors.size(), 1u);
  // One position, 0; float32; at most 5; a dimension of 2 and one of 0.
  EXPECT_EQ(encoded.metadata, std::string("\x01\x00\x01\x05\x12\x02\x08\x02\x12\x00", 10));
}

TEST(TensorListRecord, WritesOpenShapesAndBounds) {
  const EncodedVariant encoded = EncodeTensorList(DType::kInt64, PartialShape(), -1, {});
  const std::string no_bound = std::string(9, '\xff') + "\x01";
  EXPECT_EQ(encoded.metadata, std::string("\x00\x09", 2) + no_bound + "\x18\x01");
}

}  // namespace
}  // namespace plumb
