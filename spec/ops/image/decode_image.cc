#include <algorithm>

#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

// Pixels are those of libjpeg, libpng, giflib and of our own reader of BMP files, which both sides call: recorded cases
// judge them.

// Files for samples: two frames of 3×2 pixels, the second one partly transparent; an interlaced frame; a palette with
// transparency; and pixels of 24, 32 and 8 bits.
#define PLUMB_TWO                                                                                                      \
  "x'"                                                                                                                 \
  "47494638396103000200910000000000ff000000ff000a14fa2c00000000030002000002048cb811290021f90401000002002c010000000200" \
  "0200000203543815003b'"
#define PLUMB_INTER \
  "x'47494638396103000200910000000000ff000000ff000a14fa21f90401000003002c00000000020005004002068cb811a1c4a0003b'"
#define PLUMB_BMP24                                                                                                    \
  "x'"                                                                                                                 \
  "424d3e000000000000003600000028000000010000000200000001001800000000000800000000000000000000000000000000000000010203" \
  "0004050600'"
#define PLUMB_BMP32                                                                                                    \
  "x'"                                                                                                                 \
  "424d3e00000000000000360000002800000001000000feffffff01002000000000000800000000000000000000000000000000000000010203" \
  "0405060708'"
#define PLUMB_BMP8                                                                                                     \
  "x'"                                                                                                                 \
  "424d3e000000000000003600000028000000030000000200000001000800000000000800000000000000000000000000000000000000010203" \
  "0004050600'"
#define PLUMB_PALETTE                                                                                                  \
  "x'"                                                                                                                 \
  "89504e470d0a1a0a0000000d4948445200000003000000020203000000e01a8e890000000c504c5445000000ff000000ff000a14fac893b5d0" \
  "0000000274524e53ff077bd3a5e90000000c4944415478da639060780200013000fd6830cfdf0000000049454e44ae426082'"

namespace plumb::topics {
namespace {

// The attribute `channels`: 0 leaves it to the file.
int64_t ChannelsOf(const ShapeContext& c) {
  const int64_t channels = Int32Attr(c.attrs(), "channels");
  Require(channels >= 0, "channels of ", c.op().name, " must not be negative, but is ", channels);
  return channels == 0 ? -1 : channels;
}

Shapes StillShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  return {PartialShape{-1, -1, ChannelsOf(c)}};
}

Shapes AnyImageShapes(const ShapeContext& c) {
  const Shapes still = StillShapes(c);
  return c.attr<bool>("expand_animations") ? Shapes{PartialShape::Unknown()} : still;
}

Shapes CroppedShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  const int64_t channels = ChannelsOf(c);
  MergeDims(c, WithRank(c, 1, 1).dim(0), 4);
  const auto window = ConstantInts(c, 1);
  if (!window) return {PartialShape{-1, -1, channels}};
  return {PartialShape{std::max<int64_t>((*window)[2], -1), std::max<int64_t>((*window)[3], -1), channels}};
}

}  // namespace

