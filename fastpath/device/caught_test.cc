// Law of exceptions: each is a status, with TensorFlow's code, on whichever device it is thrown.
#include "fastpath/device/caught.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <vector>

namespace plumb::fast {
namespace {

template <class Throw>
Status Caught(const Throw& throw_it) {
  try {
    throw_it();
  } catch (const std::exception&) {
    return CaughtStatus();
  }
  return OkStatus();
}

TEST(Caught, HasTheCodeOfWhatWasThrown) {
  EXPECT_EQ(Caught([] { throw NotFound("no such thing"); }).ToString(), NotFound("no such thing").status().ToString());
  EXPECT_EQ(Caught([] { throw std::bad_alloc(); }).code(), Code::kResourceExhausted);
  const auto hold_too_much = [] { std::vector<int>().reserve(std::vector<int>().max_size() + 1); };
  EXPECT_EQ(Caught(hold_too_much).code(), Code::kResourceExhausted);
  EXPECT_EQ(Caught([] { throw std::runtime_error("a mistake"); }).ToString(),
            Status(Code::kInternal, "a mistake").ToString());
}

}  // namespace
}  // namespace plumb::fast
