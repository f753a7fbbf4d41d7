#include "tools/literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "spec/core/status_testing.h"
#include "spec/files/file.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/npy.h"

namespace plumb::tools {
namespace {

TEST(Literal, TypesShapesAndValues) {
  EXPECT_TRUE(ParseLiteral("float32[2,2]{1,2,3,-4.5}").BitwiseEquals(MakeTensor<float>({2, 2}, {1, 2, 3, -4.5})));
  EXPECT_TRUE(ParseLiteral("int64{-7}").BitwiseEquals(MakeScalar<int64_t>(-7)));
  EXPECT_TRUE(ParseLiteral("string[2]{a b,c}").BitwiseEquals(MakeVector<std::string>({"a b", "c"})));
  EXPECT_TRUE(ParseLiteral("string[2]{'a', x'41'}").BitwiseEquals(MakeVector<std::string>({"'a'", "x'41'"})));
  EXPECT_TRUE(ParseLiteral("bool[2]{true,0}").BitwiseEquals(MakeVector<bool>({true, false})));
  EXPECT_TRUE(ParseLiteral("int32[3]{9}").BitwiseEquals(MakeVector<int32_t>({9, 9, 9})));
  EXPECT_TRUE(ParseLiteral("float32[0]{}").BitwiseEquals(Tensor(DType::kFloat, {0})));
  const Feed feed = ParseFeed("x:0=double{0.1}");
  EXPECT_EQ(feed.first, "x:0");
  EXPECT_EQ(feed.second.scalar<double>(), 0.1);
}

// What a step prints can be fed.
TEST(Literal, AreReadAsTheyArePrinted) {
  using Complex = std::complex<float>;
  const Tensor printed[] = {MakeVector<std::string>({"a, b", "", "say \"x\"", "back\\slash", "line\n", "é"}),
                            MakeScalar<std::string>(""),
                            MakeTensor<float>({2, 2}, {1.5, -2, 3e-20F, INFINITY}),
                            MakeVector<bool>({true, false}),
                            MakeScalar<int64_t>(-3),
                            MakeVector<uint64_t>({0, UINT64_MAX}),
                            MakeVector<Complex>({{1, -2}, {0, 0.5}})};
  for (const Tensor& tensor : printed) {
    const std::string text = tensor.ToString(tensor.elements());
    EXPECT_TRUE(ParseLiteral(text).BitwiseEquals(tensor)) << text;
  }
  EXPECT_TRUE(ParseLiteral(R"(string[2]{"\x41\"", b})").BitwiseEquals(MakeVector<std::string>({"A\"", "b"})));
}

TEST(Literal, MistakesAreInvalidArguments) {
  for (const char* text : {"",
                           "float32",
                           "flaot{1}",
                           "float32[2{1}",
                           "float32[2]{1,2,3}",
                           "int8{300}",
                           "uint64{-1}",
                           "uint64{18446744073709551616}",
                           "uint8{-1}",
                           "int32{1.5}",
                           "float32{x}",
                           "float32[-1]{}",
                           "float32[99999999999,99999999999]{0}",
                           "resource{1}",
                           "float32{1}x",
                           "bool{yes}",
                           R"(string{"a)",
                           R"(string{"a"b})",
                           R"(string{"\n"})",
                           R"(string{"\x4"})",
                           "complex64{(1}"}) {
    try {
      ParseLiteral(text);
      ADD_FAILURE() << text << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument) << text;
    }
  }
}

TEST(Literal, FilesAreFed) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/x";
  WriteNpy(path, MakeVector<float>({1, 2}));
  EXPECT_TRUE(ParseFeed("x:0=@" + path).second.BitwiseEquals(MakeVector<float>({1, 2})));
  const std::string content = ReadFile(path);
  EXPECT_TRUE(ParseFeed("x:0=@bytes:" + path).second.BitwiseEquals(MakeScalar(content)));
  EXPECT_EQ(StatusOf([&] { ParseFeed("x:0=@" + path + "y"); }).code(), Code::kNotFound);
}

}  // namespace
}  // namespace plumb::tools
