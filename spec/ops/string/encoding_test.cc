#include "spec/ops/string/encoding.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

TEST(Encoding, IsFoundByItsNameHoweverThatIsWritten) {
  EXPECT_EQ(FindEncoding("utf8"), Encoding::kUtf8);
  EXPECT_EQ(FindEncoding("UTF_16 be"), Encoding::kUtf16Be);
  EXPECT_EQ(FindEncoding("UTF-32-LE"), Encoding::kUtf32Le);
  EXPECT_EQ(FindEncoding("utf-99"), std::nullopt);
}

// The halves of characters in UTF-16 begin at 0xd800, and from 0xe000 on there are characters again.
TEST(Encoding, SurrogatesLieBetweenCharacters) {
  for (const int32_t c : {0, 0x61, 0xd7ff, 0xe000, 0x10000}) {
    EXPECT_FALSE(IsLeadSurrogate(c) || IsTrailSurrogate(c)) << c;
  }
  for (const int32_t c : {0xd800, 0xdbff}) EXPECT_TRUE(IsLeadSurrogate(c) && !IsTrailSurrogate(c)) << c;
  for (const int32_t c : {0xdc00, 0xdfff}) EXPECT_TRUE(IsTrailSurrogate(c) && !IsLeadSurrogate(c)) << c;
}

TEST(Encoding, SomeCodePointsAreFreeForEver) {
  for (const int32_t c : {0xfdd0, 0xfdef, 0xfffe, 0xffff, 0x1fffe, 0x10ffff}) EXPECT_TRUE(IsNoncharacter(c)) << c;
  for (const int32_t c : {0xfdcf, 0xfdf0, 0xfffd, 0x10000, 0x1fffd, 0x2fff}) EXPECT_FALSE(IsNoncharacter(c)) << c;
}

}  // namespace
}  // namespace plumb
