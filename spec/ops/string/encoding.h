// Encodings of text, by the names that they go by. The ops on characters share them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plumb {

// kUtf16 and kUtf32 begin with a byte order mark, or are big-endian.
enum class Encoding { kUtf8, kUtf16, kUtf16Be, kUtf16Le, kUtf32, kUtf32Be, kUtf32Le, kAscii, kLatin1 };

// Names are compared without case, '-', '_' and spaces: "utf8" and "UTF-8" are one. Nothing for one that is not known.
std::optional<Encoding> FindEncoding(std::string_view name);
// Names of all of them, for messages, and of what is read besides (spec/formats/code_page.h).
inline constexpr std::string_view kEncodingNames =
    "UTF-8, UTF-16, UTF-16-BE, UTF-16-LE, UTF-32, UTF-32-BE, UTF-32-LE, US-ASCII, ISO-8859-1, and the code pages that "
    "ICU has, such as Shift_JIS and windows-1252";

inline constexpr int32_t kLargestCodePoint = 0x10ffff;
inline constexpr int32_t kReplacementCharacter = 0xfffd;
// What ICU answers, and TensorFlow passes on, for a text of nothing but a byte order mark.
inline constexpr int32_t kNoCharacter = 0xffff;

// Halves of a character beyond 0xffff in UTF-16; no characters by themselves.
constexpr bool IsLeadSurrogate(int32_t c) { return c >= 0xd800 && c < 0xdc00; }
constexpr bool IsTrailSurrogate(int32_t c) { return c >= 0xdc00 && c < 0xe000; }
// Code points that Unicode keeps free for ever: U+FDD0 … U+FDEF, and the last two of each plane.
constexpr bool IsNoncharacter(int32_t c) { return (c >= 0xfdd0 && c < 0xfdf0) || (c & 0xfffe) == 0xfffe; }

}  // namespace plumb
