#include "reference/ops/string/unicode_text.h"

#include "spec/core/status.h"
#include "spec/formats/code_page.h"

namespace plumb::reference {
namespace {

uint8_t ByteAt(const std::string& text, size_t i) { return static_cast<uint8_t>(text[i]); }

// `count` bytes at `at` as one number.
uint32_t Unit(const std::string& text, size_t at, size_t count, bool little_endian) {
  uint32_t unit = 0;
  for (size_t i = 0; i < count; ++i) unit = unit << 8 | ByteAt(text, at + (little_endian ? count - 1 - i : i));
  return unit;
}

// The values that the second byte may have (Unicode, table 3-7). They rule out surrogates, numbers beyond U+10FFFF and
// forms that are longer than they need to be.
bool MayFollow(uint8_t lead, uint8_t second) {
  if (lead == 0xe0) return second >= 0xa0 && second <= 0xbf;
  if (lead == 0xed) return second >= 0x80 && second <= 0x9f;
  if (lead == 0xf0) return second >= 0x90 && second <= 0xbf;
  if (lead == 0xf4) return second >= 0x80 && second <= 0x8f;
  return second >= 0x80 && second <= 0xbf;
}

Character NextUtf8(const std::string& text, size_t at) {
  const uint8_t lead = ByteAt(text, at);
  if (lead < 0x80) return {lead, 1};
  const int64_t length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  int32_t code_point = length == 2 ? lead & 0x1f : length == 3 ? lead & 0x0f : lead & 0x07;
  int64_t bytes = 1;
  for (; bytes < length && at + bytes < text.size(); ++bytes) {
    const uint8_t next = ByteAt(text, at + bytes);
    if (bytes == 1 ? !MayFollow(lead, next) : (next & 0xc0) != 0x80) break;
    code_point = code_point << 6 | (next & 0x3f);
  }
  if (length == 1 || bytes < length) return {kReplacementCharacter, bytes, true};
  return {code_point, bytes};
}

Character NextUtf16(const std::string& text, size_t at, bool little_endian) {
  const size_t left = text.size() - at;
  if (left < 2) return {kReplacementCharacter, 1, true};
  const auto unit = static_cast<int32_t>(Unit(text, at, 2, little_endian));
  if (IsTrailSurrogate(unit)) return {kReplacementCharacter, 2, true};
  if (!IsLeadSurrogate(unit)) return {unit, 2};
  if (left < 4) return {kReplacementCharacter, static_cast<int64_t>(left), true};
  const auto trail = static_cast<int32_t>(Unit(text, at + 2, 2, little_endian));
  if (!IsTrailSurrogate(trail)) return {kReplacementCharacter, 2, true};
  return {0x10000 + ((unit & 0x3ff) << 10) + (trail & 0x3ff), 4};
}

Character NextUtf32(const std::string& text, size_t at, bool little_endian) {
  const size_t left = text.size() - at;
  if (left < 4) return {kReplacementCharacter, static_cast<int64_t>(left), true};
  const uint32_t unit = Unit(text, at, 4, little_endian);
  const bool is_character = unit <= kLargestCodePoint && (unit < 0xd800 || unit >= 0xe000);
  return is_character ? Character{static_cast<int32_t>(unit), 4} : Character{kReplacementCharacter, 4, true};
}

Character Next(const std::string& text, size_t at, Encoding encoding) {
  switch (encoding) {
    case Encoding::kUtf8:
      return NextUtf8(text, at);
    case Encoding::kUtf16:
    case Encoding::kUtf16Be:
      return NextUtf16(text, at, false);
    case Encoding::kUtf16Le:
      return NextUtf16(text, at, true);
    case Encoding::kUtf32:
    case Encoding::kUtf32Be:
      return NextUtf32(text, at, false);
    case Encoding::kUtf32Le:
      return NextUtf32(text, at, true);
    case Encoding::kAscii:
      if (ByteAt(text, at) >= 0x80) return {kReplacementCharacter, 1, true};
      [[fallthrough]];
    case Encoding::kLatin1:
      return {ByteAt(text, at), 1};
  }
  throw Internal("an encoding without a rule");
}

// Takes the byte order mark off the front, and names the order.
size_t ReadMark(const std::string& text, Encoding& encoding) {
  if (encoding == Encoding::kUtf16 && text.starts_with("\xff\xfe")) return encoding = Encoding::kUtf16Le, 2;
  if (encoding == Encoding::kUtf16 && text.starts_with("\xfe\xff")) return encoding = Encoding::kUtf16Be, 2;
  const std::string big("\0\0\xfe\xff", 4), little("\xff\xfe\0\0", 4);
  if (encoding == Encoding::kUtf32 && text.starts_with(little)) return encoding = Encoding::kUtf32Le, 4;
  if (encoding == Encoding::kUtf32 && text.starts_with(big)) return encoding = Encoding::kUtf32Be, 4;
  return 0;
}

// The halves of pairs are put together, as they are in a text of UTF-16.
std::vector<int32_t> Paired(const std::vector<int32_t>& code_points) {
  std::vector<int32_t> paired;
  bool lead_before = false;
  for (const int32_t c : code_points) {
    if (lead_before && IsTrailSurrogate(c)) {
      paired.back() = 0x10000 + ((paired.back() & 0x3ff) << 10) + (c & 0x3ff);
      lead_before = false;
    } else {
      paired.push_back(c);
      lead_before = IsLeadSurrogate(c);
    }
  }
  return paired;
}

void AppendBytes(std::string& to, uint32_t number, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) to += static_cast<char>(number >> (8 * i));
}

void AppendUtf8(std::string& to, int32_t c) {
  if (IsLeadSurrogate(c) || IsTrailSurrogate(c)) c = kReplacementCharacter;
  const int continuing = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  constexpr uint8_t kLeads[] = {0x00, 0xc0, 0xe0, 0xf0};
  to += static_cast<char>(kLeads[continuing] | (c >> (6 * continuing)));
  for (int i = continuing - 1; i >= 0; --i) to += static_cast<char>(0x80 | ((c >> (6 * i)) & 0x3f));
}

void AppendUtf16(std::string& to, int32_t c) {
  if (c < 0x10000) return AppendBytes(to, static_cast<uint32_t>(c), 2);
  AppendBytes(to, 0xd800 + static_cast<uint32_t>((c - 0x10000) >> 10), 2);
  AppendBytes(to, 0xdc00 + static_cast<uint32_t>((c - 0x10000) & 0x3ff), 2);
}

}  // namespace

