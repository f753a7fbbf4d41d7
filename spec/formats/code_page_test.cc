// Texts in code pages, as TensorFlow 2.12 reads them.
#include "spec/formats/code_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "spec/core/status_testing.h"

namespace plumb {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Read {
  std::vector<int32_t> characters;
  std::vector<size_t> starts, malformed;
};

Read ReadAll(const std::string& name, std::string_view text) {
  Read read;
  CodePageReader reader(name, text);
  while (reader.Next()) {
    if (reader.malformed()) read.malformed.push_back(read.characters.size());
    read.characters.push_back(reader.code_point());
    read.starts.push_back(reader.start());
  }
  return read;
}

TEST(CodePages, OfOneByte) {
  EXPECT_THAT(ReadAll("windows-1252", "\x80\x81z").characters, ElementsAre(0x20ac, 0x81, 'z'));
  EXPECT_THAT(ReadAll("ISO-8859-15", "\xa4").characters, ElementsAre(0x20ac));
  EXPECT_THAT(ReadAll("koi8-r", "\xc1").characters, ElementsAre(0x430));
  EXPECT_THAT(ReadAll("ibm-1047", "\x81\x82").characters, ElementsAre('a', 'b'));
}

TEST(CodePages, OfSeveralBytesTellWhereCharactersBegin) {
  const Read read = ReadAll("Shift_JIS", "\x83\x65\x83\x58\x83g");
  EXPECT_THAT(read.characters, ElementsAre(0x30c6, 0x30b9, 0x30c8));
  EXPECT_THAT(read.starts, ElementsAre(0, 2, 4));
  EXPECT_THAT(ReadAll("gb18030", "\x81\x30\x81\x30").characters, ElementsAre(0x80));
  EXPECT_THAT(ReadAll("EUC-KR", "\xb0\xa1").characters, ElementsAre(0xac00));
}

TEST(CodePages, GoByTheNamesThatTheyHave) {
  for (const char* name :
       {"Shift_JIS", "sjis", "SHIFT-JIS", "ibm-943_P15A-2003", "shift jis", "../sjis", "sjis,version=0"}) {
    EXPECT_TRUE(HasCodePage(name)) << name;
    EXPECT_THAT(ReadAll(name, "\x83g").characters, ElementsAre(0x30c8)) << name;
  }
  for (const std::string& name : {""s, "nonsense"s, "/etc/passwd"s, ",version=1"s, "sjis\0"s}) {
    EXPECT_FALSE(HasCodePage(name)) << name;
    EXPECT_EQ(StatusOf([&] { CodePageReader(name, "a"); }).code(), Code::kInvalidArgument) << name;
  }
}

TEST(CodePages, GiveWhatIsMalformedAsOneCharacter) {
  const Read read = ReadAll("sjis", "\x83 \xff\x83");
  EXPECT_THAT(read.characters, ElementsAre(0xfffd, ' ', 0xfffd, 0xfffd));
  EXPECT_THAT(read.malformed, ElementsAre(0, 2, 3));
  EXPECT_THAT(ReadAll("ISO-8859-8", "\xa1").malformed, ElementsAre(0)) << "it stands for nothing";
  EXPECT_THAT(ReadAll("sjis", "\x65\x83g").malformed, IsEmpty());
}

TEST(CodePages, BeginEachTextAnew) {
  EXPECT_THAT(ReadAll("ISO-2022-JP", "\x1b$B$\"").characters, ElementsAre(0x3042));
  EXPECT_THAT(ReadAll("ISO-2022-JP", "$\"").characters, ElementsAre('$', '"'));
  EXPECT_THAT(ReadAll("sjis", "\x83").malformed, ElementsAre(0));
  EXPECT_THAT(ReadAll("sjis", "e").characters, ElementsAre('e'));
}

TEST(CodePages, EndInTheMiddleOfASwitchAsICUSays) {
  const Read read = ReadAll("ISO-2022-JP", "\x1b$B$\"\x1b(B");
  EXPECT_THAT(read.characters, ElementsAre(0x3042, 0xffff));
  EXPECT_THAT(read.starts, ElementsAre(0, 5));
}

TEST(CodePages, MayBeReadSideBySide) {
  CodePageReader one("sjis", "\x83g\x83g"), other("sjis", "\x83\x65");
  ASSERT_TRUE(one.Next() && other.Next());
  EXPECT_EQ(one.code_point(), 0x30c8);
  EXPECT_EQ(other.code_point(), 0x30c6);
  ASSERT_TRUE(one.Next());
  EXPECT_EQ(one.code_point(), 0x30c8);
  EXPECT_FALSE(other.Next());
}

}  // namespace
}  // namespace plumb
