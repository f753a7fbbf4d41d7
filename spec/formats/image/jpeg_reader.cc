#include "spec/formats/image/jpeg_reader.h"

#include <algorithm>
#include <cstring>

#include "spec/core/status.h"
#include "spec/formats/image/jpeg_source.h"

namespace plumb {
namespace {

constexpr int kInks = 4;  // cyan, magenta, yellow, black

// One pixel of inks as red, green and blue. Files that Adobe marks hold what is left white.
void ToRgb(const uint8_t* inks, bool inverted, uint8_t* rgb) {
  for (int i = 0; i < 3; ++i) {
    rgb[i] = static_cast<uint8_t>(inverted ? inks[3] * inks[i] / 255 : (255 - inks[3]) * (255 - inks[i]) / 255);
  }
}

class Reader {
 public:
  Reader(std::string_view contents, bool recovers) : source_(contents, recovers) {
    info_.err = &errors_;
    Step([&] { jpeg_create_decompress(&info_); });
    info_.src = &source_;
  }
  ~Reader() { jpeg_destroy_decompress(&info_); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  jpeg_decompress_struct& info() { return info_; }

  void ReadHeader() {
    Step([&] { is_done_ = jpeg_read_header(&info_, TRUE) == JPEG_HEADER_OK; });
    Require(is_done_, "a JPEG file ends within its header");
  }
  void Start() {
    Step([&] { is_done_ = jpeg_start_decompress(&info_) == TRUE; });
    Require(is_done_, "a JPEG file ends within its last scan");
  }
  // Whether there was another row.
  bool ReadRow(uint8_t* row) {
    Step([&] { is_done_ = jpeg_read_scanlines(&info_, &row, 1) == 1; });
    return is_done_;
  }
  template <class Call>
  void Step(const Call& call) {
    if (Attempt(errors_, call)) return;
    throw InvalidArgument("a JPEG file cannot be decoded: ", errors_.Text(reinterpret_cast<j_common_ptr>(&info_)));
  }

 private:
  JpegErrors errors_;
  JpegSource source_;
  jpeg_decompress_struct info_ = {};
  bool is_done_ = false;
};

J_COLOR_SPACE Colors(const jpeg_decompress_struct& info, int channels) {
  if (channels == 1) return JCS_GRAYSCALE;
  return info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK ? JCS_CMYK : JCS_RGB;
}

// Decides what is computed, before anything is.
void Choose(Reader& reader, const JpegDecoding& how) {
  jpeg_decompress_struct& info = reader.info();
  const int channels = how.channels == 0 ? std::min(info.num_components, 3) : how.channels;
  Require(channels == 1 || channels == 3, "a JPEG file is decoded to 1 or 3 channels, not ", channels);
  info.out_color_space = Colors(info, channels);
  info.do_fancy_upsampling = how.fancy_upscaling ? TRUE : FALSE;
  info.scale_num = 1;
  info.scale_denom = static_cast<unsigned>(how.ratio);
  info.dct_method = how.accurate_dct ? JDCT_ISLOW : JDCT_IFAST;
  reader.Step([&] { jpeg_calc_output_dimensions(&info); });
  const int64_t pixels = int64_t{info.output_height} * info.output_width;
  Require(pixels > 0 && pixels * info.num_components < how.most_samples, "a JPEG file of ", info.output_width, "×",
          info.output_height, " pixels is too large, or has none");
}

// Leaves out what stands before the window: columns in whole blocks, and rows.
void EnterWindow(Reader& reader, const JpegWindow& window) {
  jpeg_decompress_struct& info = reader.info();
  const auto fits = [](int64_t from, int64_t size, int64_t all) { return from >= 0 && size > 0 && size <= all - from; };
  Require(fits(window.y, window.height, info.output_height) && fits(window.x, window.width, info.output_width),
          "a window of ", window.height, "×", window.width, " pixels at ", window.y, ", ", window.x,
          " is not within an image of ", info.output_height, "×", info.output_width);
  JDIMENSION x = static_cast<JDIMENSION>(window.x), width = static_cast<JDIMENSION>(window.width), skipped = 0;
  const auto y = static_cast<JDIMENSION>(window.y);
  reader.Step([&] { jpeg_crop_scanline(&info, &x, &width); });
  reader.Step([&] { skipped = jpeg_skip_scanlines(&info, y); });
  Require(skipped == y, "the rows of a JPEG file end before row ", window.y);
}

// Where rows of libjpeg go, which may be wider than those of the picture, or of inks.
class RowWriter {
 public:
  RowWriter(const jpeg_decompress_struct& info, Picture& picture)
      : info_(info),
        picture_(picture),
        samples_(info.out_color_space == JCS_CMYK ? kInks : picture.channels),
        first_((info.output_width - picture.width) * samples_),
        size_(static_cast<size_t>(picture.width * picture.channels)) {
    if (IsDirect()) return;
    row_.resize(static_cast<size_t>(info.output_width) * static_cast<size_t>(samples_));
  }