InputEncoding::InputEncoding(const std::string& wanted) : name(wanted), encoding(FindEncoding(wanted)) {
  Require(encoding || HasCodePage(name), "the encoding '", name, "' is not known; known are ", kEncodingNames);
}

std::vector<Character> Characters(const std::string& text, const InputEncoding& encoding) {
  if (encoding.encoding) return Characters(text, *encoding.encoding);
  std::vector<Character> characters;
  CodePageReader reader(encoding.name, text);
  while (reader.Next()) {
    characters.push_back(
        {reader.code_point(), static_cast<int64_t>(reader.end() - reader.start()), reader.malformed()});
  }
  return characters;
}

std::vector<Character> Characters(const std::string& text, Encoding encoding) {
  std::vector<Character> characters;
  const size_t mark = ReadMark(text, encoding);
  if (mark > 0 && mark == text.size()) return {{kNoCharacter, static_cast<int64_t>(mark)}};
  for (size_t at = mark; at < text.size(); at += characters.back().bytes) {
    characters.push_back(Next(text, at, encoding));
  }
  if (mark > 0) characters.front().bytes += static_cast<int64_t>(mark);
  return characters;
}

std::string Encoded(const std::vector<int32_t>& code_points, Encoding encoding) {
  std::string text;
  for (const int32_t c : Paired(code_points)) {
    if (encoding == Encoding::kUtf8) AppendUtf8(text, c);
    if (encoding == Encoding::kUtf16Be) AppendUtf16(text, c);
    if (encoding == Encoding::kUtf32Be) AppendBytes(text, static_cast<uint32_t>(c), 4);
  }
  return text;
}

}  // namespace plumb::reference
