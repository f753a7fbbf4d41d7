// Texts in the code pages that ICU knows, from Shift_JIS to windows-1252, character by character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace plumb {

// Whether ICU has one of this name, by any of the names that it goes by. No file is looked into.
bool HasCodePage(const std::string& name);

// Bytes that are no character are read as U+FFFD. Where a text ends in the middle of what switches between alphabets,
// the last character is U+FFFF, as ICU gives it.
class CodePageReader {
 public:
  // Throws kInvalidArgument where there is no such page.
  CodePageReader(const std::string& name, std::string_view text);
  ~CodePageReader();
  CodePageReader(const CodePageReader&) = delete;
  CodePageReader& operator=(const CodePageReader&) = delete;

  // Whether there is another; then code_point(), start() and malformed() tell of it, and `end()` where the next begins.
  bool Next();
  int32_t code_point() const { return code_point_; }
  size_t start() const { return start_; }
  size_t end() const { return end_; }
  bool malformed() const { return malformed_; }

 private:
  struct Converter;
  std::unique_ptr<Converter> converter_;
  const std::string_view text_;
  size_t start_ = 0, end_ = 0;
  int32_t code_point_ = 0;
  bool malformed_ = false;
};

}  // namespace plumb
