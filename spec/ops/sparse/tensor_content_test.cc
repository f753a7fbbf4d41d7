// Law: what is written can be read back, byte for byte as TensorFlow writes it.
#include "spec/ops/sparse/tensor_content.h"

#include <gtest/gtest.h>

#include "spec/core/status_testing.h"

namespace plumb {
namespace {

TEST(TensorContent, IsWrittenAsTensorFlowWritesIt) {
  using std::string_literals::operator""s;
  EXPECT_EQ(SerializedContent(MakeVector<int64_t>({5})), "\010\t\022\004\022\002\010\001\"\010\005\0\0\0\0\0\0\0"s);
  EXPECT_EQ(SerializedContent(MakeVector<std::string>({"a", "b"})),
            "\010\007\022\004\022\002\010\002\"\004\001\001ab"s);
  EXPECT_EQ(SerializedContent(Tensor(DType::kString, {0})), "\010\007\022\002\022\000"s);
}

TEST(TensorContent, IsReadBack) {
  for (const Tensor& tensor : {MakeTensor<int64_t>({2, 1}, {1, -2}), MakeVector<float>({}), MakeScalar(true),
                               MakeVector<std::string>({"", std::string(300, 'x')})}) {
    EXPECT_TRUE(ParsedContent(SerializedContent(tensor)).BitwiseEquals(tensor)) << tensor.ToString();
  }
}

TEST(TensorContent, OtherBytesAreRefused) {
  const std::string list = SerializedContent(MakeVector<std::string>({"ab", "c"}));
  std::string longer = list;
  longer[list.find("\002\001abc")] = '\004';  // letters of the first one
  for (const std::string& bytes : {std::string("nothing"), list.substr(0, list.size() - 1), longer}) {
    EXPECT_EQ(StatusOf([&] { ParsedContent(bytes); }).code(), Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace plumb
