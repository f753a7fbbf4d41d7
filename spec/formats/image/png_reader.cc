#include "spec/formats/image/png_reader.h"

#include <png.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstring>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr int64_t kMostRows = 1'000'000;                    // of the libpng in TensorFlow; and columns
constexpr double kRedWeight = 0.299, kGreenWeight = 0.587;  // of grey, by ITU-R BT.601

class Reader {
 public:
  explicit Reader(std::string_view contents) : left_(contents) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, Fail, [](png_structp, png_const_charp) {});
    if (png_ == nullptr) throw ResourceExhausted("no memory for libpng");
    info_ = png_create_info_struct(png_);
  }
  ~Reader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  png_structp png() { return png_; }
  png_infop info() { return info_; }

  // Runs `call`, a step of libpng that has no object with a destructor alive while libpng works.
  template <class Call>
  void Step(const Call& call) {
    if (!Attempt(call)) throw InvalidArgument("a PNG file cannot be decoded: ", reason_);
  }
  void ReadHeader() {
    Step([this] {
      png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // whoever reads the header says what is too large
      png_set_read_fn(png_, this, Read);
      png_read_info(png_, info_);
    });
  }

 private:
  // libpng jumps back here when it fails.
  template <class Call>
  bool Attempt(const Call& call) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    call();
    return true;
  }
  static void Fail(png_structp png, png_const_charp text) {
    auto* const reader = static_cast<Reader*>(png_get_error_ptr(png));
    std::strncpy(reader->reason_, text, sizeof(reader->reason_) - 1);
    png_longjmp(png, 1);
  }
  static void Read(png_structp png, png_bytep to, png_size_t size) {
    std::string_view& left = static_cast<Reader*>(png_get_io_ptr(png))->left_;
    if (left.size() < size) png_error(png, "it ends too soon");
    std::memcpy(to, left.data(), size);
    left.remove_prefix(size);
  }

  std::string_view left_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  char reason_[128] = {};
};

// What libpng is to do with samples, in TensorFlow's order; returns the number of channels. An opaque alpha channel has
// the largest value of the bits that the file has, even where they are places in a palette.
int ChooseSamples(png_structp png, png_infop info, int channels, bool keep_16_bits) {
  const int colors = png_get_color_type(png, info), bits = png_get_bit_depth(png, info);
  const bool has_alpha = (colors & PNG_COLOR_MASK_ALPHA) != 0, is_gray = (colors & PNG_COLOR_MASK_COLOR) == 0;
  const bool has_transparency = png_get_valid(png, info, PNG_INFO_tRNS) != 0,
             has_palette = colors == PNG_COLOR_TYPE_PALETTE;
  if (channels == 0) channels = has_palette ? (has_transparency ? 4 : 3) : png_get_channels(png, info);
  if (channels % 2 != 0) {
    if (has_alpha || has_transparency) png_set_strip_alpha(png);
  } else if (!has_alpha && has_transparency) {
    png_set_tRNS_to_alpha(png);
  } else if (!has_alpha) {
    png_set_add_alpha(png, (png_uint_32{1} << bits) - 1, PNG_FILLER_AFTER);
  }
  if (bits > 8 && !keep_16_bits) png_set_strip_16(png);
  png_set_packing(png);
  if (keep_16_bits && std::endian::native == std::endian::little) png_set_swap(png);
  if (has_palette) png_set_palette_to_rgb(png);
  if (is_gray && bits < 8) png_set_expand_gray_1_2_4_to_8(png);
  if (channels < 3 && !is_gray) png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, kRedWeight, kGreenWeight);
  if (channels >= 3 && is_gray) png_set_gray_to_rgb(png);
  return channels;
}

}  // namespace

Picture DecodePng(std::string_view contents, int channels, bool keep_16_bits, int64_t most_pixels) {
  Require(channels >= 0 && channels <= 4, "a PNG file is decoded to 1 to 4 channels, not ", channels);
  Reader reader(contents);
  const png_structp png = reader.png();
  const png_infop info = reader.info();
  reader.ReadHeader();
  Picture picture{.height = png_get_image_height(png, info), .width = png_get_image_width(png, info)};
  const auto fits = [](int64_t size) { return size > 0 && size <= kMostRows; };
  Require(fits(picture.height) && fits(picture.width) && picture.height * picture.width < most_pixels, "a PNG file of ",
          picture.width, "×", picture.height, " pixels is too large, or has none");
  picture.bits = keep_16_bits && png_get_bit_depth(png, info) > 8 ? 16 : 8;
  int passes = 1;
  reader.Step([&] {
    picture.channels = ChooseSamples(png, info, channels, keep_16_bits);
    passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
  });
  const auto row = static_cast<size_t>(picture.width * picture.channels * picture.bits / 8);
  Require(png_get_rowbytes(png, info) == row, "a PNG file has rows of ", png_get_rowbytes(png, info), " bytes, not ",
          row);
  constexpr size_t kUsualCompression = 64;
  const auto height = static_cast<size_t>(picture.height);
  picture.bytes.reserve(std::min(row * height, contents.size() * kUsualCompression));
  for (int pass = 0; pass < passes; ++pass) {
    for (size_t y = 0; y < height; ++y) {
      if (pass == 0) picture.bytes.resize((y + 1) * row);
      reader.Step([&] { png_read_row(png, picture.bytes.data() + y * row, nullptr); });
    }
  }
  reader.Step([&] { png_read_end(png, info); });
  return picture;
}

}  // namespace plumb
