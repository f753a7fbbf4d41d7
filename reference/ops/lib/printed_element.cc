#include "reference/ops/lib/printed_element.h"

#include <cstdio>
#include <cstdlib>
#include <limits>

namespace plumb::reference {
namespace {

std::string InDigits(int digits, double number) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.*g", digits, number);
  return text;
}

template <class T>
std::string InFewDigits(T number, int more, T (*read)(const char*, char**)) {
  constexpr int kDigits = std::numeric_limits<T>::digits10;
  const std::string text = InDigits(kDigits, static_cast<double>(number));
  const bool same = read(text.c_str(), nullptr) == number;
  return same || number != number ? text : InDigits(kDigits + more, static_cast<double>(number));
}

}  // namespace

bool IsPrinted(DType type) {
  return !IsComplex(type) && type != DType::kQint32 && type != DType::kResource && type != DType::kVariant;
}

std::string PrintedElement(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const size_t letter = std::string("\n\r\t\"'\\").find(c);
    if (letter != std::string::npos) {
      escaped += {'\\', "nrt\"'\\"[letter]};
    } else if (byte < 0x20 || byte == 0x7f) {
      char octal[5];
      std::snprintf(octal, sizeof(octal), "\\%03o", static_cast<unsigned>(byte));
      escaped += octal;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string PrintedElement(float number) { return InFewDigits(number, 3, &std::strtof); }
std::string PrintedElement(double number) { return InFewDigits(number, 2, &std::strtod); }

}  // namespace plumb::reference