std::span<const OpRow> ImageDecodeImage() {
  static const OpRow rows[] = {
      {.signature = "DecodeJpeg(contents: string) -> (image: uint8)",
       .attrs = "channels: int = 0; ratio: int = 1; fancy_upscaling: bool = true; try_recover_truncated: bool = false; "
                "acceptable_fraction: float = 1; dct_method: string = ''",
       .doc = "The pixels [height, width, channels] of a JPEG file, 1 or 3 channels, or as in the file where it is 0. "
              "ratio (1, 2, 4 or 8) makes the image smaller. PNG files and GIF files of one frame are decoded too.",
       .shape_fn = StillShapes,
       .samples =
           {"j = EncodeJpeg: [17 23 3]; channels=0/1/3 ratio=1/2/4/8: j",
            "j = EncodeJpeg progressive=true: [H W 3]; fancy_upscaling=true/false dct_method=''/'INTEGER_ACCURATE': j",
            "j = EncodeJpeg: [9 18 1]; channels=0/3 dct_method='INTEGER_FAST' try_recover_truncated=true/false: j",
            "j = EncodeJpeg: [33 29 3]; s = Substr T=int32: j 0 640; try_recover_truncated=true/false "
            "acceptable_fraction=0/0.5: s",
            "j = EncodePng: [5 6 4]; channels=0/1/3/4: j"}},
      {.signature = "DecodeAndCropJpeg(contents: string, crop_window: int32) -> (image: uint8)",
       .attrs = "channels: int = 0; ratio: int = 1; fancy_upscaling: bool = true; try_recover_truncated: bool = false; "
                "acceptable_fraction: float = 1; dct_method: string = ''",
       .doc = "The pixels of a JPEG file within crop_window: y, x, height, width. Else as DecodeJpeg.",
       .shape_fn = CroppedShapes,
       .samples = {"j = EncodeJpeg: [19 21 3]; channels=0/1/3: j {3, 9, 11, 8}",
                   "j = EncodeJpeg: [19 21 1]; ratio=1/2 dct_method='INTEGER_ACCURATE'/'INTEGER_FAST'/'' "
                   "fancy_upscaling=true/false: j {0, 2, 9, 8}",
                   "j = EncodeJpeg: [19 21 3]; acceptable_fraction=0/1 try_recover_truncated=true/false: "
                   "j {0, 0, 19, 21}"}},
      {.signature = "DecodePng(contents: string) -> (image: dtype)",
       .attrs = "channels: int = 0; dtype: type = uint8 in [uint8, uint16]",
       .doc =
           "The pixels [height, width, channels] of a PNG file: 1 to 4 channels as in the file where it is 0, or 1, 3 "
           "or 4. JPEG files and GIF files of one frame are decoded too.",
       .shape_fn = StillShapes,
       .samples = {"p = EncodePng: [H W 3]; channels=0/1/3/4: p",
                   "p = EncodePng T=uint16: [H W 2]; channels=0/1/3/4: p", "channels=0/1/3/4: " PLUMB_PALETTE}},
      {.signature = "DecodeGif(contents: string) -> (image: uint8)",
       .doc = "The frames [frames, height, width, 3] of a GIF file, each drawn over the one before. JPEG and PNG files "
              "are "
              "decoded too, as one frame.",
       .shape_fn = [](const ShapeContext& c) -> Shapes {
         RequireScalar(c, 0);
         return {PartialShape{-1, -1, -1, 3}};
       },
       .samples = {PLUMB_TWO, PLUMB_INTER, "p = EncodePng: [H W 1]; p"}},
      {.signature = "DecodeBmp(contents: string) -> (image: uint8)",
       .attrs = "channels: int = 0",
       .doc = "The pixels [height, width, channels] of a BMP file: 1, 3 or 4 channels as in the file where it is 0, or "
              "3 or "
              "4.",
       .shape_fn = StillShapes,
       .samples = {"channels=0/3/4: " PLUMB_BMP24, "channels=0/3/4: " PLUMB_BMP32, "channels=0/3/4: " PLUMB_BMP8}},
      {.signature = "DecodeImage(contents: string) -> (image: dtype)",
       .attrs = "channels: int = 0; dtype: type = uint8 in [uint8, uint16, float32]; expand_animations: bool = true",
       .doc = "The pixels of a JPEG, PNG, GIF or BMP file. uint16 is scaled to 2^16, and float32 to 1. A GIF file "
              "gives all "
              "frames, with one dimension more, or the first one.",
       .shape_fn = AnyImageShapes,
       .samples = {"channels=0/3 expand_animations=true/false: " PLUMB_TWO, "channels=0/3/4: " PLUMB_BMP24,
                   "j = EncodeJpeg: [H W 3]; channels=0/1/3: j", "p = EncodePng: [H W 4]; channels=0/1/3/4: p",
                   "p = EncodePng T=uint16: [H W 1]; channels=0/1/3/4 expand_animations=true/false: p"}},
      {.signature = "ExtractJpegShape(contents: string) -> (image_shape: output_type)",
       .attrs = "output_type: type = int32 in [int32, int64]",
       .doc = "Height, width and channels that a JPEG file says it has.",
       .shape = "[] -> [3]",
       .samples = {"j = EncodeJpeg: [H W 3]; j", "j = EncodeJpeg progressive=true: [H W 1]; j"}},
  };
  return rows;
}

}  // namespace plumb::topics
