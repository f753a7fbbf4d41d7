#include <unicode/locid.h>
#include <unicode/unistr.h>

#include "reference/kernel/op_context.h"

namespace plumb::reference {
namespace {

bool IsUnicode(const Node& node) { return !GetAttr<std::string>(node.attrs, "encoding").empty(); }

void CheckEncoding(const Node& node) {
  const auto& encoding = GetAttr<std::string>(node.attrs, "encoding");
  Require(encoding.empty() || encoding == "utf-8", "encoding must be '' or 'utf-8', not '", encoding, "'");
}

enum class Letters { kSmall, kCapital };

char Changed(char c, Letters letters) {
  if (letters == Letters::kSmall && c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  if (letters == Letters::kCapital && c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  return c;
}

// Malformed bytes become U+FFFD. What is behind a NUL is lost, as in TensorFlow.
std::string ChangedUnicode(const std::string& text, Letters letters) {
  Require(text.size() <= INT32_MAX, "a text of ", text.size(), " bytes is too long to change its letters");
  icu::UnicodeString characters = icu::UnicodeString::fromUTF8(text.c_str());
  const icu::Locale& everywhere = icu::Locale::getRoot();
  std::string changed;
  (letters == Letters::kSmall ? characters.toLower(everywhere) : characters.toUpper(everywhere)).toUTF8String(changed);
  return changed;
}

void Change(OpContext& c, Letters letters) {
  Tensor changed = c.tensor(0).Clone();
  for (std::string& text : changed.mutable_data<std::string>()) {
    if (IsUnicode(c.node)) {
      text = ChangedUnicode(text, letters);
    } else {
      for (char& letter : text) letter = Changed(letter, letters);
    }
  }
  c.Output(0, std::move(changed));
}

constexpr KernelRow kRows[] = {
    {"StringLower", [](OpContext& c) { Change(c, Letters::kSmall); }, CheckEncoding},
    {"StringUpper", [](OpContext& c) { Change(c, Letters::kCapital); }, CheckEncoding},
};

}  // namespace

namespace topics {
std::span<const KernelRow> StringLetterCase() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
