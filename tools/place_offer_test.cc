#include "tools/place_offer.h"

#include <gtest/gtest.h>

#include "spec/core/status.h"

namespace plumb::tools {
namespace {

TEST(ParseOffer, ReadsMemoryAndSpeed) {
  const DeviceOffer plain = ParseOffer("/job:worker/task:1");
  EXPECT_EQ(plain.device, "/job:worker/task:1");
  EXPECT_EQ(plain.memory, INT64_MAX);
  EXPECT_EQ(plain.speed, 1);
  EXPECT_EQ(ParseOffer("/cpu:0=512").memory, int64_t{512} << 20);
  EXPECT_EQ(ParseOffer("/cpu:0*2.5").speed, 2.5);
  const DeviceOffer both = ParseOffer("/job:ps/task:0/device:CPU:0=0.5*4");
  EXPECT_EQ(both.device, "/job:ps/task:0/device:CPU:0");
  EXPECT_EQ(both.memory, 1 << 19);
  EXPECT_EQ(both.speed, 4);
}

TEST(ParseOffer, SaysWhatIsWrong) {
  for (const char* text :
       {"", "/", "/cpu:0=", "/cpu:0=many", "/cpu:0=-1", "/cpu:0*0", "/cpu:0*", "/cpu:0=1e12", "cpu", "/cpu:0=nan"}) {
    try {
      ParseOffer(text);
      ADD_FAILURE() << "'" << text << "' was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInvalidArgument) << text;
    }
  }
}

}  // namespace
}  // namespace plumb::tools
