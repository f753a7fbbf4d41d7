// Compressed bytes in memory: streams one behind the other, their headers, and what is cut off, damaged or more.
#include "spec/formats/inflate.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <optional>
#include <vector>

#include "spec/core/status_testing.h"

namespace plumb {
namespace {

const std::string kText = "one line of text, and one line of text again\n", kMore = "and more";
const std::string kBoth = kText + kMore;

// `bits`: zlib's; 15 for its own streams, 31 for gzip's, −15 for neither's header.
std::string Deflated(const std::string& text, int bits, gz_header* header = nullptr, int level = Z_BEST_COMPRESSION) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  if (header != nullptr) EXPECT_EQ(deflateSetHeader(&stream, header), Z_OK);
  std::string compressed(deflateBound(&stream, text.size()) + 100, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(compressed.data());
  stream.avail_out = static_cast<uInt>(compressed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  return compressed;
}
std::string Member(const std::string& text, gz_header* header = nullptr) { return Deflated(text, 31, header); }
std::string Zlib(const std::string& text) { return Deflated(text, 15); }

// Nothing where it is damaged.
std::optional<std::string> Gzip(const std::string& compressed) {
  const Inflated inflated = Inflate(compressed, Compression::kGzip);
  std::optional<std::string> whole;
  const Code code = StatusOf([&] { whole = InflatePrefix(compressed, Compression::kGzip); }).code();
  EXPECT_EQ(code, inflated.is_damaged ? Code::kDataLoss : Code::kOk);
  if (whole) EXPECT_EQ(*whole, inflated.bytes);
  return whole;
}
// What comes before the damage.
std::string Before(const std::string& compressed) {
  const Inflated inflated = Inflate(compressed, Compression::kGzip);
  EXPECT_TRUE(inflated.is_damaged);
  return inflated.bytes;
}

TEST(Inflate, GzipStreamsFollowOneAnother) {
  EXPECT_EQ(Gzip(Member(kText)), kText);
  EXPECT_EQ(Gzip(Member(kText) + Member(kMore)), kBoth);
  std::string of_each_byte;
  for (const char byte : kBoth) of_each_byte += Member(std::string(1, byte));
  EXPECT_EQ(Gzip(of_each_byte), kBoth);
  EXPECT_EQ(Gzip(Deflated(kText, 31, nullptr, 0) + Deflated(kMore, 31, nullptr, 1)), kBoth);
}

TEST(Inflate, AnEmptyStreamEndsWhatIsInItsBlock) {
  EXPECT_EQ(Gzip(""), "");
  EXPECT_EQ(Gzip(Member("")), "");
  EXPECT_EQ(Gzip(Member("") + Member(kText)), "");
  EXPECT_EQ(Gzip(Member(kText) + Member("") + Member(kMore)), kText);
  EXPECT_EQ(Gzip(Member(kText) + Member("") + Member("")), kText);
  const std::string wide = Deflated(std::string(1 << 18, 'a'), 31, nullptr, 0);  // fills more than a block
  EXPECT_EQ(Gzip(Member("") + wide), std::string(1 << 18, 'a')) << "the rest is still to be read";
}

TEST(Inflate, BlocksMayEndAnywhere) {
  constexpr size_t kBlock = 1 << 18;
  for (const size_t size : {kBlock - 1, kBlock, kBlock + 1, 3 * kBlock}) {
    const std::string text(size, 'b');
    for (const int level : {0, 9}) {  // as many bytes as in the text, and few
      EXPECT_EQ(Gzip(Deflated(text, 31, nullptr, level) + Member(kMore)), text + kMore) << size;
      EXPECT_EQ(InflatePrefix(Deflated(text, 15, nullptr, level), Compression::kZlib), text) << size;
    }
  }
}

TEST(Inflate, HeadersOfGzipSayMore) {
  std::string extra = "ab\x02";
  extra += std::string("\0xy", 3);
  for (int fields = 0; fields < 32; ++fields) {
    gz_header header{};
    header.text = fields & 1;
    header.hcrc = fields >> 1 & 1;
    if (fields & 4) {
      header.extra = reinterpret_cast<Bytef*>(extra.data());
      header.extra_len = static_cast<uInt>(extra.size());
    }
    std::string name = "a name", comment = "a comment";
    if (fields & 8) header.name = reinterpret_cast<Bytef*>(name.data());
    if (fields & 16) header.comment = reinterpret_cast<Bytef*>(comment.data());
    const std::string member = Member(kText, &header);
    EXPECT_EQ(Gzip(member), kText) << fields;
    EXPECT_EQ(Gzip(member + member), kText + kText) << fields;
    for (size_t size = 0; size < member.size(); ++size) {  // cut off anywhere
      const std::optional<std::string> some = Gzip(member.substr(0, size));
      ASSERT_TRUE(some.has_value()) << fields << ", " << size;
      EXPECT_TRUE(kText.starts_with(*some)) << fields << ", " << size;
    }
  }
}

// From the start of a stream or from its end; at this byte another bit is set.
std::string Damaged(std::string member, int at) {
  member[at >= 0 ? static_cast<size_t>(at) : member.size() - static_cast<size_t>(-at)] ^= 1 << 5;
  return member;
}

TEST(Inflate, ADamagedStreamIsDataLossBehindThoseBeforeIt) {
  constexpr int kMagic[] = {0, 1}, kMethod = 2, kFlags = 3, kChecksum = -8, kSize = -4;
  for (const int at : {kMagic[0], kMagic[1], kMethod, kFlags, kChecksum, kChecksum + 3, kSize, kSize + 3}) {
    EXPECT_EQ(Gzip(Damaged(Member(kText), at)), std::nullopt) << at;
    EXPECT_EQ(Before(Member(kText) + Damaged(Member(kMore), at)), kText) << at;
    EXPECT_EQ(Before(Damaged(Member(kText), at) + Member(kMore)), "") << at;
  }
  gz_header with_checksum{};
  with_checksum.hcrc = 1;
  EXPECT_EQ(Before(Damaged(Member(kText, &with_checksum), 10)), "");
}

TEST(Inflate, WhatFollowsAGzipStreamIsAStreamOrDamage) {
  const std::string member = Member(kText);
  for (const std::string& begun : {std::string(1, '\0'), std::string("x"), member.substr(0, 1), member.substr(0, 10)}) {
    EXPECT_EQ(Gzip(member + begun), kText) << "too little to tell";
  }
  for (const std::string& other : {std::string(2, '\0'), std::string(512, '\0'), std::string("rubbish"), kText,
                                   Zlib(kMore), std::string(8, '\0') + Member(kMore)}) {
    EXPECT_EQ(Before(member + other), kText);
  }
}

TEST(Inflate, WhatFollowsAZlibStreamIsNotLookedAt) {
  const std::string one = Zlib(kText);
  for (const std::string& rest : {std::string(), std::string("rubbish"), std::string(9, '\0'), Zlib(kMore)}) {
    EXPECT_EQ(InflatePrefix(one + rest, Compression::kZlib), kText);
  }
  for (size_t size = 0; size < one.size(); ++size) {
    EXPECT_TRUE(kText.starts_with(InflatePrefix(one.substr(0, size), Compression::kZlib))) << size;
  }
  for (const int at : {0, 1, -1, -4}) EXPECT_TRUE(Inflate(Damaged(one, at), Compression::kZlib).is_damaged) << at;
}

TEST(Inflate, AStreamOfAnotherKindIsDamage) {
  const std::string plain = kText, raw = Deflated(kText, -15);
  for (const std::string& bytes : {plain, raw, Member(kText)}) {
    EXPECT_TRUE(Inflate(bytes, Compression::kZlib).is_damaged);
    EXPECT_EQ(InflatePrefix(bytes, Compression::kNone), bytes);
  }
  for (const std::string& bytes : {plain, raw, Zlib(kText)}) EXPECT_TRUE(Inflate(bytes, Compression::kGzip).is_damaged);
}

}  // namespace
}  // namespace plumb
