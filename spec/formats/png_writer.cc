#include "spec/formats/png_writer.h"

#include <png.h>
#include <zlib.h>

#include <bit>
#include <csetjmp>

#include "spec/core/status.h"

namespace plumb {
namespace {

// What libpng hands out; it grows even if a jump leaves the writer.
void Append(png_structp png, png_bytep bytes, png_size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), size);
}
void Flush(png_structp /*png*/) {}
void Warn(png_structp /*png*/, png_const_charp /*text*/) {}

int ColorType(int channels) {
  constexpr int kTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                            PNG_COLOR_TYPE_RGB_ALPHA};
  return kTypes[channels - 1];
}

struct Image {
  const uint8_t* pixels;
  png_uint_32 height, width;
  int channels, bits, compression;
};

// libpng jumps back here when it fails, so nothing that has a destructor lives in this frame.
bool Write(png_structp png, png_infop info, std::string* file, const Image& image) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_write_fn(png, file, Append, Flush);
  png_set_compression_level(png, image.compression < 0 ? Z_DEFAULT_COMPRESSION : image.compression);
  png_set_compression_mem_level(png, MAX_MEM_LEVEL);
  png_set_IHDR(png, info, image.width, image.height, image.bits, ColorType(image.channels), PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  if (std::endian::native == std::endian::little) png_set_swap(png);  // of what has 16 bits
  const size_t row = static_cast<size_t>(image.width) * static_cast<size_t>(image.channels * image.bits / 8);
  for (png_uint_32 y = 0; y < image.height; ++y) png_write_row(png, const_cast<png_bytep>(image.pixels + y * row));
  png_write_end(png, nullptr);
  return true;
}

}  // namespace

std::string PngFile(const uint8_t* pixels, int64_t height, int64_t width, int channels, int bits, int compression) {
  Require(channels >= 1 && channels <= 4, "a PNG file has 1 to 4 channels, not ", channels);
  const auto fits = [](int64_t size) { return size > 0 && size <= INT32_MAX; };
  std::string file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, Warn);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  const bool written =
      info != nullptr && fits(height) && fits(width) &&
      Write(png, info, &file,
            {pixels, static_cast<png_uint_32>(height), static_cast<png_uint_32>(width), channels, bits, compression});
  png_destroy_write_struct(&png, &info);
  if (!written) throw Error(Code::kInternal, Str("an image of ", height, "×", width, " pixels cannot be a PNG file"));
  return file;
}

}  // namespace plumb
