#include "spec/formats/image/image_format.h"

namespace plumb {

ImageFormat ImageFormatOf(std::string_view contents) {
  if (contents.starts_with("\xff\xd8\xff")) return ImageFormat::kJpeg;
  if (contents.starts_with("\x89PNG\r\n\x1a\n")) return ImageFormat::kPng;
  if (contents.starts_with("GIF8")) return ImageFormat::kGif;
  if (contents.starts_with("BM")) return ImageFormat::kBmp;
  return ImageFormat::kUnknown;
}

std::string_view ImageFormatName(ImageFormat format) {
  switch (format) {
    case ImageFormat::kJpeg:
      return "JPEG";
    case ImageFormat::kPng:
      return "PNG";
    case ImageFormat::kGif:
      return "GIF";
    case ImageFormat::kBmp:
      return "BMP";
    case ImageFormat::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace plumb
