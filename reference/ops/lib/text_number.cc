#include "reference/ops/lib/text_number.h"

#include <cctype>
#include <cstdlib>
#include <limits>

namespace plumb::reference {
namespace {

constexpr size_t kLongestFloat = 31;  // bytes that TensorFlow's buffer for a number has room for

bool IsSpace(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }
bool IsDigit(char c) { return '0' <= c && c <= '9'; }

std::string Trimmed(const std::string& text) {
  size_t begin = 0, end = text.size();
  while (begin < end && IsSpace(text[begin])) ++begin;
  while (end > begin && IsSpace(text[end - 1])) --end;
  return text.substr(begin, end - begin);
}

// Digits of `text` from `at` on, of which there is at least one; where they end, or npos.
size_t SkipDigits(const std::string& text, size_t at, int (*is_digit)(int)) {
  const size_t begin = at;
  while (at < text.size() && is_digit(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at > begin ? at : std::string::npos;
}

template <class T>
std::optional<T> ReadInteger(const std::string& text) {
  const std::string number = Trimmed(text);
  const bool negative = number.starts_with("-");
  const size_t begin = negative ? 1 : 0;
  if (SkipDigits(number, begin, std::isdigit) != number.size()) return std::nullopt;
  __int128 value = 0;
  for (size_t i = begin; i < number.size(); ++i) {
    value = value * 10 + (number[i] - '0');
    if (value > __int128{std::numeric_limits<T>::max()} + 1) return std::nullopt;
  }
  if (negative) value = -value;
  if (value > std::numeric_limits<T>::max()) return std::nullopt;
  return static_cast<T>(value);
}

// Decimal digits with a point somewhere, and perhaps an exponent.
bool IsDecimal(const std::string& text) {
  size_t at = 0, digits = 0;
  for (bool point = false; at < text.size() && (IsDigit(text[at]) || (text[at] == '.' && !point)); ++at) {
    point = point || text[at] == '.';
    digits += IsDigit(text[at]) ? 1 : 0;
  }
  if (digits == 0) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  return SkipDigits(text, at, std::isdigit) == text.size();
}

bool IsFloat(std::string unsigned_text) {
  for (char& c : unsigned_text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (unsigned_text == "inf" || unsigned_text == "nan") return true;
  if (unsigned_text.starts_with("0x")) return SkipDigits(unsigned_text, 2, std::isxdigit) == unsigned_text.size();
  return IsDecimal(unsigned_text);
}

template <class T>
std::optional<T> ReadFloat(const std::string& text) {
  if (text.empty() || text.size() > kLongestFloat) return std::nullopt;
  const std::string number = Trimmed(text);
  if (number.empty()) return T(0);
  const bool has_sign = number[0] == '-' || number[0] == '+';
  if (!IsFloat(number.substr(has_sign ? 1 : 0))) return std::nullopt;
  return std::is_same_v<T, float> ? static_cast<T>(std::strtof(number.c_str(), nullptr))
                                  : static_cast<T>(std::strtod(number.c_str(), nullptr));
}

}  // namespace

bool ReadNumber(const std::string& text, int64_t i, Tensor& to) {
  const auto store = [&](auto number) {
    if (!number) return false;
    to.mutable_data<typename decltype(number)::value_type>()[i] = *number;
    return true;
  };
  switch (to.dtype()) {
    case DType::kInt32:
      return store(ReadInteger<int32_t>(text));
    case DType::kInt64:
      return store(ReadInteger<int64_t>(text));
    case DType::kFloat:
      return store(ReadFloat<float>(text));
    default:
      return store(ReadFloat<double>(text));
  }
}

}  // namespace plumb::reference
