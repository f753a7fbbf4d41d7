// Single elements of tensors as text for people, as StringFormat and Print show them.
#pragma once

#include <string>
#include <type_traits>

#include "reference/numbers/numbers_io.h"
#include "spec/core/dtype.h"

namespace plumb::reference {

// Whether elements of this type are shown; others are question marks.
bool IsPrinted(DType type);

// Unprintable bytes in octal; bytes of UTF-8 beyond ASCII stay.
std::string PrintedElement(const std::string& text);
// As many digits as always suffice for decimal numbers, or, where that is another number, as tell it from all others.
std::string PrintedElement(float number);
std::string PrintedElement(double number);
// Any other; truth is 1.
template <class T>
std::string PrintedElement(const T& element) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    return PrintedElement(static_cast<float>(element));
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(element);
  } else if constexpr (requires { std::to_string(element.value); }) {  // quantized
    return std::to_string(element.value);
  } else {
    return "?";
  }
}

}  // namespace plumb::reference
