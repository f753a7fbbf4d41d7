// Reads numbers out of text in one pass.
#pragma once

#include <string_view>

namespace plumb::fast::cpu {

// False where `text` is no number of the type. T is int32_t, int64_t, float or double. Space around is passed over.
// Floating-point numbers may be hexadecimal, infinite or NaN; nothing but space is zero, and 32 bytes are too many.
template <class T>
bool ReadNumber(std::string_view text, T& number);

}  // namespace plumb::fast::cpu
