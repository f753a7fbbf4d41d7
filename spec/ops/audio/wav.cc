#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes DecodedShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  const auto wanted = [&](const char* attr) {
    const int64_t size = Int32Attr(c.attrs(), attr);
    Require(size >= -1, c.op().name, ": ", attr, " must not be negative, except -1 for all, but is ", size);
    return size;
  };
  return {PartialShape{wanted("desired_samples"), wanted("desired_channels")}, Shape()};
}

Shapes EncodedShapes(const ShapeContext& c) {
  WithRank(c, 0, 2);
  RequireScalar(c, 1);
  return {Shape()};
}

}  // namespace

std::span<const OpRow> AudioWav() {
  static const OpRow rows[] = {
      {.signature = "DecodeWav(contents: string) -> (audio: float32, sample_rate: int32)",
       .attrs = "desired_channels: int = -1; desired_samples: int = -1",
       .doc =
           "The sound of a WAV file of 16 bits as numbers in [-1, 1), [frames, channels], and its frames per second. "
           "-1: as many frames and channels as the file has; else what is too much is left out, frames that are not "
           "there are silent, and channels repeat the last.",
       .shape_fn = DecodedShapes,
       .samples =
           {"w = EncodeWav: [n C] 8000; desired_channels=-1/1/3: w",
            "w = EncodeWav: [5 2] 44100; "
            "desired_samples=3/9 desired_channels=-1/0: w",
            "x'524946462a0000005741564564666d7420'",
            "x'524946462a00000057415645666d74201000000001000100401f0000803e0000020010006461746104000000ff7f0080'"}},
      {.signature = "EncodeWav(audio: float32, sample_rate: int32) -> (contents: string)",
       .doc = "A WAV file of 16 bits with this sound, [frames, channels]; -1 to 1 is its full range.",
       .shape_fn = EncodedShapes,
       .samples = {"[n C] 44100", "[3 2] 1", "[n 1] in -2..2 8000"}},
  };
  return rows;
}

}  // namespace plumb::topics
