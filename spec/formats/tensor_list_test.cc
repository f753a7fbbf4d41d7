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

Code CodeOfDecoding(std::string metadata, std::vector<Tensor> tensors) {
  try {
    DecodeTensorList({kTensorListTypeName, std::move(metadata), std::move(tensors)});
    return Code::kOk;
  } catch (const Error& error) {
    return error.status().code();
  }
}

TEST(TensorListRecord, IsReadAsItWasWritten) {
  const std::vector<Tensor> elements = {Tensor(), MakeVector<float>({1, 2}), Tensor(), MakeVector<float>({3}),
                                        Tensor()};
  const TensorListRecord record = DecodeTensorList(EncodeTensorList(DType::kFloat, {-1}, 5, elements));
  EXPECT_EQ(record.element_dtype, DType::kFloat);
  EXPECT_EQ(record.element_shape, PartialShape({-1}));
  EXPECT_EQ(record.max_num_elements, 5);
  ASSERT_EQ(record.elements.size(), elements.size());
  for (size_t i = 0; i < elements.size(); ++i) EXPECT_TRUE(record.elements[i].BitwiseEquals(elements[i])) << i;
  EXPECT_FALSE(DecodeTensorList(EncodeTensorList(DType::kInt64, PartialShape(), -1, {})).element_shape.has_rank());
}

TEST(TensorListRecord, RefusesWhatNoListIs) {
  const std::string no_bound = std::string(9, '\xff') + "\x01", scalar_floats = "\x01" + no_bound;
  const Tensor one = MakeScalar<float>(1);
  const std::string none_unset(1, '\0');
  ASSERT_EQ(CodeOfDecoding(none_unset + scalar_floats, {one}), Code::kOk);
  const std::string wrong[] = {
      "",
      none_unset,
      none_unset + "\x01",
      "\x7f" + scalar_floats,                        // 127 elements without a value, of which nothing is said
      no_bound + scalar_floats,                      // 2^64 - 1 of them
      "\x01\x02" + scalar_floats,                    // number 2 of 2 elements
      "\x02\x01\x01" + scalar_floats,                // the same twice
      std::string(11, '\xff') + scalar_floats,       // a number of eleven bytes
      none_unset + "\x02" + no_bound,                // of doubles
      none_unset + "\x63" + no_bound,                // of type 99
      none_unset + "\x65" + no_bound,                // of references
      none_unset + std::string(1, '\0') + no_bound,  // of no type
      none_unset + "\x01\xfe" + std::string(8, '\xff') + "\x01",                          // bound to -2
      none_unset + scalar_floats + "\x12\x02\x08\x02",                                    // of shape [2]
      none_unset + scalar_floats + "\x12\x0b\x08\xfe" + std::string(8, '\xff') + "\x01",  // of dimension -2
      none_unset + scalar_floats + "\x12\x7f",                  // a dimension that ends too early
      none_unset + scalar_floats + "\x18\x01\x12\x02\x08\x02",  // a dimension without a rank
      none_unset + scalar_floats + "\x99",                      // no field
  };
  for (size_t i = 0; i < std::size(wrong); ++i) {
    EXPECT_EQ(CodeOfDecoding(wrong[i], {one}), Code::kInvalidArgument) << i;
  }
  std::string huge = none_unset + scalar_floats;
  for (int i = 0; i < 2; ++i) huge += "\x12\x0a\x08" + std::string(8, '\xff') + "\x7f";  // 2^63 - 1 twice
  EXPECT_EQ(CodeOfDecoding(huge, {}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb
