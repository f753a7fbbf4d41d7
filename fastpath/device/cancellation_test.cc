#include "fastpath/device/cancellation.h"

#include <gtest/gtest.h>

namespace plumb::fast {
namespace {

TEST(Cancellation, CallsEachCallbackOnce) {
  Cancellation cancellation;
  int first = 0, second = 0;
  EXPECT_NE(cancellation.Register([&] { ++first; }), 0);
  const int64_t id = cancellation.Register([&] { ++second; });
  cancellation.Deregister(id);
  cancellation.Cancel();
  cancellation.Cancel();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
}

TEST(Cancellation, TakesNoCallbackWhenStoppedUntilTheNextStep) {
  Cancellation cancellation;
  cancellation.Cancel();
  int calls = 0;
  EXPECT_EQ(cancellation.Register([&] { ++calls; }), 0);
  cancellation.Reset();
  EXPECT_NE(cancellation.Register([&] { ++calls; }), 0);
  cancellation.Cancel();
  EXPECT_EQ(calls, 1);
}

TEST(Cancellation, LetsACallbackDeregisterItself) {
  Cancellation cancellation;
  int64_t id = 0;
  int calls = 0;
  id = cancellation.Register([&] {
    ++calls;
    cancellation.Deregister(id);
  });
  cancellation.Cancel();
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace plumb::fast
