#include "fastpath/cpu/lib/text_number.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace plumb::fast::cpu {
namespace {

constexpr std::string_view kSpace = " \t\n\v\f\r";
constexpr size_t kFloatBytes = 32;  // TensorFlow's buffer, with the zero behind the text

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

char Lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool Is(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (Lower(text[i]) != lower[i]) return false;
  }
  return true;
}

bool IsDigit(char c) { return '0' <= c && c <= '9'; }

// The power of ten of the first digit that is not 0, of a decimal number that is too large or too small for its type.
bool IsLarge(std::string_view text) {
  const size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto end = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (end.ec == std::errc::result_out_of_range) return power[0] != '-';
    exponent = std::clamp<int64_t>(exponent, -1'000'000, 1'000'000);  // more than any number of digits makes up for
  }
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t first = digits.find_first_of("123456789");
  return exponent + static_cast<int64_t>(point) - static_cast<int64_t>(first) > 0;
}

// Without a sign.
template <class T>
bool ReadMagnitude(std::string_view text, T& number) {
  if (Is(text, "inf")) return number = std::numeric_limits<T>::infinity(), true;
  if (Is(text, "nan")) return number = std::numeric_limits<T>::quiet_NaN(), true;
  const bool hex = text.size() > 2 && text[0] == '0' && Lower(text[1]) == 'x';
  if (hex) text.remove_prefix(2);
  // from_chars would read more than is a number here: "infinity", "nan(…)", hexadecimal fractions.
  if (hex && text.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) return false;
  if (!hex && (text.empty() || (!IsDigit(text[0]) && text[0] != '.'))) return false;
  const char* const end = text.data() + text.size();
  const auto read =
      std::from_chars(text.data(), end, number, hex ? std::chars_format::hex : std::chars_format::general);
  if (read.ptr != end) return false;
  if (read.ec == std::errc::result_out_of_range) number = hex || IsLarge(text) ? std::numeric_limits<T>::infinity() : 0;
  return read.ec != std::errc::invalid_argument;
}

}  // namespace

template <class T>
bool ReadNumber(std::string_view text, T& number) {
  const std::string_view trimmed = Trimmed(text);
  if constexpr (std::is_integral_v<T>) {
    const char* const end = trimmed.data() + trimmed.size();
    const auto read = std::from_chars(trimmed.data(), end, number);
    return read.ec == std::errc() && read.ptr == end;
  } else {
    if (text.empty() || text.size() >= kFloatBytes) return false;
    number = 0;
    if (trimmed.empty()) return true;
    const bool negative = trimmed[0] == '-';
    if (!ReadMagnitude(trimmed.substr(negative || trimmed[0] == '+' ? 1 : 0), number)) return false;
    if (negative) number = -number;
    return true;
  }
}
template bool ReadNumber(std::string_view, int32_t&);
template bool ReadNumber(std::string_view, int64_t&);
template bool ReadNumber(std::string_view, float&);
template bool ReadNumber(std::string_view, double&);

}  // namespace plumb::fast::cpu
