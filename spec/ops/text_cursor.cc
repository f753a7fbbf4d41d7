#include "spec/ops/text_cursor.h"

#include <cctype>
#include <charconv>
#include <cstdlib>

namespace plumb {
namespace {

bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

char Unescape(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    default:
      return c;
  }
}

}  // namespace

void TextCursor::SkipSpace() {
  while (position_ < text_.size() && IsSpace(text_[position_])) ++position_;
}

bool TextCursor::AtEnd() {
  SkipSpace();
  return position_ == text_.size();
}

char TextCursor::Peek() { return AtEnd() ? '\0' : text_[position_]; }

bool TextCursor::Accept(std::string_view token) {
  SkipSpace();
  const std::string_view rest = text_.substr(position_);
  if (!rest.starts_with(token)) return false;
  if (IsWord(token.back()) && rest.size() > token.size() && IsWord(rest[token.size()])) return false;
  position_ += token.size();
  return true;
}

void TextCursor::Expect(std::string_view token) {
  if (!Accept(token)) Fail(Str("'", token, "' is expected"));
}

bool TextCursor::AtName() { return IsWord(Peek()) && !IsDigit(Peek()); }

std::string TextCursor::Name() {
  if (!AtName()) Fail("a name is expected");
  const size_t start = position_;
  while (position_ < text_.size() && IsWord(text_[position_])) ++position_;
  return std::string(text_.substr(start, position_ - start));
}

bool TextCursor::AtInteger() {
  const char next = Peek();
  return IsDigit(next) || (next == '-' && position_ + 1 < text_.size() && IsDigit(text_[position_ + 1]));
}

int64_t TextCursor::Integer() {
  SkipSpace();
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text_.data() + position_, text_.data() + text_.size(), value);
  if (error != std::errc()) Fail("an integer is expected");
  position_ = static_cast<size_t>(end - text_.data());
  return value;
}

double TextCursor::Number() {
  SkipSpace();
  double value = 0;
  const size_t range = text_.find("..", position_);  // "0..5" are two numbers
  const size_t limit = range == std::string_view::npos ? text_.size() : range;
  const auto [end, error] = std::from_chars(text_.data() + position_, text_.data() + limit, value);
  if (error != std::errc()) Fail("a number is expected");
  position_ = static_cast<size_t>(end - text_.data());
  return value;
}

std::string TextCursor::Quoted() {
  Expect("'");
  std::string text;
  while (position_ < text_.size() && text_[position_] != '\'') {
    char c = text_[position_++];
    if (c == '\\' && position_ < text_.size()) c = Unescape(text_[position_++]);
    text += c;
  }
  if (position_ == text_.size()) Fail("the text that starts here has no closing quote");
  ++position_;
  return text;
}

void TextCursor::Fail(std::string_view reason) {
  throw InvalidArgument(what_, " \"", text_, "\" is wrong at character ", position_ + 1, ": ", reason);
}

}  // namespace plumb
