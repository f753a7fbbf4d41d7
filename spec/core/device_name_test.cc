#include "spec/core/device_name.h"

#include <gtest/gtest.h>

#include "spec/core/status.h"

namespace plumb {
namespace {

Code CodeOf(std::string_view text) {
  try {
    DeviceName::Parse(text);
    return Code::kOk;
  } catch (const Error& error) {
    return error.status().code();
  }
}

TEST(DeviceName, PartsMayComeInAnyOrderAndPrintInOne) {
  EXPECT_EQ(DeviceName::Parse("/device:GPU:2/task:3/job:worker/replica:0").ToString(),
            "/job:worker/replica:0/task:3/device:GPU:2");
  EXPECT_EQ(DeviceName::Parse("/cpu:1").ToString(), "/device:CPU:1");
  EXPECT_EQ(DeviceName::Parse("/gpu:*").ToString(), "/device:GPU:*");
  EXPECT_EQ(DeviceName::Parse("/job:*/device:*:4").ToString(), "/device:*:4");
}

TEST(DeviceName, EmptyConstrainsNothing) {
  EXPECT_EQ(DeviceName::Parse(""), DeviceName());
  EXPECT_EQ(DeviceName::Parse("/"), DeviceName());
  EXPECT_TRUE(DeviceName().Describes(DeviceName::Parse("/job:a/device:CPU:0")));
}

TEST(DeviceName, MalformedTextIsRefused) {
  for (const char* text : {"cpu:0", "/device", "/device:", "/task:x", "/task:-1", "/task:99999999999",
                           "/job:", "/job:1a", "/cpu:0//", "/cpu:0x"}) {
    EXPECT_EQ(CodeOf(text), Code::kInvalidArgument) << text;
  }
}

TEST(DeviceName, MergeTakesWhatEitherSays) {
  const DeviceName worker = DeviceName::Parse("/job:worker");
  const DeviceName gpu = DeviceName::Parse("/device:GPU:1");
  EXPECT_EQ(worker.MergeWith(gpu).ToString(), "/job:worker/device:GPU:1");
  EXPECT_THROW(gpu.MergeWith(DeviceName::Parse("/device:CPU:1")), Error);
  EXPECT_THROW(worker.MergeWith(DeviceName::Parse("/job:ps"), true), Error);
}

TEST(DeviceName, SoftMergeDropsAContradictoryDevice) {
  const DeviceName a = DeviceName::Parse("/job:w/device:GPU:1");
  EXPECT_EQ(a.MergeWith(DeviceName::Parse("/device:GPU:0"), true).ToString(), "/job:w");
}

TEST(DeviceName, APartialNameDescribesTheFullNamesThatAgree) {
  const DeviceName full = DeviceName::Parse("/job:w/replica:0/task:0/device:CPU:1");
  EXPECT_TRUE(DeviceName::Parse("/device:CPU:*").Describes(full));
  EXPECT_FALSE(DeviceName::Parse("/device:CPU:0").Describes(full));
}

}  // namespace
}  // namespace plumb
