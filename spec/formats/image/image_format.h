// Which format a file has.
#pragma once

#include <string_view>

namespace plumb {

enum class ImageFormat { kUnknown, kJpeg, kPng, kGif, kBmp };

// By its first bytes.
ImageFormat ImageFormatOf(std::string_view contents);
// "JPEG", and so on.
std::string_view ImageFormatName(ImageFormat format);

}  // namespace plumb
