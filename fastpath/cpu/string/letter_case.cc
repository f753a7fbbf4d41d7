#include <unicode/locid.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <string_view>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/string/map_strings.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

// Letters of one case become those of the other; of texts within ASCII byte by byte.
template <bool capital>
class LetterCaseKernel : public Kernel {
 public:
  explicit LetterCaseKernel(const Node& node) {
    const auto& encoding = GetAttr<std::string>(node.attrs, "encoding");
    Require(encoding.empty() || encoding == "utf-8", "encoding is '' or 'utf-8', and not '", encoding, "'");
    is_unicode_ = !encoding.empty();
  }

  void Run(KernelContext& context) override {
    MapStrings<std::string>(context, [&](std::string_view text, std::string& changed) {
      if (is_unicode_) text = text.substr(0, text.find('\0'));  // as TensorFlow, which reads it as a text of C
      if (is_unicode_ && !std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; })) {
        ChangeUnicode(text, changed);
      } else {
        changed.resize(text.size());
        std::transform(text.begin(), text.end(), changed.begin(), ChangedByte);
      }
    });
  }

 private:
  static char ChangedByte(char c) {
    constexpr char kFirst = capital ? 'a' : 'A';
    const bool is_letter = static_cast<unsigned char>(c - kFirst) < 26;
    return static_cast<char>(is_letter ? c ^ ('a' ^ 'A') : c);
  }
  static void ChangeUnicode(std::string_view text, std::string& changed) {
    Require(text.size() <= INT32_MAX, "letters are changed in texts of up to ", INT32_MAX, " bytes, not in one of ",
            text.size());
    icu::UnicodeString characters =
        icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())));
    if (capital) {
      characters.toUpper(icu::Locale::getRoot());
    } else {
      characters.toLower(icu::Locale::getRoot());
    }
    characters.toUTF8String(changed);
  }

  bool is_unicode_ = false;
};

constexpr KernelRow kRows[] = {
    {"StringLower", Make<LetterCaseKernel<false>>},
    {"StringUpper", Make<LetterCaseKernel<true>>},
};

}  // namespace

std::span<const KernelRow> StringLetterCase() { return kRows; }

}  // namespace plumb::fast::cpu
