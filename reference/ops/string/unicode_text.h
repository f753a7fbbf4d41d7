// Text as code points, byte by byte: what the ops on characters read and write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/ops/string/encoding.h"

namespace plumb::reference {

struct Character {
  int32_t code_point = 0;
  int64_t bytes = 0;       // that it took, with a byte order mark before it
  bool malformed = false;  // then it stands for bytes that are no character
};

// The text's encoding by the name that an op gives it: one of Unicode's, or a code page.
struct InputEncoding {
  // Throws kInvalidArgument for a name that is not known.
  explicit InputEncoding(const std::string& name);
  std::string name;
  std::optional<Encoding> encoding;  // none for a code page
};
std::vector<Character> Characters(const std::string& text, const InputEncoding& encoding);

// Each longest run of bytes that could have begun a character, and did not end one, is malformed as a whole.
std::vector<Character> Characters(const std::string& text, Encoding encoding);

// kUtf8, kUtf16Be or kUtf32Be. Two surrogates that make a pair are one character, as in UTF-16; one alone becomes
// U+FFFD in UTF-8, and stays what it is in the others.
std::string Encoded(const std::vector<int32_t>& code_points, Encoding encoding);

}  // namespace plumb::reference
