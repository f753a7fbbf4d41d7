#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"
#include "spec/files/file_system.h"
#include "spec/files/temporary_folder.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

Tensor Text(std::string text) { return MakeScalar(std::move(text)); }
std::vector<std::string> Texts(const Value& value) {
  const auto texts = value.tensor.data<std::string>();
  return {texts.begin(), texts.end()};
}

TEST(FileOps, WrittenFilesAreReadAndFound) {
  const TemporaryFolder folder;
  const std::string a = folder.path() + "/new/a", b = folder.path() + "/new/b";
  EXPECT_EQ((KernelCall{"WriteFile", {Text(b), Text("x")}}.Fails()), Code::kOk);
  EXPECT_EQ((KernelCall{"WriteFile", {Text(b), Text("two")}}.Fails()), Code::kOk);
  EXPECT_EQ((KernelCall{"WriteFile", {Text(a), Text("")}}.Fails()), Code::kOk);
  EXPECT_THAT(Texts(KernelCall{"ReadFile", {Text(b)}}()), ElementsAre("two"));
  EXPECT_THAT(Texts(KernelCall{"ReadFile", {Text(a)}}()), ElementsAre(""));
  EXPECT_THAT(Texts(KernelCall{"MatchingFiles", {MakeVector<std::string>({b, folder.path() + "/*/?"})}}()),
              ElementsAre(a, b, b));
  EXPECT_THAT(Texts(KernelCall{"MatchingFiles", {Text(folder.path() + "/c*")}}()), ElementsAre());
}

TEST(FileOps, TheBytesOfAFileAreATensor) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/bytes";
  const auto call = [&](DType dtype, const PartialShape& shape) {
    return KernelCall{
        "ImmutableConst", {}, {{"dtype", dtype}, {"shape", shape}, {"memory_region_name", path}}, {dtype}};
  };
  EXPECT_EQ(call(DType::kInt16, {2}).Fails(), Code::kNotFound);
  EXPECT_EQ(call(DType::kInt16, PartialShape::Unknown()).Fails(), Code::kNotFound);
  Files().MakeFolder(path);
  EXPECT_EQ(call(DType::kInt16, {2}).Fails(), Code::kNotFound);
  Files().RemoveFolder(path);
  Files().Write(path, "");
  EXPECT_EQ(call(DType::kInt16, {0}).Fails(), Code::kInvalidArgument);
  Files().Write(path, std::string("\1\0\2\1\5", 5));
  EXPECT_THAT(Integers(call(DType::kInt16, {2})()), ElementsAre(1, 258));
  EXPECT_THAT(Integers(call(DType::kInt16, PartialShape::Unknown())()), ElementsAre(1));
  EXPECT_EQ(call(DType::kInt16, {3}).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(call(DType::kInt16, {-1}).Fails(), Code::kInvalidArgument);
  for (const DType type : {DType::kString, DType::kResource, DType::kVariant}) {
    EXPECT_EQ(call(type, {1}).Fails(), Code::kUnimplemented);
  }
}

TEST(FileOps, WhatIsNoFileIsRefused) {
  const TemporaryFolder folder;
  const Tensor two = MakeVector<std::string>({"a", "b"}), path = Text(folder.path() + "/a");
  EXPECT_EQ((KernelCall{"ReadFile", {path}}.Fails()), Code::kNotFound);
  EXPECT_EQ((KernelCall{"ReadFile", {Text(folder.path())}}.Fails()), Code::kFailedPrecondition);
  EXPECT_EQ((KernelCall{"ReadFile", {two}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"WriteFile", {path, two}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"WriteFile", {two, path}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"WriteFile", {Text(folder.path()), path}}.Fails()), Code::kFailedPrecondition);
  EXPECT_EQ((KernelCall{"MatchingFiles", {MakeTensor<std::string>({1, 1}, {"a"})}}.Fails()), Code::kInvalidArgument);
  EXPECT_TRUE(Files().List(folder.path()).empty());
}

}  // namespace
}  // namespace plumb::reference
