#include "tools/fetched.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status_testing.h"
#include "spec/files/temporary_folder.h"
#include "spec/formats/npy.h"

namespace plumb::tools {
namespace {

TEST(Fetched, EachHasAFileOfItsName) {
  const TemporaryFolder folder;
  const std::string there = folder.path() + "/new/out";
  const std::vector<Tensor> outputs = {MakeScalar(1.0f), MakeVector<int32_t>({2})};
  WriteFetches(there, {"scope/y:0", "z"}, outputs);
  EXPECT_TRUE(ReadNpy(there + "/scope_y_0.npy").BitwiseEquals(outputs[0]));
  EXPECT_TRUE(ReadNpy(there + "/z.npy").BitwiseEquals(outputs[1]));
}

TEST(Fetched, TwoOfOneFileAreRefused) {
  const Status status = StatusOf([] { FileNamesOf({"a/b", "c", "a_b"}); });
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("'a/b' and 'a_b'"));
}

}  // namespace
}  // namespace plumb::tools
