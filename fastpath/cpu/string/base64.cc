#include <algorithm>
#include <array>
#include <string_view>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/string/map_strings.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {
namespace {

constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr uint32_t kNoLetter = 64;

constexpr std::array<uint8_t, 256> kValues = [] {
  std::array<uint8_t, 256> values{};
  values.fill(kNoLetter);
  for (uint8_t i = 0; i < 64; ++i) values[static_cast<unsigned char>(kLetters[i])] = i;
  return values;
}();

class EncodeBase64Kernel : public Kernel {
 public:
  explicit EncodeBase64Kernel(const Node& node) : pad_(GetAttr<bool>(node.attrs, "pad")) {}

  // Three bytes are four letters; one and two bytes at the end are two and three.
  void Run(KernelContext& context) override {
    MapStrings<std::string>(context, [&](const std::string& bytes, std::string& text) { Encode(bytes, text); });
  }

 private:
  static void PutLetters(uint32_t bits, char* to) {
    for (int i = 0; i < 4; ++i) to[i] = kLetters[bits >> (18 - 6 * i) & 63];
  }
  void Encode(const std::string& bytes, std::string& text) const {
    const size_t whole = bytes.size() / 3 * 3, rest = bytes.size() - whole;
    text.resize((bytes.size() + 2) / 3 * 4);
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i])); };
    char* to = text.data();
    for (size_t at = 0; at < whole; at += 3, to += 4) {
      PutLetters(byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2), to);
    }
    if (rest == 0) return;
    PutLetters(byte(whole) << 16 | (rest == 2 ? byte(whole + 1) << 8 : 0), to);
    if (pad_) {
      std::fill(to + 1 + rest, to + 4, '=');
    } else {
      text.resize(text.size() - 3 + rest);
    }
  }

  const bool pad_;
};

class DecodeBase64Kernel : public Kernel {
 public:
  explicit DecodeBase64Kernel(const Node&) {}

  void Run(KernelContext& context) override {
    MapStrings<std::string>(context, [&](std::string_view text, std::string& bytes) { Decode(text, bytes); });
  }

 private:
  void Decode(std::string_view text, std::string& bytes) const {
    if (text.size() % 4 == 0 && text.ends_with('=')) text.remove_suffix(text.ends_with("==") ? 2 : 1);
    Require(text.size() % 4 != 1, text.size(), " letters are not base64 of any bytes");
    bytes.resize(text.size() * 3 / 4);
    size_t to = 0;
    for (size_t at = 0; at < text.size(); at += 4) {
      uint32_t bits = 0;
      for (size_t i = at; i < at + 4; ++i) {
        const uint32_t value = i < text.size() ? kValues[static_cast<unsigned char>(text[i])] : 0;
        Require(value != kNoLetter, "letter ", i, " is not one of base64 for URLs");
        bits = bits << 6 | value;
      }
      for (int shift = 16; shift >= 0 && to < bytes.size(); shift -= 8) bytes[to++] = static_cast<char>(bits >> shift);
    }
  }
};

constexpr KernelRow kRows[] = {
    {"EncodeBase64", Make<EncodeBase64Kernel>},
    {"DecodeBase64", Make<DecodeBase64Kernel>},
};

}  // namespace

std::span<const KernelRow> StringBase64() { return kRows; }

}  // namespace plumb::fast::cpu
