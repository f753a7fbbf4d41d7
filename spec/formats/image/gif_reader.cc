#include "spec/formats/image/gif_reader.h"

#include <gif_lib.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "spec/core/status.h"

namespace plumb {
namespace {

constexpr int kChannels = 3;

struct Frame {
  int64_t left = 0, top = 0, width = 0, height = 0;
  std::vector<GifColorType> colors;
  int transparent = NO_TRANSPARENT_COLOR;
  bool is_interlaced = false;
  std::vector<uint8_t> pixels;  // places in `colors`, row after row as they stand in the file
};

int Read(GifFileType* file, GifByteType* to, int size) {
  auto& left = *static_cast<std::string_view*>(file->UserData);
  const size_t given = std::min(static_cast<size_t>(size), left.size());
  std::memcpy(to, left.data(), given);
  left.remove_prefix(given);
  return static_cast<int>(given);
}

std::string Reason(int error) {
  const char* const text = GifErrorString(error);
  return text == nullptr ? "its blocks make no sense" : text;
}

// Reads a file block by block, so that memory grows with the pixels that come.
class Reader {
 public:
  Reader(std::string_view contents, int64_t most_pixels) : left_(contents), room_(most_pixels) {
    int error = D_GIF_SUCCEEDED;
    file_ = DGifOpen(&left_, Read, &error);
    Require(file_ != nullptr, "these bytes are no GIF file: ", Reason(error));
  }
  ~Reader() { DGifCloseFile(file_, nullptr); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // All frames. A file that does not come to its end is refused, as TensorFlow does, whatever it has before.
  std::vector<Frame> Frames() {
    for (GifRecordType type = UNDEFINED_RECORD_TYPE; type != TERMINATE_RECORD_TYPE;) {
      Check(DGifGetRecordType(file_, &type));
      if (type == IMAGE_DESC_RECORD_TYPE) ReadFrame();
      if (type == EXTENSION_RECORD_TYPE) ReadExtension();
    }
    Require(!frames_.empty(), "a GIF file has no frame");
    return std::move(frames_);
  }

 private:
  void Check(int answer) const {
    Require(answer == GIF_OK, "a GIF file cannot be read to its end: ", Reason(file_->Error));
  }

  void ReadFrame() {
    Check(DGifGetImageDesc(file_));
    const GifImageDesc& place = file_->Image;
    Require(place.Width > 0 && place.Height > 0, "a frame of a GIF file has ", place.Width, "×", place.Height,
            " pixels");
    Frame& frame = frames_.emplace_back();
    frame.left = place.Left;
    frame.top = place.Top;
    frame.width = place.Width;
    frame.height = place.Height;
    frame.is_interlaced = place.Interlace;
    const ColorMapObject* const colors = place.ColorMap != nullptr ? place.ColorMap : file_->SColorMap;
    if (colors != nullptr) frame.colors.assign(colors->Colors, colors->Colors + colors->ColorCount);
    ReadPixels(frame);
    frame.transparent = transparent_.value_or(NO_TRANSPARENT_COLOR);
    transparent_.reset();
  }

  void ReadPixels(Frame& frame) {
    room_ -= frame.width * frame.height;
    Require(room_ >= 0, "a GIF file has too many pixels");
    for (int64_t y = 0; y < frame.height; ++y) {
      frame.pixels.resize(frame.pixels.size() + static_cast<size_t>(frame.width));
      uint8_t* const row = frame.pixels.data() + y * frame.width;
      Check(DGifGetLine(file_, row, static_cast<int>(frame.width)));
    }
  }

  // Of the extensions before a frame, the first one that controls it says which colour is transparent.
  void ReadExtension() {
    int function = 0;
    GifByteType* block = nullptr;
    Check(DGifGetExtension(file_, &function, &block));
    if (function == GRAPHICS_EXT_FUNC_CODE && block != nullptr && !transparent_) {
      GraphicsControlBlock control = {};
      const bool is_known = DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK;
      transparent_ = is_known ? control.TransparentColor : NO_TRANSPARENT_COLOR;
    }
    do {  // even where the first block is the end: so DGifSlurp reads, which TensorFlow calls
      Check(DGifGetExtensionNext(file_, &block));
    } while (block != nullptr);
  }

  std::string_view left_;
  int64_t room_;  // for so many pixels
  GifFileType* file_ = nullptr;
  std::vector<Frame> frames_;
  std::optional<int> transparent_;  // of the next frame
};

// The rows of an interlaced frame come in four passes: every eighth, those amid them, and so on.
std::vector<int64_t> RowsInOrder(const Frame& frame) {
  constexpr int64_t kFirst[] = {0, 4, 2, 1}, kStep[] = {8, 8, 4, 2};
  std::vector<int64_t> places(static_cast<size_t>(frame.height));
  int64_t next = 0;
  for (int pass = 0; pass < (frame.is_interlaced ? 4 : 1); ++pass) {
    const int64_t step = frame.is_interlaced ? kStep[pass] : 1;
    for (int64_t y = kFirst[pass]; y < frame.height; y += step) places[static_cast<size_t>(y)] = next++;
  }
  return places;
}

// Draws a frame over what the canvas shows.
void Draw(const Frame& frame, int64_t height, int64_t width, uint8_t* canvas) {
  Require(!frame.colors.empty(), "a frame of a GIF file has no colors");
  const std::vector<int64_t> rows = RowsInOrder(frame);
  for (int64_t y = frame.top; y < std::min(frame.top + frame.height, height); ++y) {
    const uint8_t* const row = frame.pixels.data() + rows[static_cast<size_t>(y - frame.top)] * frame.width;
    for (int64_t x = frame.left; x < std::min(frame.left + frame.width, width); ++x) {
      const uint8_t code = row[x - frame.left];
      if (code == frame.transparent) continue;
      Require(code < frame.colors.size(), "a GIF file shows color ", int{code}, " of ", frame.colors.size());
      uint8_t* const to = canvas + (y * width + x) * kChannels;
      to[0] = frame.colors[code].Red;
      to[1] = frame.colors[code].Green;
      to[2] = frame.colors[code].Blue;
    }
  }
}

}  // namespace

Picture DecodeGif(std::string_view contents, bool all_frames, int64_t most_samples) {
  const std::vector<Frame> frames = Reader(contents, most_samples).Frames();
  Picture picture{.frames = all_frames ? std::ssize(frames) : 1, .channels = kChannels};
  for (const Frame& frame : frames) {
    picture.height = std::max(picture.height, frame.height);
    picture.width = std::max(picture.width, frame.width);
  }
  const int64_t size = picture.height * picture.width * kChannels;
  if (size > most_samples / picture.frames) {
    throw ResourceExhausted("a GIF file has ", picture.frames, " frames of ", picture.width, "×", picture.height,
                            " pixels, too many to be decoded at once");
  }
  picture.bytes.reserve(static_cast<size_t>(picture.frames * size));
  for (int64_t i = 0; i < picture.frames; ++i) {
    picture.bytes.resize(static_cast<size_t>((i + 1) * size));
    uint8_t* const canvas = picture.bytes.data() + i * size;
    if (i > 0) std::memcpy(canvas, canvas - size, static_cast<size_t>(size));
    Draw(frames[static_cast<size_t>(i)], picture.height, picture.width, canvas);
  }
  return picture;
}

}  // namespace plumb
