// Reads the small notations of the catalogue (signatures, attributes, shape patterns, samples) piece by piece.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "spec/core/status.h"

namespace plumb {

class TextCursor {
 public:
  // `what` names the notation in error messages: "the signature".
  TextCursor(std::string_view text, std::string_view what) : text_(text), what_(what) {}

  bool AtEnd();
  // The next character that is not a space; '\0' at the end.
  char Peek();
  // Consumes `token` if it comes next. A token that ends in a letter must not run into a longer word.
  bool Accept(std::string_view token);
  void Expect(std::string_view token);
  // An identifier: letters, digits and '_', not starting with a digit.
  std::string Name();
  bool AtName();
  bool AtInteger();
  int64_t Integer();
  double Number();
  // The text between single quotes, with \n, \t, \\ and \' understood.
  std::string Quoted();

  size_t position() const { return position_; }
  [[noreturn]] void Fail(std::string_view reason);

 private:
  void SkipSpace();

  std::string_view text_;
  std::string_view what_;
  size_t position_ = 0;
};

}  // namespace plumb
