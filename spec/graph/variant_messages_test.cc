// Variants in messages, byte for byte as TensorFlow 2.12 writes them: the bytes are those of its SaveV2.
#include <gtest/gtest.h>

#include "spec/core/variant_codec.h"
#include "spec/formats/tensor_list.h"
#include "spec/graph/proto_io.h"

namespace plumb {
namespace {

using namespace std::string_literals;

const std::string kNoBound = std::string(9, '\xff') + "\x01";
// A scalar variant: its type, its shape, the length of its element.
const std::string kScalarOf = "\x08\x15\x12\x00z"s;
// list_ops.tensor_list_from_tensor([[1., 2.], [3., 4.]], element_shape=[2])
const std::string kList = "\n\x16tensorflow::TensorList\x12\x10\x00\x01"s + kNoBound + "\x12\x02\x08\x02" +
                          "\x1a\x12\x08\x01\x12\x04\x12\x02\x08\x02*\x08\x00\x00\x80?\x00\x00\x00@"s +
                          "\x1a\x12\x08\x01\x12\x04\x12\x02\x08\x02*\x08\x00\x00@@\x00\x00\x80@"s;
// That, pushed onto an empty list of variants.
const std::string kNestedList =
    "\n\x16tensorflow::TensorList\x12\x0c\x00\x15"s + kNoBound + "\x1aX" + kScalarOf + "R" + kList;
// tensor_list_reserve(element_shape=[2], num_elements=3) with item 1 set to [5., 6.]
const std::string kReserved =
    "\n\x16tensorflow::TensorList\x12\x12\x02\x00\x02\x01"s + kNoBound +
    "\x12\x02\x08\x02\x1a\x12\x08\x01\x12\x04\x12\x02\x08\x02*\x08\x00\x00\xa0@\x00\x00\xc0@"s;

Tensor ListOf(DType type, const PartialShape& shape, const std::vector<Tensor>& elements) {
  return MakeScalar(Decode(EncodeTensorList(type, shape, -1, elements)));
}
Tensor Rows() { return ListOf(DType::kFloat, {2}, {MakeVector<float>({1, 2}), MakeVector<float>({3, 4})}); }

Code CodeOfParsing(const std::string& bytes) {
  try {
    ParseTensorProto(bytes);
    return Code::kOk;
  } catch (const Error& error) {
    return error.status().code();
  }
}

TEST(VariantMessages, HaveTheBytesOfTensorFlow) {
  EXPECT_EQ(SerializeTensorProto(Rows()), kScalarOf + "R" + kList);
  EXPECT_EQ(SerializeTensorProto(ListOf(DType::kVariant, PartialShape(Shape()), {Rows()})),
            kScalarOf + "\x80\x01" + kNestedList);
  EXPECT_EQ(SerializeTensorProto(ListOf(DType::kFloat, {2}, {Tensor(), MakeVector<float>({5, 6}), Tensor()})),
            kScalarOf + "@" + kReserved);
}

TEST(VariantMessages, AreReadAndWrittenAgain) {
  for (const std::string& bytes :
       {kScalarOf + "R" + kList, kScalarOf + "\x80\x01" + kNestedList, kScalarOf + "@" + kReserved}) {
    const Tensor read = ParseTensorProto(bytes);
    EXPECT_EQ(SerializeTensorProto(read), bytes);
    EXPECT_TRUE(read.BitwiseEquals(ParseTensorProto(bytes)));
  }
  EXPECT_FALSE(ParseTensorProto(kScalarOf + "R" + kList).BitwiseEquals(ParseTensorProto(kScalarOf + "@" + kReserved)));
}

// A tensor within is held to what any tensor is held to.
TEST(VariantMessages, RefuseWhatNoTensorIs) {
  const auto holding = [](const std::string& tensor) {
    const std::string element = "\n\x01t\x1a" + std::string(1, static_cast<char>(tensor.size())) + tensor;
    return kScalarOf + std::string(1, static_cast<char>(element.size())) + element;
  };
  EXPECT_EQ(CodeOfParsing(holding("\x08\x01\x12\x00"s)), Code::kOk);
  EXPECT_EQ(CodeOfParsing(holding("")), Code::kInvalidArgument) << "no type";
  EXPECT_EQ(CodeOfParsing(holding("\x08\x65\x12\x00"s)), Code::kInvalidArgument) << "a reference";
  EXPECT_EQ(CodeOfParsing(holding("\x08\x01\x12\x02\x18\x01")), Code::kInvalidArgument) << "no rank";
  const std::string negative = "\x08\x01\x12\x0d\x12\x0b\x08" + kNoBound;
  EXPECT_EQ(CodeOfParsing(holding(negative)), Code::kInvalidArgument) << "a dimension of -1";
  // float32 [2^40] of one value
  EXPECT_EQ(CodeOfParsing(holding("\x08\x01\x12\x09\x12\x07\x08\x80\x80\x80\x80\x80\x20*\x04\x00\x00\x80?"s)),
            Code::kResourceExhausted);
}

TEST(VariantMessages, RefuseDeepNesting) {
  Tensor deep = Rows();
  for (int level = 1; level < kMaxVariantNesting; ++level) {
    deep = ListOf(DType::kVariant, PartialShape(Shape()), {deep});
  }
  EXPECT_EQ(CodeOfParsing(SerializeTensorProto(deep)), Code::kOk);
  std::string bytes = "\x08\x01\x12\x00"s;
  for (int level = 0; level < 200; ++level) {
    const auto with_length = [](std::string field, const std::string& value) {
      for (size_t size = value.size();; size >>= 7) {
        field += static_cast<char>(size < 0x80 ? size : size | 0x80);
        if (size < 0x80) return field + value;
      }
    };
    bytes = with_length(kScalarOf, with_length("\x1a", bytes));
  }
  EXPECT_EQ(CodeOfParsing(bytes), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb
