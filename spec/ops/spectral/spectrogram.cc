#include <bit>

#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SpectrogramShapes(const ShapeContext& c) {
  const PartialShape input = WithRank(c, 0, 2);
  const int64_t window = Int32Attr(c.attrs(), "window_size"), stride = Int32Attr(c.attrs(), "stride");
  Require(window > 1, c.op().name, ": window_size must be 2 at least, not ", window);
  Require(stride > 0, c.op().name, ": stride must be positive, not ", stride);
  const int64_t samples = input.dim(0);
  const int64_t frames = samples < 0 ? -1 : samples < window ? 0 : 1 + (samples - window) / stride;
  const auto length = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(window)));
  return {PartialShape{input.dim(1), frames, 1 + length / 2}};
}

}  // namespace

std::span<const OpRow> SpectralSpectrogram() {
  static const OpRow rows[] = {
      {.signature = "AudioSpectrogram(input: float32) -> (spectrogram: float32)",
       .attrs = "window_size: int; stride: int; magnitude_squared: bool = false",
       .doc = "Spectra of sound [samples, channels], [channel, frame, bin]: a frame each `stride` samples takes "
              "window_size of them, times a periodic Hann window, fills up to a power of two with zeros, and gives the "
              "magnitudes of the first half of its Fourier transform and one more, or their squares.",
       .shape_fn = SpectrogramShapes,
       .cost = 64,
       .accuracy = Composed(4),
       .samples = {"window_size=5 stride=3 magnitude_squared=true/false: [9 C] finite",
                   "window_size=8 stride=4 magnitude_squared=true/false: [n C] finite",
                   "window_size=6 stride=10: [40 2] in -1..1",
                   "window_size=2 stride=1 magnitude_squared=true: [a b] "
                   "finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