  // Room for one more row of the picture.
  uint8_t* Next() {
    picture_.bytes.resize(picture_.bytes.size() + size_);
    return IsDirect() ? Last() : row_.data();
  }
  // The row is there.
  void Take() {
    if (samples_ == kInks) {
      for (int64_t x = 0; x < picture_.width; ++x) {
        ToRgb(row_.data() + first_ + kInks * x, info_.saw_Adobe_marker == TRUE, Last() + picture_.channels * x);
      }
    } else if (!IsDirect()) {
      std::memcpy(Last(), row_.data() + first_, size_);
    }
  }
  // It is not: the room is given back.
  void Drop() { picture_.bytes.resize(picture_.bytes.size() - size_); }
  // The last row once more, or a black one where there is none.
  void Repeat() {
    picture_.bytes.resize(picture_.bytes.size() + size_);
    if (picture_.bytes.size() > size_) std::memcpy(Last(), Last() - size_, size_);
  }

 private:
  bool IsDirect() const { return first_ == 0 && samples_ == picture_.channels; }
  uint8_t* Last() { return picture_.bytes.data() + (picture_.bytes.size() - size_); }

  const jpeg_decompress_struct& info_;
  Picture& picture_;
  const int64_t samples_, first_;
  const size_t size_;
  std::vector<uint8_t> row_;
};

// Reads up to row `end` of the image. Whether all were there, or made up.
bool ReadRows(Reader& reader, JDIMENSION end, bool recovers, Picture& picture) {
  jpeg_decompress_struct& info = reader.info();
  RowWriter rows(info, picture);
  while (info.output_scanline < end) {
    if (reader.ReadRow(rows.Next())) {
      rows.Take();
      continue;
    }
    rows.Drop();
    if (!recovers) return false;
    for (; info.output_scanline < end; ++info.output_scanline) rows.Repeat();
  }
  return true;
}

}  // namespace

Picture DecodeJpeg(std::string_view contents, const JpegDecoding& how) {
  Reader reader(contents, how.recovers);
  jpeg_decompress_struct& info = reader.info();
  reader.ReadHeader();
  Choose(reader, how);
  reader.Start();
  const JpegWindow window = how.window.value_or(JpegWindow{0, 0, info.output_height, info.output_width});
  if (how.window) EnterWindow(reader, window);
  Picture picture{
      .height = window.height, .width = window.width, .channels = info.out_color_space == JCS_GRAYSCALE ? 1 : 3};
  const auto size = static_cast<size_t>(picture.height * picture.width * picture.channels);
  constexpr size_t kUsualCompression = 64;
  picture.bytes.reserve(std::min(size, contents.size() * kUsualCompression));
  const auto end = static_cast<JDIMENSION>(window.y + window.height);
  const bool is_whole = ReadRows(reader, end, how.recovers, picture);
  if (how.window && info.output_scanline < info.output_height) {
    reader.Step([&] { jpeg_skip_scanlines(&info, info.output_height - end); });
  }
  if (is_whole) reader.Step([&] { jpeg_finish_decompress(&info); });
  const int64_t rows = static_cast<int64_t>(picture.bytes.size() / (size / static_cast<size_t>(picture.height)));
  const float fraction = static_cast<float>(rows) / static_cast<float>(picture.height);
  Require(!(fraction < std::min(1.0f, how.acceptable_fraction)), "a JPEG file has only ", rows, " of ", picture.height,
          " rows");
  picture.bytes.resize(size);
  return picture;
}

Picture JpegSize(std::string_view contents, int64_t most_samples) {
  Reader reader(contents, false);
  const jpeg_decompress_struct& info = reader.info();
  reader.ReadHeader();
  const int64_t samples = int64_t{info.image_height} * info.image_width * info.num_components;
  Require(samples < most_samples || !jpeg_has_multiple_scans(&reader.info()), "a JPEG file of ", info.image_width, "×",
          info.image_height, " pixels in several scans is too large");
  reader.Step([&] { jpeg_start_decompress(&reader.info()); });  // the size is known, even if the scans are cut off
  return {.height = info.output_height, .width = info.output_width, .channels = info.output_components};
}

}  // namespace plumb
