#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;

Tensor Text(std::string text) { return MakeScalar(std::move(text)); }

TEST(FileOps, WrittenFilesAreReadAndFound) {
  const TemporaryFolder folder;
  const std::string a = folder.path() + "/new/a", b = folder.path() + "/new/b";
  const std::string large(1000000, 'x');
  EXPECT_EQ(CodeOfKernel("WriteFile", {Text(b), Text("x")}), Code::kOk);
  EXPECT_EQ(CodeOfKernel("WriteFile", {Text(b), Text(large)}), Code::kOk);
  EXPECT_EQ(CodeOfKernel("WriteFile", {Text(a), Text("")}), Code::kOk);
  EXPECT_EQ(RunKernel1("ReadFile", {Text(b)}).scalar<std::string>(), large);
  EXPECT_EQ(RunKernel1("ReadFile", {Text(a)}).scalar<std::string>(), "");
  EXPECT_THAT(Values<std::string>(RunKernel1("MatchingFiles", {MakeVector<std::string>({b, folder.path() + "/*/?"})})),
              ElementsAre(a, b, b));
  EXPECT_THAT(Values<std::string>(RunKernel1("MatchingFiles", {Text(folder.path() + "/c*")})), ElementsAre());
}

TEST(FileOps, TheBytesOfAFileAreATensor) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/bytes";
  const auto attrs = [&](DType dtype, const PartialShape& shape) {
    return AttrMap{{"dtype", dtype}, {"shape", shape}, {"memory_region_name", path}};
  };
  const auto code = [&](const PartialShape& shape) {
    return CodeOfKernel("ImmutableConst", {}, attrs(DType::kInt16, shape));
  };
  EXPECT_EQ(code({2}), Code::kNotFound);
  EXPECT_EQ(code(PartialShape::Unknown()), Code::kNotFound);
  Files().MakeFolder(path);
  EXPECT_EQ(code({2}), Code::kNotFound);
  Files().RemoveFolder(path);
  Files().Write(path, "");
  EXPECT_EQ(code({0}), Code::kInvalidArgument);
  Files().Write(path, std::string("\1\0\2\1\5", 5));
  EXPECT_EQ(Values<int16_t>(RunKernel1("ImmutableConst", {}, attrs(DType::kInt16, {2}))),
            (std::vector<int16_t>{1, 258}));
  EXPECT_EQ(Values<int16_t>(RunKernel1("ImmutableConst", {}, attrs(DType::kInt16, PartialShape::Unknown()))),
            std::vector<int16_t>{1});
  EXPECT_EQ(code({3}), Code::kInvalidArgument);
  EXPECT_EQ(code({-1}), Code::kInvalidArgument);
  for (const DType type : {DType::kString, DType::kResource, DType::kVariant}) {
    EXPECT_EQ(CodeOfKernel("ImmutableConst", {}, attrs(type, {1})), Code::kUnimplemented);
  }
}

TEST(FileOps, WhatIsNoFileIsRefused) {
  const TemporaryFolder folder;
  const Tensor two = MakeVector<std::string>({"a", "b"}), path = Text(folder.path() + "/a");
  EXPECT_EQ(CodeOfKernel("ReadFile", {path}), Code::kNotFound);
  EXPECT_EQ(CodeOfKernel("ReadFile", {Text(folder.path())}), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOfKernel("ReadFile", {two}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("WriteFile", {path, two}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("WriteFile", {two, path}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("WriteFile", {Text(folder.path()), path}), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOfKernel("MatchingFiles", {MakeTensor<std::string>({1, 1}, {"a"})}), Code::kInvalidArgument);
  EXPECT_TRUE(Files().List(folder.path()).empty());
}

}  // namespace
}  // namespace plumb::fast::cpu
