#include "fastpath/memory/kept_bytes.h"

#include <gtest/gtest.h>

namespace plumb::fast {
namespace {

TEST(KeptBytes, AreHalfAsManyAgainAsWereInUseAtOnce) {
  KeptBytes bytes(10, 1000);
  EXPECT_EQ(bytes.Allowed(), 10);
  bytes.Take(300);
  bytes.Take(200);
  EXPECT_EQ(bytes.Allowed(), 750);
  bytes.GiveBack(300);
  bytes.Take(100);
  EXPECT_EQ(bytes.Allowed(), 750);
  bytes.Take(300);
  EXPECT_EQ(bytes.Allowed(), 900);
}

TEST(KeptBytes, AreNeverMoreThanTheMost) {
  KeptBytes bytes(10, 1000);
  bytes.Take(5000);
  EXPECT_EQ(bytes.Allowed(), 1000);
  KeptBytes little(10, 5);
  little.Take(5000);
  EXPECT_EQ(little.Allowed(), 10);
}

TEST(KeptBytes, ForgetWhatWasInUseLongAgo) {
  KeptBytes bytes(10, 1000);
  bytes.Take(600);
  bytes.GiveBack(600);
  const auto use = [&](int64_t times) {
    for (int64_t i = 0; i < times; ++i) {
      bytes.Take(70);
      bytes.GiveBack(70);
    }
  };
  use(2 * KeptBytes::kTakenInAWindow - 2);
  EXPECT_EQ(bytes.Allowed(), 900);
  use(1);
  EXPECT_EQ(bytes.Allowed(), 105);
}

}  // namespace
}  // namespace plumb::fast
