// Numbers written as text: what the ops that read them accept.
#pragma once

#include <optional>
#include <string>

#include "spec/core/tensor.h"

namespace plumb::reference {

// Reads `text` as an element of the type, and sets element i of `to`; false where it is none.
//
// Whole numbers: decimal digits with or without '-', in the range of the type. Floating-point numbers: decimal digits
// with sign, point and exponent, or "0x" and hexadecimal digits, rounded to nearest, to infinity where they are too
// large; "inf", "nan", in any case; nothing but space is zero; 32 bytes and more are refused. Space around is ignored.
bool ReadNumber(const std::string& text, int64_t i, Tensor& to);

}  // namespace plumb::reference
